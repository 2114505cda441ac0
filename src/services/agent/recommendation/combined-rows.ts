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

/** Rows whose time another one has, in a file without a column that names series. */
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
    // A total of a level, or of a rate, is one of the series, where there are several; a peak of an amount or a level
    // is one of time.
    const suitsSeries = !isExtreme(either) || isRate
    const suitsSteps = either !== 'sum' || nature.over === 'sum' || !overSeries
    if (overSteps && suitsSteps && over === undefined) [over, isUsed] = [either, true]
    if (overSeries && suitsSeries && across === undefined) [across, isUsed] = [either, true]
  }
  // Said of steps that are those of the data: of the series, where it can be.
  const moves = !overSteps && overSeries && steps !== undefined && across === undefined && (!isExtreme(steps) || isRate)
  if (moves) across = steps
  const unused = !isUsed ? either : steps !== undefined && !overSteps && !moves ? steps : undefined
  // A total or an average of one row is that row, and nobody misses it.
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
