/* eslint max-lines: off -- written by `make documents` */
/* What goes to the engine and what comes back, written from the types of `crates`: change those. */

/** The calls by name. */
export interface Calls {
  check: { request: DatasetOptions, reply: Checked<DatasetProfile> }
  checkHeader: { request: DatasetOptions, reply: null }
  checkPreparation: { request: PreparationRequest, reply: null }
  checkTabular: { request: TableOptions, reply: Checked<TabularProfile> }
  convertTable: { request: ConvertOptions, reply: WrittenFile }
  fineTune: { request: TuningOptions, reply: FineTuneSummary }
  forecast: { request: ForecastRequest, reply: ForecastSummary }
  forecastShard: { request: ShardOptions, reply: ShardSummary }
  inspect: { request: InspectOptions, reply: DatasetInspection }
  joinShards: { request: JoinRequest, reply: ForecastSummary }
  planShards: { request: PlanRequest, reply: Planned }
  prepare: { request: PreparationRequest, reply: PreparationSummary }
  preview: { request: PreviewOptions, reply: TablePreview }
  profileData: { request: ProfileDataOptions, reply: DataProfile }
  survey: { request: DatasetOptions, reply: CovariateSurvey }
  tabular: { request: TabularRequest, reply: TabularSummary }
}

/** How several targets are aggregated; missing ones are ignored, and the result is missing if all are. */
export type Aggregate = 'sum' | 'mean' | 'max' | 'min'

/** How to treat anomalies. */
export type AnomalyHandling = 'none' | 'flag' | 'clip' | 'interpolate' | 'remove'

/** A check, in the order of reports. */
export type CheckName =
  | 'required_columns'
  | 'nulls'
  | 'numeric_target'
  | 'duplicates'
  | 'timestamps'
  | 'min_history'
  | 'frequency'
  | 'volume'

/** The outcome of a check. */
export type CheckStatus = 'passed' | 'warning' | 'failed'

/** The result of a check. */
export type Checked<P> = {
  /** The contents of the dataset. */
  profile: P
  /** Warnings for the sender. */
  warnings: Array<JobWarning>
}

/** Caps of a file without series. */
export type ColumnLimits = {
  /** Maximum number of data rows. */
  maxRows: number
  /** Maximum number of columns. */
  maxColumns: number
  /** Maximum number of characters in a cell. */
  maxCellChars: number
}

/**
 * The type of a column's cells. Whole numbers have no type of their own, because a single fraction would change it.
 */
export type ColumnType = 'timestamp' | 'number' | 'boolean' | 'text' | 'empty' | 'other'

/** The compression of a text file (CSV, JSON or JSONL). */
export type Compression = 'gzip' | 'zstd'

/** An error in a dataset, for the person who sent it. */
export type ContentError = {
  /** Stable code in `snake_case`, e.g. `missing_column`. */
  code: string
  /** Class. */
  status: 400 | 413 | 415 | 422
  /** One sentence. */
  message: string
  /** The column concerned. */
  column: string | null
  /** The first data row concerned, 1-based; the header and blank lines are not counted. */
  row: number | null
  /** The first item concerned, shortened like every quoted cell. */
  item: string | null
  /** Number of rows, cells or items concerned. */
  count: number | null
  /** What to do about it. */
  suggestion: string | null
}

/** A conversion of a table that exists as Parquet. */
export type ConvertOptions = {
  /** A table that the engine wrote. */
  parquetPath: string
  /** The file to write. */
  path: string
  /** `json` is an array of objects, `jsonl` one object per line. */
  format: TableFormat
}

/** The steps of the series in one location with the same last observation. */
export type CovariateGrid = {
  /** Degrees north and east, rounded to the hundredth; none: the location of the request. */
  place: { latitude: number, longitude: number } | null
  /** The axis that the grid is a part of. */
  axis: number
  /** Its first step on the axis. */
  first: number
  /** Steps up to the last observation, at least 1. */
  history: number
  /** Steps after the last observation. */
  ahead: number
}

/** The grids of a dataset. */
export type CovariateSurvey = {
  /** Canonical alias of the frequency. */
  freq: string
  /** Season length in steps, at least 1. */
  season: number
  /**
   * Labels of consecutive steps, including future ones; the grids are parts of them. Milliseconds, in the clock time of
   * the dataset.
   */
  axes: number[][]
  /** In the order of the values file. */
  grids: Array<CovariateGrid>
}

/** What is in a file. */
export type DataProfile = {
  /** In the order of the file. */
  columns: Array<ProfiledColumn>
  /** The likely roles of the columns. */
  roles: ProfiledRoles
  /** `None`: the time or the target was not found, or no row could be read with them. */
  series: SeriesProfile | null
  /** Why there are no series, in a sentence for the sender. */
  unreadable: string | null
}

