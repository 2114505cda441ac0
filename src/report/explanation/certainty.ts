import type { SeriesFindings, Standing } from './findings.ts'

/** How sure a forecast may sound, by its backtest: `uncertain` where there is none. */
export type Certainty = 'likely' | 'may differ' | 'uncertain'

/** Of one series fewer compared steps than this prove nothing clearly. */
export const fewSteps = 5
/** What the 80 % band holds where it is as wide as it should be. */
const held = { least: 0.7, most: 0.9 }

/** A backtest; several series together have no number of steps. */
export interface Tested {
  standing: Standing | null
  coverage: number | null
  steps?: number
}

export function certaintyOf (accuracy: Tested | null): Certainty {
  const standing = accuracy?.standing ?? null
  if (accuracy === null || standing === null || standing === 'not_better') return 'uncertain'
  return standing === 'clearly_better' && isCovered(accuracy) && !isFew(accuracy) ? 'likely' : 'may differ'
}

export function isCovered ({ coverage }: Pick<Tested, 'coverage'>): boolean {
  return coverage !== null && coverage >= held.least && coverage <= held.most
}

export function isFew ({ steps = fewSteps }: Pick<Tested, 'steps'>): boolean {
  return steps < fewSteps
}

/** One window of the horizon, or less, was all that was held back. */
export function isOneTest ({ accuracy, outlook }: Pick<SeriesFindings, 'accuracy' | 'outlook'>): boolean {
  return accuracy !== null && outlook !== null && accuracy.steps <= outlook.steps
}
