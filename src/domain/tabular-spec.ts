import type { InferenceMode, ProblemType } from './engine-documents.ts'
import type { ExplainabilitySpec } from './explainability-spec.ts'

export type TabularTask = 'classification' | 'regression'

/** The models of all tables, as `model_name` has it. */
export const tabularModelName = 'tabular-balanced'

export type { InferenceMode, ProblemType, TabularMetrics, TabularOutcome, TabularProfile } from './engine-documents.ts'

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