/** A check and its findings. */
export type DatasetCheck = {
  /** Name of the check. */
  check: CheckName
  /** Outcome. */
  status: CheckStatus
  /** Number of rows, items, gaps or columns concerned. */
  count: number
  /** The first five data rows concerned, 1-based, if rows are known. */
  sampleRows: Array<number>
  /** One or more sentences. */
  message: string
}

/** Names of the columns of a panel. */
export type DatasetColumns = {
  /** The column that names the series. */
  itemId: string
  /** The column of times. */
  timestamp: string
  /** The column of observations. */
  target: string
  /** Columns that may help to forecast the target; columns that are not named are not read. */
  covariates?: Array<string>
}

/** The result of an inspection. Row counts are `None` if the columns of the roles could not be read. */
export type DatasetInspection = {
  /** Number of data rows read, including faulty ones. */
  rowCount: number | null
  /** Distinct items. */
  numItems: number | null
  /** Number of valid rows of the shortest item. */
  minLength: number | null
  /** Number of valid rows of the longest item. */
  maxLength: number | null
  /** The earliest timestamp. */
  start: string | null
  /** The latest timestamp. */
  end: string | null
  /** All columns of the file, in its order. */
  columns: Array<InspectedColumn>
  /** The inferred frequency, or the given one in the form found in the data. */
  inferredFrequency: string | null
  /** All checks that were made. */
  checks: Array<DatasetCheck>
  /** Warnings for the sender. */
  warnings: Array<JobWarning>
  /** Whether there are rows after those that were read. */
  truncated: boolean
  /** SHA-256 of the sorted names and types of the columns, in hexadecimal. */
  schemaFingerprint: string
}

/** A forecast request. [`Config::resolve`] is the one place that checks it and fills in defaults. */
export type DatasetOptions = {
  /** The dataset: local files, read as one table in this order. */
  inputPaths: Array<string>
  /** The declared format of the files. */
  format: FileFormat
  /** Compression of text files; none when absent. */
  compression: Compression | null
  /** Sheet of a spreadsheet; the first when absent. */
  sheet: string | null
  /** The roles of the columns. */
  columns: DatasetColumns
  /** Steps to forecast. */
  predictionLength: number
  /** How much work to spend on each series. */
  preset: Preset
  /** Pandas alias; inferred from the timestamps when absent. */
  freq: string | null
  /** In any order, repetitions allowed; 0.1 to 0.9 when empty. */
  quantileLevels: Array<number>
  /** How the output table writes timestamps. */
  timestampFormat: TimestampFormat
  /** How the quantile columns are named. */
  quantileColumnStyle: QuantileColumnStyle
  /** Caps that are enforced while the file is read. */
  limits: TableLimits
  /** Cap on horizon times number of series. */
  maxForecastPoints: number
  /** Cap on the size of the forecast table as CSV in bytes, estimated from the lengths of the item ids. */
  maxOutputBytes: number
  /** Threads that this run may use; results do not depend on it. */
  threads: number
  /**
   * Wall time that the run should keep to. When it runs short, the remaining series are forecast with the preset
   * `fast`; only then do results depend on the speed of the machine. None: no limit.
   */
  budgetSeconds: number | null
  /**
   * Seconds of a core that a shard should take, about; see [`plan`](crate::plan). The row groups of the table depend on
   * it.
   */
  shardSeconds?: number
  /** Coherent forecasts of all sums of a hierarchy. None: only the series are forecast. */
  reconciliation: ReconciliationSpec | null
  /** Calendar and history features that the global models learn from. None: the presets choose their own. */
  featureEngineering: FeatureEngineeringSpec | null
  /** Analyses of the forecast; [`Output`](crate::Output) names their folder. None: no analyses. */
  explain: ExplainOptions | null
  /** Covariates that are not in the file. None: there are none. */
  external: ExternalCovariateOptions | null
  /** A model that [`fine_tune`](crate::fine_tune) wrote; if set, the preset is ignored. */
  modelPath: string | null
  /** Whether [`check`](crate::check) checks for fine-tuning; then covariates need not cover the horizon. */
  isTraining: boolean
}

/** What a dataset contains. */
export type DatasetProfile = {
  /** Data rows. */
  rows: number
  /** Distinct items. */
  series: number
  /** Rows of the shortest series. */
  minLength: number
  /** Rows of the longest series. */
  maxLength: number
  /** About the steps from the first row to the last, of all series together. None in profiles of earlier releases. */
  steps?: number
  /** Canonical alias of the frequency. */
  freq: string
  /** Number of nodes to forecast in a hierarchy: sums and series. */
  nodes?: number
}

/** Guessed roles of columns; `None` if there is nothing to guess from. */
export type DetectedColumns = {
  /** The column of times. */
  timestamp: string | null
  /** The column of observations. */
  target: string | null
  /** The column that names the series. */
  itemId: string | null
  /** Canonical alias. */
  frequency: string | null
}

