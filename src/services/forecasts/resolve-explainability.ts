import { analyses, type ExplainabilitySpec } from '../../domain/explainability-spec.ts'
import { explainabilityDefaults as defaults, type ExplainabilityBlock } from './blocks/explainability.ts'

/**
 * undefined when not enabled. A field that no requested analysis uses gets its default, so that equivalent requests
 * have one hash. Without any analysis the job says so, and its summary is empty.
 */
export function resolveExplainability (block: ExplainabilityBlock | null | undefined): ExplainabilitySpec | undefined {
  if (block?.enabled !== true) return undefined
  const chosen = analyses.filter((name) => block[name])
  const isDrawn = chosen.includes('forecast_plot')
  const hasFeatures = chosen.some((name) => name !== 'forecast_plot')
  const isExplained = chosen.includes('feature_importance') || chosen.includes('shap')
  return {
    analyses: chosen,
    trailingHistorySteps: isDrawn ? block.trailing_history_steps ?? null : null,
    maxRows: hasFeatures ? block.max_rows : defaults.maxRows,
    maxFeatures: hasFeatures ? block.max_features : defaults.maxFeatures,
    topKFeatures: hasFeatures ? block.top_k_features : defaults.topKFeatures,
    shapSampleSize: isExplained ? block.shap_sample_size : defaults.shapSampleSize
  }
}
