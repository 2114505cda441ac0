import type { ExplainOptions } from '../domain/engine-documents.ts'
import type { ExplainabilitySpec } from '../domain/explainability-spec.ts'

export function explainOptions (
  { analyses, trailingHistorySteps, maxRows, maxFeatures, topKFeatures, shapSampleSize }: ExplainabilitySpec,
  rollingRegressionAllowed: boolean
): ExplainOptions {
  return {
    featureImportance: analyses.includes('feature_importance'),
    shap: analyses.includes('shap'),
    featureFeatureCorrelations: analyses.includes('feature_feature_correlations'),
    featureTargetCorrelations: analyses.includes('feature_target_correlations'),
    forecastPlot: analyses.includes('forecast_plot'),
    rollingRegression: analyses.includes('rolling_regression'),
    ...{ rollingRegressionAllowed, trailingHistorySteps, maxRows, maxFeatures, topKFeatures, shapSampleSize }
  }
}