/** The character encoding of a file. */
export type Encoding = 'utf-8' | 'utf-8-sig' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** An expected failure, as a value. */
export type EngineFailure =
  | { kind: 'content' } & ContentError
  | { kind: 'failed', code: FailureCode, message: string }
  | { kind: 'cancelled', message: string }

/** Errors over all validation windows; none if nothing could be held back, or if every actual value is 0. */
export type ErrorMeasures = {
  /** Mean absolute error. */
  mae: number | null
  /** Mean squared error. */
  mse: number | null
  /** Root mean squared error. */
  rmse: number | null
  /** Mean absolute percentage error over the actual values that are not 0, in percent. */
  mape: number | null
  /** Symmetric mean absolute percentage error, in percent. */
  smape: number | null
  /** Weighted quantile loss over the levels 0.1 to 0.9. */
  wql: number | null
}

/** The `explainability` block of a request: which analyses are run, and their limits. */
export type ExplainOptions = {
  /** Importance of the features. */
  featureImportance: boolean
  /** Shapley values, row by row. */
  shap: boolean
  /** Associations between features. */
  featureFeatureCorrelations: boolean
  /** Associations of the features with the target. */
  featureTargetCorrelations: boolean
  /** The data of the forecast plot. */
  forecastPlot: boolean
  /** Rolling regressions. */
  rollingRegression: boolean
  /** Whether the operator allows rolling regressions. */
  rollingRegressionAllowed: boolean
  /** Number of history steps that the plot shows; none: twice the horizon, at most 120. */
  trailingHistorySteps: number | null
  /** Maximum number of rows in an analysis, at least 50. */
  maxRows: number
  /** Maximum number of features in an analysis, at least 1. */
  maxFeatures: number
  /** Number of features reported for a row in detail, at least 1. */
  topKFeatures: number
  /** Number of rows with reported Shapley values, at least 1. */
  shapSampleSize: number
}

/** Covariates that are not in the file. */
export type ExternalCovariateOptions = {
  /**
   * Columns of the file with the location of a series: latitude and longitude in degrees. None: all series share one
   * location.
   */
  locationColumns: [string, string] | null
  /** The values on the grids of the survey; `values.rs` describes the format. None: there are no values yet. */
  valuesPath: string | null
}

/** Codes of failures that are not the sender's fault; jobs carry them. */
export type FailureCode = 'pipeline_failed' | 'invalid_forecast' | 'storage_error'

/**
 * The `feature_engineering` block of a request: which features are derived from each series.  A list counts only if its
 * switch is on; the numbers are steps, 1 to 10,000.
 */
export type FeatureEngineeringSpec = {
  /** Year, quarter, month, week, day and hour as numbers. */
  timeFeatures: boolean
  /** The same, except the year, as sines and cosines. */
  cyclicalEncoding: boolean
  /** Values at earlier steps, relative to the step that is forecast. */
  lagFeatures: boolean
  /** How many steps earlier. */
  lagPeriods: Array<number>
  /** Rolling statistics of the last values. */
  rollingFeatures: boolean
  /** Window lengths. */
  rollingWindows: Array<number>
  /** Which statistics. */
  rollingStats: Array<RollingStat>
  /** Relative changes of the last value. */
  growthFeatures: boolean
  /** Steps over which the change is measured. */
  growthPeriods: Array<number>
  /** Weekend; first and last day of month, quarter and year. */
  eventFlags: boolean
}

/** A column's share in the predictions. */
export type FeatureShare = { feature: string, share: number }

/** Readable file formats. */
export type FileFormat = 'csv' | 'parquet' | 'xls' | 'xlsx' | 'json' | 'jsonl'

/** How cells are compared. Missing cells are equal to nothing: only `ne` and `not_in` hold for them. */
export type FilterOperator = 'eq' | 'ne' | 'in' | 'not_in' | 'gt' | 'gte' | 'lt' | 'lte' | 'contains' | 'between'

/** Rows removed by a filter. */
export type FilteredRows = {
  /** The column of the filter. */
  column: string
  /** The comparison. */
  op: FilterOperator
  /** The values compared with. */
  values: Array<string>
  /** Number of rows for which it is the first filter that does not hold. */
  rows: number
}

/** The outcome of a fine-tuning; the model itself is in its file. */
export type FineTuneSummary = {
  /** Series of the dataset. */
  numItems: number
  /** Data rows. */
  rows: number
  /** Canonical alias of the frequency. */
  freq: string
  /** SHA-256 of the dataset's canonical rows. */
  datasetHash: string
  /** Seconds by stage. */
  timings: Timings
  /** Warnings for the sender. */
  warnings: Array<JobWarning>
  /** Names of the covariates that the model needs. */
  covariates: Array<string>
  /** Names of the features that the model computes for each series. */
  features: Array<string>
  /** Errors of the model on the validation windows, after training without them. */
  candidate: ErrorMeasures
  /** Errors of the preset on the same windows. */
  baseline: ErrorMeasures
  /** Size of the model file in bytes. */
  sizeBytes: number
}

