import type { Standing } from './findings.ts'

/** How sure a forecast may sound, by its backtest: `uncertain` where there is none. */
export type Certainty = 'likely' | 'may differ' | 'uncertain'

export function certaintyOf (accuracy: { standing: Standing | null, coverage: number | null } | null): Certainty {
  const standing = accuracy?.standing ?? null
  const coverage = accuracy?.coverage ?? null
  if (standing === null || standing === 'not_better') return 'uncertain'
  const isCovered = coverage !== null && coverage >= 0.7 && coverage <= 0.9
  return standing === 'clearly_better' && isCovered ? 'likely' : 'may differ'
}
