import type { ExplanationWords } from './rephrase.ts'
import type { ExplanationKeys } from './explain.ts'
import type { SentenceKey } from './sentence.ts'

/**
 * The lists of an explanation without the sentences that give the errors of the backtest. The page of a report gives
 * them at its beginning, as means over its tests; the same errors averaged over series would be other figures.
 */
export function withoutErrors (
  { forecastSummary, operationalImplications, caveats }: ExplanationWords,
  keys: ExplanationKeys
): Pick<ExplanationWords, 'forecastSummary' | 'operationalImplications' | 'caveats'> {
  const others = (sentences: readonly string[], of: readonly SentenceKey[]) =>
    sentences.filter((_, at) => !hasErrors(of[at]))
  return {
    forecastSummary: others(forecastSummary, keys.forecast_summary),
    operationalImplications: others(operationalImplications, keys.operational_implications),
    caveats: others(caveats, keys.caveats)
  }
}

function hasErrors (key: SentenceKey | undefined): boolean {
  return key !== undefined && ['skill', 'naive_error'].some((name) => name in key.values)
}