/** Where the forecast table goes. */
export type ForecastOutput = {
  /** The table as Parquet; always written. */
  parquetPath: string
  /** The table as CSV. */
  csvPath: string
  /** The CSV is abandoned, and its file removed, once it would exceed this size in bytes. */
  maxCsvBytes: number
  /** The report as JSON; always written. */
  reportPath: string
  /** What stands out in the data and the forecasts, as JSON; none: no findings. */
  findingsPath: string | null
  /** An existing folder for `analyses.json` and the files of the analyses; none: no analyses. */
  analysesDir: string | null
}

/** A forecast, and the destinations of its files. */
export type ForecastRequest = { options: DatasetOptions, output: ForecastOutput }

/** The outcome of a run; the rows are in the files. */
export type ForecastSummary = {
  /** Series of the dataset. */
  numItems: number
  /** Rows of the table: number of series, or of nodes of the hierarchy, times horizon. */
  rows: number
  /** Canonical alias of the frequency that was used. */
  freq: string
  /** SHA-256 of the dataset's canonical rows. */
  datasetHash: string
  /** Seconds by stage. */
  timings: Timings
  /** Warnings for the sender. */
  warnings: Array<JobWarning>
  /** Whether the CSV was written; false if it would have exceeded its cap. */
  csvWritten: boolean
  /** The outcome of reconciliation; none without a hierarchy. */
  reconciliation?: ReconciliationSummary
}

/**
 * Columns whose values form, from top to bottom, the path of a series in a tree.  The id of a series is then the
 * composite: the values of its path, joined by the separator. The item id column may be absent; if it exists, it must
 * be one-to-one with the composite.
 */
export type HierarchyColumns = {
  /** 1 to 20 names, the top of the tree first. */
  columns: Array<string>
  /** 1 to 16 characters between the values of a composite, which no value contains. */
  separator: string
  /** Id of the grand total, which no other node may have. */
  totalLabel: string
}

/** A level of a hierarchy. */
export type HierarchyLevel = {
  /** Name of its column, or its number. */
  name: string
  /** Number of nodes. */
  numNodes: number
}

/** Which rows are predicted. */
export type InferenceMode = 'train_evaluate' | 'train_predict'

/** A dataset to inspect; [`inspect`] checks the frequency alias. */
export type InspectOptions = {
  /** The dataset: local files, read as one table in this order. */
  inputPaths: Array<string>
  /** Of a spreadsheet, the first sheet is read. */
  format: FileFormat
  /** Compression of text files; none when absent. */
  compression: Compression | null
  /** The roles of the columns; the covariates are those declared as known for the future. */
  columns: DatasetColumns
  /** Columns that identify the series of a row; none: the item id column does. */
  hierarchy: HierarchyColumns | null
  /** Pandas alias that the data should have; none: any. */
  freq: string | null
  /** Caps, and the row after which reading stops. */
  limits: TableLimits
  /** Threads for reading; the outcome does not depend on it. */
  threads: number
}

/** A column of the file. */
export type InspectedColumn = {
  /** Its name. */
  name: string
  /** The type of its first [`PROFILED_ROWS`] cells. */
  type: ColumnType
  /** Number of missing cells among them. */
  nulls: number
}

/** Something that was corrected while reading, and that the sender should know. */
export type JobWarning = {
  /** Stable code in `snake_case`, e.g. `mixed_time_zones`. */
  code: string
  /** A sentence. */
  message: string
  /** Number of rows concerned. */
  count: number
}

/** The parts of a run. */
export type JoinOptions = {
  /** `plan.bin`. */
  planPath: string
  /** `explained.bin`. */
  explainedPath: string
  /** The folders of all shards, in their order. */
  parts: Array<string>
  /** The fine-tuned model of the plan; none if it has none. */
  modelPath: string | null
  /** Threads of this call; results do not depend on it. */
  threads: number
  /** Wall time that the explanations should keep to; none: no limit. */
  budgetSeconds: number | null
}

/** The parts of a forecast, and the destinations of its files. */
export type JoinRequest = { options: JoinOptions, output: ForecastOutput }

/** Names of columns whose roles are known; the other roles are guessed. */
export type KnownColumns = {
  /** The column of times. */
  timestamp?: string
  /** The column of observations. */
  target?: string
  /** The column that names the series. */
  itemId?: string
}

/** How to treat steps between the first and the last value of a series that have no row, or a row without a target. */
export type MissingDataHandling = 'ffill' | 'bfill' | 'interpolate' | 'zero' | 'mean' | 'drop' | 'none'

/** A forecast in shards. */
export type PlanRequest = { options: DatasetOptions
/** Where the files go if there is a single shard. */
output: ForecastOutput
/** An empty folder for the plan and the rows of its shards. */
folder: string
}

/** What [`plan`] did. */
export type Planned = {
  /** Number of shards. */
  shards: number
  /** The whole run, if its series are a single shard: its files are written. */
  summary?: ForecastSummary
}

