import type { SeriesFindings, Standing } from './findings.ts'

/** How sure a forecast may sound, judged by its backtest; `uncertain` without one. */
export type Certainty = 'likely' | 'may differ' | 'uncertain'

/** For a single series, fewer compared steps than this prove nothing. */
export const fewSteps = 5
/** The share of values that an 80 % band contains if its width is right. */
export const held = { least: 0.7, most: 0.9 }

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

/** Only one window of at most the horizon was held back. */
export function isOneTest ({ accuracy, outlook }: Pick<SeriesFindings, 'accuracy' | 'outlook'>): boolean {
  return accuracy !== null && outlook !== null && accuracy.steps <= outlook.steps
}
