import type { DataProfile } from '../../../domain/data-profile.ts'
import type { ForecastIntent } from '../../../domain/forecast-intent.ts'
import { aggregateNouns, aggregates, type Aggregate } from '../../../domain/preparation-spec.ts'
import { natureOf, type Nature } from '../columns/natures.ts'
import { joinsSeries, seriesNames } from './series-names.ts'

/** How rows become one: those of several series with one time first, then those of a step. */
export interface CombinedRows {
  /** Of the rows of a step; where there are none to combine, of those of one time. */
  aggregate: Aggregate
  /** Of rows with one time, where it is another; null: as `aggregate`. */
  across: Aggregate | null
  /** What is done on each axis that is combined, and why, a sentence each. */
  reasons: string[]
  /** What the caller should know, a sentence each. */
  notes: string[]
}

const byNature: Record<Nature, { across: Aggregate, over: Aggregate, why: string }> = {
  amount: { across: 'sum', over: 'sum', why: 'is an amount, which adds up over series and over time' },
  level: { across: 'sum', over: 'mean', why: 'is a level, which adds up over series and not over time' },
  rate: { across: 'mean', over: 'mean', why: 'is a rate or a state, which does not add up' }
}
const constraint = new RegExp(`^(aggregate|across|combine) (${aggregates.join('|')})$`)

/** Whether a constraint of an intent says how rows are combined: `aggregate max`, `across sum`, `combine mean`. */
export function isCombiningWish (text: string): boolean {
  return constraint.test(text)
}

/**
 * The words of the prompt decide, on the axis that they are about, else what the column counts. `step`: what rows are
 * combined into; null: they keep their times.
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

/** Rows whose time another one has, in a file without a column that names series. */
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
  // A total of a level, or of a rate, is one of the series, where there are several; a peak of an amount or a level is
  // one of time.
  const suitsSeries = (how: Aggregate): boolean => !isExtreme(how) || nature === byNature.rate
  const steps = over
  let unused = either
  if (either !== undefined && overSteps && over === undefined &&
    (either !== 'sum' || nature.over === 'sum' || !overSeries)) [over, unused] = [either, undefined]
  if (either !== undefined && overSeries && across === undefined && suitsSeries(either)) {
    ;[across, unused] = [either, undefined]
  }
  // Said of steps that are those of the data: of the series, where it can be.
  const moves = !overSteps && overSeries && steps !== undefined && across === undefined && suitsSeries(steps)
  if (moves) across = steps
  else if (!overSteps) unused ??= steps
  // A total or an average of one row is that row, and nobody misses it.
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
 * Whether rows with one time become one: those of several series that are named by less than names them in the file,
 * and those that the file has twice.
 */
function combinesTimes (intent: ForecastIntent, data: DataProfile, step: string | null): boolean {
  const { series } = data
  if (series === null) return false
  const names = seriesNames(intent, data)
  const repeats = series.totalRows - series.futureRows > (series.numItems * series.avgLength) * 1.01
  if ('itemId' in names) return step !== null && repeats
  return repeats || joinsSeries(names, data)
}