/** A preparation whose aliases are not resolved yet. [`Request::resolve`] is the one place that resolves them. */
export type PreparationRequest = {
  /** The dataset: files that form one table, in this order. */
  inputPaths: Array<string>
  /** The declared format of the files. */
  format: FileFormat
  /** Compression of text files. */
  compression: Compression | null
  /** Sheet of a spreadsheet; the first when absent. */
  sheet: string | null
  /** The roles of the columns. */
  columns: DatasetColumns
  /** Columns that name the series instead of the item id, and are kept; none: the item id names them. */
  hierarchy: HierarchyColumns | null
  /** Pandas alias of the data's step; inferred if it is needed and absent. */
  freq: string | null
  /** Caps that are enforced while the files are read. */
  limits: TableLimits
  /** Threads that this call may use; results do not depend on it. */
  threads: number
  /** A row is used if all of them hold. */
  filters: Array<RowFilter>
  /** Columns whose values together name a series instead of the item id; empty: all rows are one series. */
  seriesColumns: Array<string> | null
  /** Pandas alias of the steps that rows are combined into. */
  step: string | null
  /** How targets of one series and step are aggregated. */
  aggregate: Aggregate
  /** How targets of one series and time are aggregated before that; as `aggregate` when absent. */
  across: Aggregate | null
  /** How to treat steps without a value. */
  missing: MissingDataHandling
  /** How to treat anomalies. */
  anomalies: AnomalyHandling
  /** The Parquet file to write. */
  output: string
}

/** The summary, in numbers. */
export type PreparationSummary = {
  /** Number of rows of the table. */
  rowsRead: number
  /** Number of rows for which all filters hold. */
  rowsUsed: number
  /** Rows removed by each filter, in their order. */
  filtered: Array<FilteredRows>
  /** Number of series of the table's rows. */
  seriesBefore: number
  /** Number of series written. */
  seriesAfter: number
  /** Number of used rows combined with an earlier row of their series and step. */
  rowsCombined: number
  /** Of these, the rows with the same time as an earlier one of their series. */
  rowsCombinedAcross: number
  /**
   * Number of periods at the beginning and the end that the data cover only partly, 0 to 2: their sums would be too
   * small, and their extremes may be missing.
   */
  incompletePeriodsDropped: number
  /** Number of steps filled, over all series. */
  stepsFilled: number
  /** Number of steps left out because they had no value. */
  stepsDropped: number
  /** Anomalies. */
  anomalies: PreparedAnomalies
  /** Warnings for the sender. */
  warnings: Array<JobWarning>
}

/** Anomalies in numbers. */
export type PreparedAnomalies = {
  /** Number found. */
  found: number
  /** How many of them were replaced or removed. */
  changed: number
  /** The first 20, by series and time. */
  examples: Array<PreparedAnomaly>
}

/** An anomaly. */
export type PreparedAnomaly = {
  /** Its series; an ellipsis replaces everything after 200 characters. */
  itemId: string
  /** Its step; ISO 8601 in documents. */
  timestamp: string
  /** Its value in the data, after grouping. */
  value: number
  /** The replacement; none if it was not replaced. */
  usedInstead: number | null
}

/** How much work to spend on each series. */
export type Preset = 'fast' | 'balanced' | 'best'

/** The content of a cell. */
export type PreviewCell = null | boolean | number | string

/** A preview request. */
export type PreviewOptions = {
  /** A file with the first bytes of the table. */
  inputPath: string
  /** Whether the table continues after these bytes, possibly in the middle of a character. */
  cut: boolean
  /** Maximum number of rows to return. */
  maxRows: number
  /** Maximum number of columns of a table. */
  maxColumns: number
}

/** The kind of prediction. */
export type ProblemType = 'binary' | 'multiclass' | 'regression' | 'quantile'

/** A file to profile. */
export type ProfileDataOptions = {
  /** Local files, read as one table in this order. */
  inputPaths: Array<string>
  /** Of a spreadsheet, the first sheet is read. */
  format: FileFormat
  /** Compression of text files; none when absent. */
  compression: Compression | null
  /** Columns whose roles are known. */
  columns: KnownColumns
  /** Caps. */
  limits: TableLimits
  /** Threads for reading; the outcome does not depend on it. */
  threads: number
}

/** A column, over all its cells. */
export type ProfiledColumn = {
  /** Its name. */
  name: string
  /** Type of its cells. */
  kind: ColumnType
  /** Number of cells without a value. */
  nulls: number
  /** Number of distinct values; 10,000 means at least as many. */
  distinct: number
  /**
   * The most frequent values of a column that has up to 1,000 distinct ones: at most 200 values of up to 100 bytes most
   * frequent first, equally frequent ones in the order of the file. Wide tables have fewer.
   */
  values: Array<string>
  /** The smallest number, for a numeric column. */
  min: number | null
  /** The largest number. */
  max: number | null
  /** Whether each series has a single value of it. */
  isStatic: boolean
  /** Whether there are rows after the last target, all with a value of it. */
  isKnownAhead: boolean
}

