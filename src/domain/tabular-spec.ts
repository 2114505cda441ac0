import type { InferenceMode, ProblemType } from './engine-documents.ts'
import type { ExplainabilitySpec } from './explainability-spec.ts'

export type TabularTask = 'classification' | 'regression'

/** The name of the models of all tables, as `model_name` has it. */
export const tabularModelName = 'tabular-balanced'

export type { InferenceMode, ProblemType, TabularMetrics, TabularOutcome, TabularProfile } from './engine-documents.ts'

/**
 * A classification or regression of a table, with every default resolved. It is hashed, dispatched, and shown as
 * `effective_config`.
 */
export interface TabularSpec {
  task: TabularTask
  labelColumn: string
  /** `auto`: follows from the labels. */
  problemType: 'auto' | ProblemType
  /** `auto`: `train_predict` if any label is empty. */
  inferenceMode: 'auto' | InferenceMode
  /** The share of the labelled rows that `train_evaluate` learns from. */
  trainSplitRatio: number
  /** The share of the training rows that each fold holds back. */
  validationHoldoutRatio: number
  /** The latest rows are tested on; absent: any rows are. */
  timeColumn?: string
  /** The sheet of a spreadsheet; absent: the first. */
  sheetName?: string
  /** Absent: the predictions are not analysed. */
  explainability?: ExplainabilitySpec
}
