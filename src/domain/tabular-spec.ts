import type { ExplainabilitySpec } from './explainability-spec.ts'

export type TabularTask = 'classification' | 'regression'

/** The models of all tables, as `model_name` has it. */
export const tabularModelName = 'tabular-balanced'

export type ProblemType = 'binary' | 'multiclass' | 'regression' | 'quantile'
export type InferenceMode = 'train_evaluate' | 'train_predict'

/**
 * A classification or regression of a table, with every default resolved: what is hashed, dispatched and shown as
 * `effective_config`.
 */
export interface TabularSpec {
  task: TabularTask
  labelColumn: string
  /** `auto`: from the labels. */
  problemType: 'auto' | ProblemType
  /** `auto`: `train_predict` where a label is empty. */
  inferenceMode: 'auto' | InferenceMode
  /** Of the labelled rows, for `train_evaluate`. */
  trainSplitRatio: number
  /** Of the rows that are learned from, held back by each fold. */
  validationHoldoutRatio: number
  /** The rows behind are tested on; absent: any rows are. */
  timeColumn?: string
  /** Which sheet of a spreadsheet; absent: the first. */
  sheetName?: string
  /** Absent: the predictions are not analysed. */
  explainability?: ExplainabilitySpec
}

/** What a content check found in a table. */
export interface TabularProfile {
  rows: number
  columns: number
  labeledRows: number
}

/** What a classification or regression found, besides its files. */
export interface TabularOutcome {
  /** Data rows: those with a label and those without. */
  numSamples: number
  labeledRowCount: number
  unlabeledRowCount: number
  /** Rows of the output table. */
  predictedRowCount: number
  /** As they were resolved. */
  problemType: ProblemType
  inferenceMode: InferenceMode
  /** Absent: a regression. */
  accuracy?: number
  metrics: TabularMetrics
  /** Descending; shares are not negative and sum to 1; the 50 greatest, and the rest as `__other__`. */
  featureImportance: Array<{ feature: string, share: number }>
  modelName: string
}

/** On rows that the model did not learn from; absent: not defined for the problem, or for these rows. */
export interface TabularMetrics {
  accuracy?: number
  balancedAccuracy?: number
  logLoss?: number
  rocAuc?: number
  r2?: number
  rmse?: number
  mae?: number
}