/** Names of columns by role. */
export type ProfiledRoles = {
  /** The column of times. */
  timestamp: string | null
  /** The column of observations. */
  target: string | null
  /** The column that names the series; `None`: there is one series, or several columns together name them. */
  itemId: string | null
  /** Other possible targets, best first. */
  otherTargets: Array<string>
  /** Other columns of timestamps. */
  otherTimestamps: Array<string>
}

/** How the columns of quantiles are named. */
export type QuantileColumnStyle = 'raw' | 'prefixed'

/** Some columns of a file. All names are distinct. */
export type ReadColumnsOptions = {
  /** A local file. */
  inputPath: string
  /** The declared format of the file. */
  format: FileFormat
  /** Columns of times. */
  times: Array<string>
  /** Columns of numbers. */
  numbers: Array<string>
  /** Caps for the whole file. */
  limits: ColumnLimits
  /** Threads of this call; results do not depend on it. */
  threads: number
}

/** Weights that could not be estimated, and what was used instead. */
export type ReconciliationFallback = {
  /** The requested weights. */
  from: ReconciliationWeights
  /** The weights that were used. */
  to: ReconciliationWeights
  /** One sentence. */
  reason: string
}

/** The name of a method, without its details. */
export type ReconciliationMethod = 'bottom_up' | 'top_down' | 'min_trace'

/** The requested hierarchy and reconciliation method. */
export type ReconciliationSpec = {
  /** Grouping columns, top to bottom; if there are none, the item ids are split at the separator. */
  hierarchyColumns: Array<string>
  /** The reconciliation method. */
  method: ReconciliationMethod
  /** For `min_trace` only. */
  weights: ReconciliationWeights
  /** For `top_down` only. */
  topDownMethod: TopDownMethod
  /** Separator of the parts of an id. */
  separator: string
  /** Id of the grand total. */
  totalLabel: string
  /** Number of held-back stretches of history from which the weights of `wls_var` and `shrink` are estimated. */
  residualWindows: number
}

/** The outcome of reconciliation. */
export type ReconciliationSummary = {
  /** The method that was used in the end; `fallback` is set if it differs from the requested one. */
  method: ReconciliationMethod
  /** The weights that were used; `min_trace` only. */
  weights?: ReconciliationWeights
  /** `top_down` only. */
  topDownMethod?: TopDownMethod
  /** From the grand total to the bottom. */
  levels: Array<HierarchyLevel>
  /** Number of nodes of all levels. */
  numSeries: number
  /** Number of nodes of the last level. */
  numBottom: number
  /** Id of the grand total. */
  totalLabel: string
  /** Separator of the parts of an id. */
  separator: string
  /** Number of stretches of history held back to estimate weights. */
  residualWindowsUsed: number
  /** Shrinkage intensity of the error covariance, 0 to 1; only for the weights `shrink`. */
  shrinkage?: number
  /** The largest difference between a mean and the sum of its children's means, before reconciliation. */
  maxIncoherenceBefore: number
  /** The same after reconciliation, in the decimals that are written. */
  maxIncoherenceAfter: number
  /** Set if other weights than the requested ones were used. */
  fallback?: ReconciliationFallback
  /** Warnings as sentences. */
  warnings: Array<string>
}

/** The covariance that `min_trace` assumes for the errors of the base forecasts. */
export type ReconciliationWeights = 'ols' | 'wls_struct' | 'wls_var' | 'shrink'

/** The result of a call. */
export type Reply<T> = { value: T } | { error: EngineFailure }

/** A statistic of the last values. */
export type RollingStat = 'mean' | 'std' | 'min' | 'max'

/** A condition on the cells of one column. */
export type RowFilter = {
  /** Any column of the table. */
  column: string
  /** How its cells are compared. */
  op: FilterOperator
  /** The values to compare with: two for `between`, one or more for `in` and `not_in`, otherwise one. */
  values: Array<string>
}

/** Figures about the series. */
export type SeriesProfile = {
  /** Data rows of the file. */
  totalRows: number
  /** Series with a readable row. */
  numItems: number
  /** Rows of the shortest series, up to its last target. */
  minLength: number
  /** Rows of the longest series, likewise. */
  maxLength: number
  /** Mean number of rows per series. */
  avgLength: number
  /** Canonical alias; `None`: irregular. */
  freq: string | null
  /** Share of the steps between the first and the last target of each series that have no target. */
  missingness: number
  /** The largest number of steps by which a series starts after the earliest time of all. */
  leadingGap: number
  /** The largest number of steps by which a series ends before the latest time of all. */
  trailingGap: number
  /** Whether any target is negative. */
  hasNegatives: boolean
  /** Whether there are targets on Saturdays and on Sundays. */
  coversWeekends: boolean
  /** The smallest target. */
  min: number
  /** The largest target. */
  max: number
  /** Season lengths in steps that the values support, strongest first. */
  seasonality: Array<number>
  /** Columns that move with the target, strongest first. */
  suspectedCovariates: Array<string>
  /** Columns with nested values, from the coarsest to the finest, or the columns that together name the series. */
  hierarchyColumns: Array<string>
  /** The first time with a target. */
  start: string
  /** The last time with a target. */
  end: string
  /** Number of rows after the last target of their series. */
  futureRows: number
  /** The same for the series with the fewest such rows. */
  leastFutureRows: number
}

