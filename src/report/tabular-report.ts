/**
 * The engine's `report.json` of a tabular job, from which the page `report.html` is made. Every text in it may come
 * from a customer's file: names of columns, labels of classes and values of cells are data here, never markup. Numbers
 * are in the unit of the label (regression) or without one (shares, probabilities, losses).
 */
export interface TabularReport {
  v: 1
  problem_type: ProblemType
  inference_mode: 'train_evaluate' | 'train_predict'
  model_name: string
  /** Name of the label column. */
  label: string
  counts: ReportCounts
  split: ReportSplit
  /** The classes and their labelled rows; null for regression. */
  classes: { label: string, rows: number }[] | null
  columns: ReportColumn[]
  /** Every member that was fitted; `weight` is its share in the model, 0 if it was not taken. */
  leaderboard: ReportMember[]
  loss_name: LossName
  evaluated_on: 'test' | 'cross_validation'
  evaluated_rows: number
  metrics: ReportMetric[]
  calibration: ReportCalibration | null
  confusion: ReportConfusion | null
  residuals: ReportResiduals | null
  /** Shares of the influence on the predictions, descending. */
  importance: { feature: string, share: number }[]
  explanation: ReportExplanation
  /** The rows with the worst predictions, the worst first. */
  worst_rows: ReportRow[]
  warnings: { code: string, message: string, count: number }[]
  /** Seconds by stage. */
  timings: Record<string, number>
  dataset_hash: string
  engine_version: string
}

export type ProblemType = 'binary' | 'multiclass' | 'regression' | 'quantile'

export type LossName = 'log_loss' | 'rmse' | 'pinball'

export interface ReportCounts {
  num_samples: number
  labeled: number
  unlabeled: number
  predicted: number
  training: number
  test: number
}

export interface ReportSplit {
  kind: 'stratified' | 'random' | 'time_ordered'
  /** The share of the labelled rows that the model learned from. */
  train_ratio: number
  /** How many parts are held back in turn; 1: only one part is held back. */
  folds: number
  /** How often the parts were drawn. */
  repeats: number
  /** A 64-bit integer, as text. */
  seed: string
}

export interface ReportColumn {
  name: string
  role: string
  /** Distinct values in the training rows. */
  distinct: number
  missing: number
  /** Whole sentences: why the column has this role, and what to be careful about. */
  notes: string[]
}

export interface ReportMember {
  member: string
  loss: number
  weight: number
  seconds: number
}

/** One metric of the model with its 95 % interval, and the same metric of two simple models. */
export interface ReportMetric {
  name: string
  value: number | null
  low: number | null
  high: number | null
  baseline: number | null
  linear: number | null
}

export interface ReportCalibration {
  /** The method that was kept; null if the probabilities were left as they are. */
  method: string | null
  /** Log loss on held-back rows without the method; null if none was tried. */
  before: number | null
  /** The same with the method, on rows that it was not fitted on. */
  after: number | null
  /** Mean predicted probability against the share that came true, one point per bin. */
  curve: { predicted: number, observed: number, rows: number }[]
}

/** Rows are actual classes, columns predicted ones. */
export interface ReportConfusion {
  labels: string[]
  counts: number[][]
}

export interface ReportResiduals {
  points: { predicted: number, actual: number }[]
  /** Share of the rows inside the 80 % interval. */
  coverage_80: number
  /** Mean width of the 80 % interval. */
  width_80: number
}

export interface ReportExplanation {
  /** The share of the model, by weight, whose attributions are exact. */
  exact_share: number
  /** The share of the model's variance that the surrogate explains; null if none was needed. */
  surrogate_fidelity: number | null
  max_additivity_error: number
}

export interface ReportRow {
  /** Number of the row in the file, counted from 0. */
  row_index: number
  actual: string
  prediction: string
  loss: number
  cells: { column: string, value: string }[]
}
