import type { AnalysesDocument, AnalysisName } from './analyses-document.ts'
import { subjectOf } from './subject.ts'

/** The reason if an analysis does not apply to a table. */
export const notApplicable = 'not_applicable'
/** Analyses that apply to series only. */
export const seriesAnalyses: readonly AnalysisName[] = ['forecast_plot', 'rolling_regression']

type Of = Pick<AnalysesDocument, 'subject' | 'target' | 'class'>

const titles: Record<AnalysisName, (result: string) => string> = {
  forecast_plot: () => 'Forecast plot',
  feature_importance: () => 'Feature importance',
  shap: (result) => `Contributions to the ${result}`,
  feature_target_correlations: () => 'Features and the target',
  feature_feature_correlations: () => 'Features among each other',
  rolling_regression: () => 'Coefficients over time'
}

export function analysisTitle (name: AnalysisName, of: Of): string {
  return titles[name](subjectOf(of).result)
}

const reasons: Record<string, string> = {
  not_enough_rows: 'there are not enough rows',
  no_features: 'there are no features, or too few that vary',
  low_fidelity: 'no surrogate was close enough to the {result}',
  timeout: 'its time was over',
  too_many_series: 'there are too many series',
  disabled_by_operator: 'it is switched off on this service',
  [notApplicable]: 'a table has no series',
  failed: 'it failed'
}

/** Why an analysis was skipped, in words; an unknown reason is shown as it is. */
export function reasonText (reason: string, of: Of): string {
  return (Object.hasOwn(reasons, reason) ? reasons[reason] ?? reason : reason).replace('{result}', subjectOf(of).result)
}