/** One shard to forecast. */
export type ShardOptions = {
  /** `plan.bin`. */
  planPath: string
  /** `series-N.bin`. */
  seriesPath: string
  /** An existing folder for `part.bin`, `forecast.parquet` and, if it is short enough, `forecast.csv`. */
  folder: string
  /** The CSV of the shard is abandoned beyond this size in bytes. */
  maxCsvBytes: number
  /** The fine-tuned model of the plan; none if it has none. */
  modelPath: string | null
  /** Threads of this call; results do not depend on it. */
  threads: number
  /** Wall time that the shard should keep to; none: no limit. See [`Options`](crate::Options). */
  budgetSeconds: number | null
}

/** The outcome of a shard; the rows are in the files. */
export type ShardSummary = {
  /** Series of the shard. */
  series: number
  /** Seconds by stage. */
  timings: Timings
  /** Whether the CSV was written. */
  csvWritten: boolean
}

/** A column and its first fault. */
export type TableColumn = {
  /** Its name. */
  name: string
  /** The first cell that is not empty and does not fit the purpose of its column. */
  wrong: WrongCell | null
}

/** Columns of equal length: the requested ones that exist in the file, times first, in the order of the request. */
export type TableColumns = { columns: Array<TableColumn> }

/** A format to which a table's Parquet file can be converted. */
export type TableFormat = 'csv' | 'json' | 'jsonl'

/** Caps that are enforced while reading. */
export type TableLimits = {
  /** Maximum number of data rows. */
  maxRows: number
  /** Maximum number of columns of the file, used or not. */
  maxColumns: number
  /** Maximum number of distinct item ids. */
  maxSeries: number
  /** Maximum number of characters in a cell. */
  maxCellChars: number
  /**
   * Number of data rows after which a reader stops as if the file ended there; more rows are then no error. `None`: it
   * reads all.
   */
  stopAfter?: number | null
}

/** A job request. [`Config::resolve`] is the one place that checks it. */
export type TableOptions = {
  /** The table: local files, read as one table in this order. */
  inputPaths: Array<string>
  /** The declared format of the files. */
  format: FileFormat
  /** Compression of text files; none when absent. */
  compression: Compression | null
  /** Sheet of a spreadsheet; the first when absent. */
  sheet: string | null
  /** `classification` or `regression`. */
  task: string
  /** The column to predict. */
  labelColumn: string
  /** `auto`; `binary` or `multiclass` for a classification; `regression` or `quantile` for a regression. */
  problemType: string
  /** `auto`, `train_evaluate` or `train_predict`. */
  inferenceMode: string
  /** Share of the labelled rows that an evaluation trains on, 0.5 to 0.95. */
  trainSplitRatio: number
  /** Share of the rows that each fold holds back, 0.05 to 0.5. */
  validationHoldoutRatio: number
  /** Column by whose order rows are split, with the last ones held back; random when absent. */
  timeColumn: string | null
  /** Caps that are enforced while the file is read. */
  limits: TableLimits
  /** Threads that this run may use; results do not depend on it. */
  threads: number
  /**
   * Wall time that the run should keep to. When it runs short, fewer members take part; only then do results depend on
   * the speed of the machine. None: no limit.
   */
  budgetSeconds: number | null
  /** The analyses of the predictions; none when absent. Those that only suit a forecast do not apply to a table. */
  explain: ExplainOptions | null
}

/** The first rows of a table. */
export type TablePreview = {
  /** Names, without blanks around them. */
  columns: Array<string>
  /** Each row has as many cells as there are columns. */
  rows: Array<Array<PreviewCell>>
  /** Whether the table continues after these rows. */
  truncated: boolean
  /** The delimiter of the cells. */
  delimiter: string
  /** The character encoding. */
  encoding: Encoding
  /** The quote of cells; `None` if no cell is quoted. */
  quote: string | null
  /** The likely roles of the columns. */
  detected: DetectedColumns
}

