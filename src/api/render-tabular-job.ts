import type { TabularMetrics, TabularOutcome, TabularSpec } from '../domain/tabular-spec.ts'
import type { JobRecord } from '../services/jobs/job-record.ts'
import type { JobProgress } from '../services/jobs/job-service.ts'
import { artifactUrl, summaryName } from '../services/jobs/report-files.ts'
import { renderExplainability, renderExplainabilityConfig } from './render-explainability.ts'
import { renderJobLife } from './render-job-life.ts'
import type { TabularJobResponse } from './schemas/tabular-job.ts'

/** A classification or regression as clients see it. The meaning of `auto` is known once the job has completed. */
export function renderTabularJob (record: JobRecord, spec: TabularSpec,
  progress: JobProgress | null): TabularJobResponse {
  const { tabular: outcome } = record
  return {
    ...renderJobLife(record, record.sandbox === undefined ? spec.task : `sandbox_${spec.task}` as const, progress),
    explainability: spec.explainability === undefined ? null : renderExplainability(record, spec.explainability),
    explainability_url: artifactUrl(record, summaryName),
    num_samples: outcome?.numSamples ?? null,
    problem_type: outcome?.problemType ?? (spec.problemType === 'auto' ? null : spec.problemType),
    accuracy: outcome?.accuracy ?? null,
    feature_importance: outcome === undefined ? null : renderImportance(outcome),
    inference_mode: outcome?.inferenceMode ?? (spec.inferenceMode === 'auto' ? null : spec.inferenceMode),
    labeled_row_count: outcome?.labeledRowCount ?? null,
    unlabeled_row_count: outcome?.unlabeledRowCount ?? null,
    predicted_row_count: outcome?.predictedRowCount ?? null,
    model_name: outcome?.modelName ?? null,
    metrics: outcome === undefined ? null : renderMetrics(outcome.metrics),
    effective_config: {
      label_column: spec.labelColumn,
      problem_type: spec.problemType,
      inference_mode: spec.inferenceMode,
      train_split_ratio: spec.trainSplitRatio,
      validation_holdout_ratio: spec.validationHoldoutRatio,
      time_column: spec.timeColumn ?? null,
      sheet_name: spec.sheetName ?? null,
      explainability: spec.explainability === undefined ? null : renderExplainabilityConfig(spec.explainability)
    }
  }
}

/** null: unknown. A name may occur twice, for a column and for the rest of them, and may be `__proto__`. */
function renderImportance ({ featureImportance }: TabularOutcome): Record<string, number> | null {
  if (featureImportance.length === 0) return null
  const shares = new Map<string, number>()
  for (const { feature, share } of featureImportance) shares.set(feature, (shares.get(feature) ?? 0) + share)
  return Object.fromEntries(shares)
}

function renderMetrics ({ accuracy, balancedAccuracy, logLoss, rocAuc, r2, rmse, mae }: TabularMetrics) {
  return {
    accuracy: accuracy ?? null,
    balanced_accuracy: balancedAccuracy ?? null,
    log_loss: logLoss ?? null,
    roc_auc: rocAuc ?? null,
    r2: r2 ?? null,
    rmse: rmse ?? null,
    mae: mae ?? null
  }
}
