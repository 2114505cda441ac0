import { shownText } from '../shown-text.ts'
import type { ForecastFacts } from './forecast-report.ts'

/** The section in which a job's warning is shown; warnings that are missing here are about the data. */
const groups: Record<string, 'covariates' | 'models'> = {
  past_only_covariate: 'covariates',
  unusable_covariate: 'covariates',
  mixed_covariate: 'covariates',
  infinite_covariate: 'covariates',
  covariates_limited: 'covariates',
  covariate_not_in_model: 'covariates',
  covariate_drawn_in: 'covariates',
  external_covariates_skipped: 'covariates',
  external_covariates_failed: 'covariates',
  external_covariates_partial: 'covariates',
  external_covariates_note: 'covariates',
  models_replaced: 'models',
  fallback_used: 'models',
  budget_short: 'models',
  unseen_series: 'models',
  features_longer_than_history: 'models'
}

/** Whole sentences, as in the job's record. */
export function warningsAbout (facts: ForecastFacts, subject: 'data' | 'covariates' | 'models'): string[] {
  return facts.warnings.filter(({ code }) => (Object.hasOwn(groups, code) ? groups[code] : 'data') === subject).map((
    { message }
  ) => shownText(message, 400))
}
