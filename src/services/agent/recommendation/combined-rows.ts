import type { DataProfile } from '../../../domain/data-profile.ts'
import type { ForecastIntent } from '../../../domain/forecast-intent.ts'
import { aggregateNouns, aggregates, type Aggregate } from '../../../domain/preparation-spec.ts'
import { natureOf, type Nature } from '../columns/natures.ts'
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

interface Wishes {
  steps?: Aggregate
  series?: Aggregate
  either?: Aggregate
}

const byNature: Record<Nature, { across: Aggregate, over: Aggregate, why: string }> = {
  amount: { across: 'sum', over: 'sum', why: 'is an amount, which adds up over series and over time' },
  level: { across: 'sum', over: 'mean', why: 'is a level, which adds up over series and not over time' },
  rate: { across: 'mean', over: 'mean', why: 'is a rate or a state, which does not add up' }
}
const axes = { aggregate: 'steps', across: 'series', combine: 'either' } as const
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
  const { why, ...nature } = byNature[natureOf(target)]
  const [overSteps, overSeries] = [step !== null, combinesTimes(intent, data, step)]
  const wishes = wishesOf(intent)
  const { over, across, unused } = decide(wishes, nature, natureOf(target) === 'rate', overSteps, overSeries)
  const because = (how: Aggregate, isSaid: boolean, byName: Aggregate): string => (isSaid
    ? `as asked for${
      how === byName
        ? ''
        : `; without such words it would be their ${aggregateNouns[byName]}, because ${target} ${why}`
    }`
    : `because ${target} ${why}`)
  const freq = data.series?.freq ?? null
  const reasons: string[] = []
  if (overSeries) {
    reasons.push(
      `Rows with the same time become one by their ${aggregateNouns[across.how]}${
        overSteps && across.how !== over.how ? ', before they are combined into steps' : ''
      }: ${because(across.how, across.isSaid, nature.across)}.`
    )
  }
  if (overSteps) {
    reasons.push(
      `Rows are combined into steps of ${step as string} by their ${aggregateNouns[over.how]}${
        freq === null || isIrregular ? ', because they have no regular step' : ''
      }: ${because(over.how, over.isSaid, nature.over)}.`
    )
  }
  const notes: string[] = []
  if (unused !== null) {
    notes.push(overSteps
      ? `The ${aggregateNouns[unused]} is not taken as well: the rows of a step become one by their ${
        aggregateNouns[over.how]
      }.`
      : `The ${aggregateNouns[unused]} of a step was asked for, and there is one row a step of ${
        freq ?? 'the data'
      }: values are forecast as they are.`)
  }
  if (overSteps && overSeries && across.how === 'sum' && over.how !== 'sum' && (freq === null || isIrregular)) {
    notes.push(
      'The series have no regular times in common: a sum over series is one of the rows with the very same time, and ' +
        'may be too small.'
    )
  }
  const repeated = overSeries ? repeatedRows(data) : 0
  if (repeated > 0) {
    notes.push(
      `${repeated} rows have a time that another row has, and no column tells them apart: they become one by their ${
        aggregateNouns[across.how]
      }. If they are the same rows twice, take them out of the file.`
    )
  }
  if (!overSteps) return { aggregate: overSeries ? across.how : nature.over, across: null, reasons, notes }
  return { aggregate: over.how, across: overSeries && across.how !== over.how ? across.how : null, reasons, notes }
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

function decide ({ steps, series, either }: Wishes, nature: { across: Aggregate, over: Aggregate }, isRate: boolean,
  overSteps: boolean, overSeries: boolean): { over: Chosen, across: Chosen, unused: Aggregate | null } {
  let [over, across] = [steps, series]
  let isUsed = either === undefined
  const isExtreme = (how: Aggregate): boolean => how === 'max' || how === 'min'
  if (either !== undefined) {
    // If there are several series, a total of a level or of a rate is over series. A peak of an amount or of a level is
    // over time.
    const suitsSeries = !isExtreme(either) || isRate
    const suitsSteps = either !== 'sum' || nature.over === 'sum' || !overSeries
    if (overSteps && suitsSteps && over === undefined) [over, isUsed] = [either, true]
    if (overSeries && suitsSeries && across === undefined) [across, isUsed] = [either, true]
  }
  // If the prompt names an aggregate over steps, but steps are not combined, it applies to series where possible.
  const moves = !overSteps && overSeries && steps !== undefined && across === undefined && (!isExtreme(steps) || isRate)
  if (moves) across = steps
  const unused = !isUsed ? either : steps !== undefined && !overSteps && !moves ? steps : undefined
  // A total or an average of a single row is that row, so it is not reported as missing.
  const isMissed = unused !== undefined && (isExtreme(unused) || (unused === 'mean' && overSteps))
  return {
    over: { how: over ?? nature.over, isSaid: over !== undefined },
    across: { how: across ?? nature.across, isSaid: across !== undefined },
    unused: isMissed ? unused : null
  }
}

function wishesOf ({ user_constraints: constraints }: ForecastIntent): Wishes {
  const wishes: Wishes = {}
  for (const text of constraints) {
    const [, kind, how] = constraint.exec(text) ?? []
    if (kind !== undefined) wishes[axes[kind as keyof typeof axes]] ??= how as Aggregate
  }
  return wishes
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