/** Metrics; each is omitted if it belongs to the other task, or is undefined for these rows. */
export type TabularMetrics = {
  /** Share of the rows whose most likely class is correct. */
  accuracy?: number
  /** Mean recall over the classes. */
  balancedAccuracy?: number
  /** Mean negative logarithm of the probability of the actual class. */
  logLoss?: number
  /** Area under the receiver operating characteristic; for several classes the mean of each against the rest. */
  rocAuc?: number
  /** Share of the variance explained. */
  r2?: number
  /** Root mean squared error, in units of the label. */
  rmse?: number
  /** Mean absolute error, in units of the label. */
  mae?: number
}

/** The findings of a classification or regression, besides its files. */
export type TabularOutcome = {
  /** Number of data rows, with and without a label. */
  numSamples: number
  /** Number of rows with a label. */
  labeledRowCount: number
  /** Number of rows without a label. */
  unlabeledRowCount: number
  /** Number of predicted rows. */
  predictedRowCount: number
  /** The resolved problem type. */
  problemType: ProblemType
  /** The resolved inference mode. */
  inferenceMode: InferenceMode
  /** Omitted for a regression. */
  accuracy?: number
  /** Metrics on rows that the models did not learn from. */
  metrics: TabularMetrics
  /** Descending shares, not negative, which sum to 1; the 50 largest, and the rest as `__other__`. */
  featureImportance: Array<FeatureShare>
  /** Name of the model. */
  modelName: string
}

/** Where the files go. */
export type TabularOutput = {
  /** The table as Parquet; always written. */
  parquetPath: string
  /** The table as CSV. */
  csvPath: string
  /** The CSV is abandoned, and its file removed, once it would exceed this size in bytes. */
  maxCsvBytes: number
  /** The metrics as JSON; always written. */
  metricsPath: string
  /** The report as JSON; always written. */
  reportPath: string
  /**
   * An existing folder for the results of the analyses: `analyses.json` and one CSV each. None, or options without
   * analyses: no analyses.
   */
  analysesDir: string | null
}

/** What a table contains, as far as a job needs to know. */
export type TabularProfile = {
  /** Number of data rows. */
  rows: number
  /** Number of columns. */
  columns: number
  /** Number of rows with a label. */
  labeledRows: number
  /** Number of classes; 0 for a regression. None in profiles of earlier releases. */
  classes?: number
}

/** A classification or regression, and the destinations of its files. */
export type TabularRequest = { options: TableOptions, output: TabularOutput }

/** A finished run; the predictions are in the files. */
export type TabularSummary = {
  /** The findings. */
  outcome: TabularOutcome
  /** SHA-256 of the table's canonical content, in hexadecimal. */
  datasetHash: string
  /** Seconds by stage. */
  timings: TabularTimings
  /** Warnings for the sender. */
  warnings: Array<JobWarning>
  /** Whether the CSV was written. */
  csvWritten: boolean
}

/** Seconds by stage, with the names of a forecast's stages; stages do not overlap. */
export type TabularTimings = {
  /** Reading the files. */
  ingest: number
  /** Checking labels, column types and split. */
  validate: number
  /** Learning. */
  fit: number
  /** Weights, calibration and evaluation. */
  predict: number
  /** Analyses; omitted if none was requested. */
  explain?: number
  /** Writing the files. */
  write: number
}

/** The form of timestamps in CSV and their type in Parquet. */
export type TimestampFormat = 'pandas' | 'iso8601'

/** Seconds by stage. Stages do not overlap, so their sum is at most the wall time of the run. */
export type Timings = {
  /** Reading the file. */
  ingest: number
  /** Frequency, grids and caps. */
  validate: number
  /** Fitting models, including the backtest that weights them and calibrates their intervals. */
  fit: number
  /** Predicting with the fitted models, combining, guarding. */
  predict: number
  /**
   * Making the forecasts of a hierarchy coherent, including the errors and shares it needs from the past; omitted
   * without a hierarchy.
   */
  reconcile?: number
  /** Findings and analyses; omitted if neither was requested. */
  explain?: number
  /** Writing the table. */
  write: number
}

/** The source of the shares of `top_down`. The first two only differ in how the caller computes them from the past. */
export type TopDownMethod =
  | 'proportions_of_historical_totals'
  | 'average_historical_proportions'
  | 'forecast_proportions'

/** The loss that training and combination minimise. */
export type TrainingLoss = 'mae' | 'mse' | 'rmse' | 'mape' | 'smape' | 'wql'

/** A fine-tuning request. */
export type TuningOptions = {
  /**
   * The dataset, its columns and caps, and the forecast settings; the preset is the one the model is compared with.
   */
  forecast: DatasetOptions
  /** The file to write the model to. */
  modelPath: string
  /** The loss that training and combination minimise. */
  loss: TrainingLoss
  /** Number of horizons at the end of each series on which the model is judged, 1 to 5. */
  validationWindows: number
}

/** A finished file. */
export type WrittenFile = {
  /** Its size in bytes, compared with the file system's. */
  bytes: number
  /** Data rows. */
  rows: number
}

/** A cell. */
export type WrongCell = {
  /** Its data row, 1-based. */
  row: number
  /** Its text. */
  text: string
}
