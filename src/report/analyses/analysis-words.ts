import type { AnalysisName } from './analyses-document.ts'

export const analysisTitles: Record<AnalysisName, string> = {
  forecast_plot: 'Forecast plot',
  feature_importance: 'Feature importance',
  shap: 'Contributions to the forecast',
  feature_target_correlations: 'Features and the target',
  feature_feature_correlations: 'Features among each other',
  rolling_regression: 'Coefficients over time'
}

const reasons: Record<string, string> = {
  not_enough_rows: 'there are not enough rows',
  no_features: 'there are no features',
  low_fidelity: 'no surrogate was close enough to the forecast',
  timeout: 'its time was over',
  too_many_series: 'there are too many series',
  disabled_by_operator: 'it is switched off on this service',
  failed: 'it failed'
}

/** Why an analysis was skipped, in words; a reason that is not known here is told as it is. */
export function reasonText (reason: string): string {
  return Object.hasOwn(reasons, reason) ? reasons[reason] ?? reason : reason
}
