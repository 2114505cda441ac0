import type * as native from '#native'
import type { ExplainabilitySpec } from '../domain/explainability-spec.ts'

/** napi takes a missing field as `None` and refuses `null`, so what is null is left out. */
export function explainOptions ({ analyses, trailingHistorySteps, ...counts }: ExplainabilitySpec,
  rollingRegressionAllowed: boolean): NonNullable<native.DatasetOptions['explain']> {
  return {
    featureImportance: analyses.includes('feature_importance'),
    shap: analyses.includes('shap'),
    featureFeatureCorrelations: analyses.includes('feature_feature_correlations'),
    featureTargetCorrelations: analyses.includes('feature_target_correlations'),
    forecastPlot: analyses.includes('forecast_plot'),
    rollingRegression: analyses.includes('rolling_regression'),
    rollingRegressionAllowed,
    ...(trailingHistorySteps === null ? {} : { trailingHistorySteps }),
    ...counts
  }
}
