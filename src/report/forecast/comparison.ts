import { numberText, percentText } from '../number-text.ts'
import type { ForecastReport, SeriesClass } from './forecast-report.ts'

/** The forecast compared with repeating the last season, on the same held-back windows. */
export interface Comparison {
  windows: number
  /** Mean absolute scaled errors. */
  ours: number
  baseline: number
  /** In how many windows each of them has the smaller error. */
  oursBetter: number
  baselineBetter: number
  standing: Standing
}

export type Standing = 'better' | 'alike' | 'worse'

/** A smaller difference of mean errors counts as none. */
const sameWithin = 0.02

/** undefined: nothing was held back, or the baseline was not measured. */
export function compareClass ({ leaderboard }: SeriesClass): Comparison | undefined {
  const ours = leaderboard?.scores.find(({ model }) => model === 'combination')?.mase
  const {
    mase: baseline = null,
    windows = 0,
    combination_better: oursBetter = 0,
    baseline_better: baselineBetter = 0
  } = leaderboard?.baseline ?? {}
  if (ours === undefined || ours === null || baseline === null || windows === 0) return undefined
  return {
    windows,
    ours,
    baseline,
    oursBetter,
    baselineBetter,
    standing: standingOf(ours, baseline, oursBetter >= baselineBetter)
  }
}

/** All windows of the report together. */
export function compareAll ({ classes }: ForecastReport): Comparison | undefined {
  const all = classes.flatMap((one) => compareClass(one) ?? [])
  const sum = (value: (one: Comparison) => number) => all.reduce((total, one) => total + value(one), 0)
  const windows = sum((one) => one.windows)
  if (windows === 0) return undefined
  const ours = sum((one) => one.ours * (one.windows / windows))
  const baseline = sum((one) => one.baseline * (one.windows / windows))
  const [oursBetter, baselineBetter] = [sum((one) => one.oursBetter), sum((one) => one.baselineBetter)]
  return {
    windows,
    ours,
    baseline,
    oursBetter,
    baselineBetter,
    standing: standingOf(ours, baseline, oursBetter >= baselineBetter)
  }
}

/** Better only if the mean error is smaller and the majority of windows does not say the opposite. */
function standingOf (ours: number, baseline: number, isMajority: boolean): Standing {
  if (ours > baseline * (1 + sameWithin)) return 'worse'
  return ours < baseline * (1 - sameWithin) && isMajority ? 'better' : 'alike'
}

/** `24.1 % smaller`, `13.0 % larger`, `12 times as large`. */
export function differenceText ({ ours, baseline }: Pick<Comparison, 'ours' | 'baseline'>): string {
  if (ours === baseline) return 'as large'
  const ratio = ours / baseline
  if (ours < baseline) return `${percentText(1 - ratio)} smaller`
  if (!Number.isFinite(ratio)) return 'larger'
  return ratio < 2 ? `${percentText(ratio - 1)} larger` : `${numberText(ratio)} times as large`
}

/**
 * What the baseline does, for this dataset. If all compared series have short histories, their windows may begin before
 * the first whole season, where the baseline repeats the last value.
 */
export function baselineText ({ season_lengths: seasons, classes }: ForecastReport): string {
  if (!seasons.some((steps) => steps > 1)) return 'repeating the last value'
  const compared = classes.filter((one) => compareClass(one) !== undefined)
  return compared.length > 0 && compared.every((one) => one.class === 'unseasonal')
    ? 'repeating the last season or value'
    : 'repeating the last season'
}
