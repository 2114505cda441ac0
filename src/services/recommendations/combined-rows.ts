import type { DataProfile } from '../../domain/data-profile.ts'
import type { ForecastIntent } from '../../domain/forecast-intent.ts'
import { aggregateNouns, aggregates, type Aggregate } from '../../domain/preparation-spec.ts'
import { natureOf, type Nature } from './natures.ts'
import { joinsSeries, seriesNames } from './series-names.ts'

/** How rows are combined: first those of several series with the same time, then those of a step. */
export interface CombinedRows {
  /** For the rows of a step. If no steps are combined, for rows with the same time. */
  aggregate: Aggregate
  /** For rows with the same time, if it differs; null: `aggregate`. */
  across: Aggregate | null
  /** How each axis is combined, and why; one sentence each. */
  reasons: string[]
  /** Notes for the caller, one sentence each. */
  notes: string[]
}

const byNature: Record<Nature, { across: Aggregate, over: Aggregate, why: string }> = {
  amount: { across: 'sum', over: 'sum', why: 'is an amount, which adds up over series and over time' },
  level: { across: 'sum', over: 'mean', why: 'is a level, which adds up over series and not over time' },
  rate: { across: 'mean', over: 'mean', why: 'is a rate or a state, which does not add up' }
}
const constraint = new RegExp(`^(aggregate|across|combine) (${aggregates.join('|')})$`)

/** Whether a constraint of an intent tells how to combine rows: `aggregate max`, `across sum`, `combine mean`. */
export function isCombiningWish (text: string): boolean {
  return constraint.test(text)
}

/**
 * Chooses how to combine rows. On each axis, the words of the prompt about it decide, else the nature of the target
 * column. `step`: the step of the combined rows; null: rows keep their times.
 */
export function combinedRows (intent: ForecastIntent, data: DataProfile, step: string | null,
  isIrregular = false): CombinedRows {
  const target = intent.forecast_target ?? ''
  const nature = byNature[natureOf(target)]
  const [overSteps, overSeries] = [step !== null, combinesTimes(intent, data, step)]
  const { over, across, unused } = decide(intent, nature, overSteps, overSeries)
  const freq = data.series?.freq ?? null
  const isStepless = freq === null || isIrregular
  const noun = (how: Aggregate): string => aggregateNouns[how]
  const because = ({ how, isSaid }: Chosen, byName: Aggregate): string => {
    const why = `because ${target} ${nature.why}`
    if (!isSaid) return why
    return how === byName
      ? 'as asked for'
      : `as asked for; without such words it would be their ${noun(byName)}, ${why}`
  }
  const reasons: string[] = []
  if (overSeries) {
    const order = overSteps && across.how !== over.how ? ', before they are combined into steps' : ''
    reasons.push(
      `Rows with the same time become one by their ${noun(across.how)}${order}: ${because(across, nature.across)}.`
    )
  }
  if (overSteps) {
    const why = isStepless ? ', because they have no regular step' : ''
    reasons.push(
      `Rows are combined into steps of ${step} by their ${noun(over.how)}${why}: ${because(over, nature.over)}.`
    )
  }
  const notes: string[] = []
  if (unused !== null) {
    notes.push(overSteps
      ? `The ${noun(unused)} is not taken as well: the rows of a step become one by their ${noun(over.how)}.`
      : `The ${noun(unused)} of a step was asked for, and there is one row a step of ${
        freq ?? 'the data'
      }: values are forecast as they are.`)
  }
  if (overSteps && overSeries && across.how === 'sum' && over.how !== 'sum' && isStepless) {
    notes.push(
      'The series have no regular times in common: a sum over series is one of the rows with the very same time, and ' +
        'may be too small.'
    )
  }
  const repeated = overSeries ? repeatedRows(data) : 0
  if (repeated > 0) {
    notes.push(
      `${repeated} rows have a time that another row has, and no column tells them apart: they become one by their ${
        noun(across.how)
      }. If they are the same rows twice, take them out of the file.`
    )
  }
  const isOther = overSteps && overSeries && across.how !== over.how
  return {
    aggregate: overSteps ? over.how : overSeries ? across.how : nature.over,
    across: isOther ? across.how : null,
    reasons,
    notes
  }
}

/** The number of rows with a repeated time, in a file without a column that names series. */
function repeatedRows ({ roles, series }: DataProfile): number {
  if (series === null || roles.itemId !== null || series.hierarchyColumns.length > 0) return 0
  return Math.max(0, Math.round(series.totalRows - series.futureRows - series.numItems * series.avgLength))
}

interface Chosen {
  how: Aggregate
  isSaid: boolean
}

function decide (intent: ForecastIntent, nature: typeof byNature[Nature], overSteps: boolean,
  overSeries: boolean): { over: Chosen, across: Chosen, unused: Aggregate | null } {
  const wishes = wishesOf(intent)
  const either = wishes.get('combine')
  let [over, across] = [wishes.get('aggregate'), wishes.get('across')]
  const isExtreme = (how: Aggregate): boolean => how === 'max' || how === 'min'
  // If there are several series, a total of a level or of a rate is over series. A peak of an amount or of a level is
  // over time.
  const suitsSeries = (how: Aggregate): boolean => !isExtreme(how) || nature === byNature.rate
  const steps = over
  let unused = either
  if (either !== undefined && overSteps && over === undefined &&
    (either !== 'sum' || nature.over === 'sum' || !overSeries)) [over, unused] = [either, undefined]
  if (either !== undefined && overSeries && across === undefined && suitsSeries(either)) {
    ;[across, unused] = [either, undefined]
  }
  // If the prompt names an aggregate over steps, but steps are not combined, it applies to series where possible.
  const moves = !overSteps && overSeries && steps !== undefined && across === undefined && suitsSeries(steps)
  if (moves) across = steps
  else if (!overSteps) unused ??= steps
  // A total or an average of a single row is that row, so it is not reported as missing.
  const isMissed = unused !== undefined && (isExtreme(unused) || (unused === 'mean' && overSteps))
  return {
    over: { how: over ?? nature.over, isSaid: over !== undefined },
    across: { how: across ?? nature.across, isSaid: across !== undefined },
    unused: isMissed ? unused as Aggregate : null
  }
}

/** The first wish of each kind. */
function wishesOf ({ user_constraints: constraints }: ForecastIntent): Map<string, Aggregate> {
  const said = constraints.map((text) => constraint.exec(text)).filter((match) => match !== null)
  return new Map(said.reverse().map(([, kind, how]) => [kind as string, how as Aggregate]))
}

/**
 * Whether rows with the same time are combined: rows of series that the forecast joins, and repeated rows of the file.
 */
function combinesTimes (intent: ForecastIntent, data: DataProfile, step: string | null): boolean {
  const { series } = data
  if (series === null) return false
  const names = seriesNames(intent, data)
  const repeats = series.totalRows - series.futureRows > (series.numItems * series.avgLength) * 1.01
  if ('itemId' in names) return step !== null && repeats
  return repeats || joinsSeries(names, data)
}
