import * as native from '#native'
import type { DataProfile } from '../domain/data-profile.ts'
import type { ColumnType, DatasetInspection } from '../domain/dataset-inspection.ts'
import type { DatasetProfile } from '../domain/dataset-profile.ts'
import type { Compression, FileFormat, TableFormat } from '../domain/files.ts'
import type { DatasetColumns, HierarchyColumns, ReconciliationMethod, ReconciliationWeights,
  TopDownMethod } from '../domain/forecast-spec.ts'
import type { JobWarning } from '../domain/job-result.ts'
import type { TableLimits } from '../domain/limits.ts'
import type { KnownColumns } from '../domain/prompt-reading.ts'
import type { ReconciliationSummary } from '../domain/reconciliation-summary.ts'
import type { TablePreview } from '../domain/table-preview.ts'
import { datasetOptions, type CheckOptions } from './dataset-options.ts'
import { createTask, type EngineTask } from './engine-task.ts'
import { explainOptions } from './explain-options.ts'
import { toEngineError, unwrap } from './reply.ts'
import type { KeptDataset } from './survey.ts'
import { defined } from '../domain/defined.ts'

export interface CheckResult {
  profile: DatasetProfile
  warnings: JobWarning[]
}

export interface ForecastOptions extends CheckOptions {
  parquetPath: string
  csvPath: string
  /** The CSV is given up, and its file removed, once it would grow beyond this many bytes. */
  maxCsvBytes: number
  /** What was in the data, how the models were weighed, and how they did in the backtest, as JSON. */
  reportPath: string
  /** Wall clock that the run should keep to; the last series get cheaper models when it runs short. */
  budgetSeconds: number
  /** The rows that its survey has left; absent: the files are read. */
  kept?: KeptDataset
  /** The file to write of what was found in the series, as JSON; absent: nothing is looked for. */
  findingsPath?: string
  /** Of a forecast with `spec.explainability`, which is not analysed without it. */
  analyses?: AnalysesOptions
}

export interface AnalysesOptions {
  /**
   * A folder that is there: `analyses.json`, with a plot `plot.json` too, and the tables of the analyses go into it.
   */
  folder: string
  /** Without it a rolling regression is skipped as `disabled_by_operator`. */
  rollingRegressionAllowed: boolean
}

export interface ForecastSummary {
  /** Series of the dataset. */
  numItems: number
  /** Rows of the forecast table: series times horizon, the aggregates of a hierarchy included. */
  rows: number
  /** Canonical alias. */
  freq: string
  datasetHash: string
  /**
   * Seconds by stage: ingest, validate, fit, predict, write, and reconcile and explain (findings and analyses) where
   * that was done.
   */
  timings: Record<string, number>
  warnings: JobWarning[]
  csvWritten: boolean
  /** Only of a forecast with `spec.reconciliation`. */
  reconciliation?: ReconciliationSummary
}

export interface FineTuneOptions extends Omit<CheckOptions, 'modelPath'> {
  /** The file to write. */
  modelPath: string
  /** What training and combination make small. */
  loss: 'mae' | 'mse' | 'rmse' | 'mape' | 'smape' | 'wql'
  /** Horizons at the end of each series that the model is judged on, 1 to 5. */
  validationWindows: number
  /** Wall clock that the run should keep to; training ends earlier when it runs short. */
  budgetSeconds: number
}

/** null: nothing could be held back, or every actual value is 0. */
export type ErrorMeasures = Record<FineTuneOptions['loss'], number | null>

export interface FineTuneSummary {
  /** Series of the dataset. */
  numItems: number
  /** Data rows. */
  rows: number
  /** Canonical alias. */
  freq: string
  datasetHash: string
  /** Seconds by stage, as of a forecast. */
  timings: Record<string, number>
  warnings: JobWarning[]
  /** Names of the covariates that the model needs. */
  covariates: string[]
  /** Names of the features that it makes of each series. */
  features: string[]
  /** On the windows: of the model, trained without them, and of `spec.preset`. */
  metrics: { candidate: ErrorMeasures, baseline: ErrorMeasures }
  sizeBytes: number
}

export interface PreviewOptions {
  /** A local file with the first bytes of the table. */
  inputPath: string
  /** The table goes on behind them. */
  cut: boolean
  maxRows: number
  maxColumns: number
}

export interface ProfileDataOptions {
  /** Files that are one table, in this order. */
  inputPaths: string[]
  /** Of a spreadsheet the first sheet is read. */
  format: FileFormat
  compression: Compression | null
  /** Columns whose roles are known; the others are found. */
  columns: KnownColumns
  limits: TableLimits
  /** Threads of this call; results do not depend on it. */
  threads: number
}

export interface InspectOptions {
  /** Files that are one table, in this order. */
  inputPaths: string[]
  /** Of a spreadsheet the first sheet is read. */
  format: FileFormat
  compression: Compression | null
  /** `covariates`: those that are said to be known for the steps that are forecast. */
  columns: DatasetColumns
  /** Columns that say which series a row belongs to, instead of the item id column. */
  hierarchy?: HierarchyColumns
  /** The frequency that the data should have; null: any. */
  freq: string | null
  /** `stopAfter`: data rows after which the read ends and the inspection is `truncated`; null: it reads all. */
  limits: TableLimits & { stopAfter: number | null }
  threads: number
}

export interface ConvertOptions {
  parquetPath: string
  /** The file to make. */
  path: string
  format: TableFormat
}

export interface ReconcileOptions {
  /** One a node, each before its children; -1 for the first, the root. */
  parents: Int32Array
  /** Base forecasts: nodes x steps, node by node. */
  base: Float64Array
  steps: number
  method: ReconciliationMethod
  /** Of `min_trace`. */
  weights?: ReconciliationWeights
  /** Of `top_down`. */
  topDownMethod?: TopDownMethod
  /** For `top_down`: one a leaf, in the order of the nodes; any scale. */
  shares?: Float64Array
  /** For `wls_var`: one a node; without them they are taken from `residuals`. */
  variances?: Float64Array
  /** For `wls_var` and `shrink`: errors of base forecasts, as many a node, node by node, NaN where one is missing. */
  residuals?: Float64Array
  /** No value may come out below zero. */
  nonNegative: boolean
}

export interface ReconciledForecasts {
  /** Nodes x steps, node by node. */
  values: Float64Array
  /**
   * The largest |parent - sum of its children| of the base forecasts, and of `values`, where it is a rounding error.
   */
  maxIncoherenceBefore: number
  maxIncoherenceAfter: number
  /** How far `shrink` drew the covariance towards its diagonal, 0 to 1. */
  shrinkage: number | null
  /** How often something was put right or given up. */
  counts: native.ReconciliationCounts
}

/** Reads the dataset and says what is in it or what is wrong with it; throws `EngineError`. */
export async function check (options: CheckOptions, task: EngineTask = createTask()): Promise<CheckResult> {
  return unwrap(await native.check(datasetOptions(options), task as native.TaskHandle))
}

/** Reads what stands before the rows, however many they are, and throws `EngineError` when that is wrong. */
export async function checkHeader (options: CheckOptions, task: EngineTask = createTask()): Promise<void> {
  const { error } = await native.checkHeader(datasetOptions(options), task as native.TaskHandle)
  if (error !== undefined) throw toEngineError(error)
}

/**
 * Reads the dataset, forecasts every series, and writes the table as Parquet and CSV and the report; throws
 * `EngineError`.
 */
export async function forecast (options: ForecastOptions, task: EngineTask = createTask()): Promise<ForecastSummary> {
  const {
    parquetPath,
    csvPath,
    maxCsvBytes,
    reportPath,
    budgetSeconds,
    findingsPath,
    analyses,
    kept,
    spec: { explainability }
  } = options
  const isAnalysed = analyses !== undefined && explainability !== undefined
  const dataset = {
    ...datasetOptions(options),
    ...(isAnalysed ? { explain: explainOptions(explainability, analyses.rollingRegressionAllowed) } : {})
  }
  const output = {
    ...{ parquetPath, csvPath, maxCsvBytes, reportPath, budgetSeconds },
    ...defined({ findingsPath }),
    ...(isAnalysed ? { analysesDir: analyses.folder } : {})
  }
  const { timings, reconciliation, ...rest } = unwrap(
    await native.forecast(dataset, output, kept, task as native.TaskHandle)
  )
  return {
    ...rest,
    timings: { ...timings },
    ...(reconciliation === undefined ? {} : { reconciliation: reconciliation as ReconciliationSummary })
  }
}

/**
 * Trains one model for all series of the dataset and writes it to `modelPath`, to be used by `forecast`; throws
 * `EngineError`.
 */
export async function fineTune (options: FineTuneOptions, task: EngineTask = createTask()): Promise<FineTuneSummary> {
  const { modelPath, loss, validationWindows, budgetSeconds, ...dataset } = options
  const tuning = { modelPath, loss, validationWindows, budgetSeconds }
  const { timings, metrics, ...rest } = unwrap(
    await native.fineTune(datasetOptions(dataset), tuning, task as native.TaskHandle)
  )
  return {
    ...rest,
    timings: { ...timings },
    metrics: { candidate: errorMeasures(metrics.candidate), baseline: errorMeasures(metrics.baseline) }
  }
}

/** Reads the beginning of a CSV file in any encoding that it can tell; throws `EngineError`. */
export async function preview (options: PreviewOptions, task: EngineTask = createTask()): Promise<TablePreview> {
  const { quote, detected, ...rest } = unwrap(await native.preview({ ...options }, task as native.TaskHandle))
  const { timestamp, target, itemId, frequency } = detected
  return {
    ...rest,
    quote: quote ?? null,
    detected: {
      timestamp: timestamp ?? null,
      target: target ?? null,
      itemId: itemId ?? null,
      frequency: frequency ?? null
    }
  }
}

/**
 * Says what is in a file that nobody has said anything about; throws `EngineError` only for a file that is no table, or
 * lacks a column of `columns`.
 */
export async function profileData (options: ProfileDataOptions, task: EngineTask = createTask()): Promise<DataProfile> {
  const { inputPaths, format, compression, columns: { itemId, timestamp, target }, limits, threads } = options
  const { maxRows, maxColumns, maxSeries, maxCellChars } = limits
  const { columns, roles, series, unreadable } = unwrap(await native.profileData({
    inputPaths,
    format,
    ...(compression === null ? {} : { compression }),
    columns: defined({ itemId, timestamp, target }),
    limits: { maxRows, maxColumns, maxSeries, maxCellChars },
    threads
  }, task as native.TaskHandle))
  return {
    columns: columns.map(({ kind, min, max, ...rest }) => ({
      ...rest,
      kind: kind as ColumnType,
      min: min ?? null,
      max: max ?? null
    })),
    roles: { ...roles, timestamp: roles.timestamp ?? null, target: roles.target ?? null, itemId: roles.itemId ?? null },
    series: series === undefined ? null : { ...series, freq: series.freq ?? null },
    unreadable: unreadable ?? null
  }
}

/**
 * Reads the dataset and reports every check of its content; throws `EngineError` only for a file that is no dataset at
 * all.
 */
export async function inspect (options: InspectOptions, task: EngineTask = createTask()): Promise<DatasetInspection> {
  const found = unwrap(await native.inspect(inspectOptions(options), task as native.TaskHandle))
  return {
    rowCount: found.rowCount ?? null,
    numItems: found.numItems ?? null,
    minLength: found.minLength ?? null,
    maxLength: found.maxLength ?? null,
    start: found.start ?? null,
    end: found.end ?? null,
    columns: found.columns as DatasetInspection['columns'],
    inferredFrequency: found.inferredFrequency ?? null,
    checks: found.checks as DatasetInspection['checks'],
    warnings: found.warnings,
    truncated: found.truncated,
    schemaFingerprint: found.schemaFingerprint
  }
}

/** Converts a forecast table that was written as Parquet, a stretch of rows at a time; throws `EngineError`. */
export async function convertTable (options: ConvertOptions, task: EngineTask = createTask()): Promise<void> {
  unwrap(await native.convertTable({ ...options }, task as native.TaskHandle))
}

/**
 * Makes forecasts of all nodes of a tree add up: each parent becomes the sum of its children; throws `EngineError`, and
 * `RangeError` for steps that are no count.
 */
export async function reconcile (options: ReconcileOptions,
  task: EngineTask = createTask()): Promise<ReconciledForecasts> {
  // napi takes any number for a count and lets it wrap.
  if (!Number.isInteger(options.steps) || options.steps < 0 || options.steps >= 2 ** 32) {
    throw new RangeError(`steps must be a count, and ${options.steps} is none`)
  }
  const { shrinkage, ...rest } = unwrap(await native.reconcile({ ...options }, task as native.TaskHandle))
  return { ...rest, shrinkage: shrinkage ?? null }
}

/** napi leaves out what is `None`. */
function errorMeasures ({ mae, mse, rmse, mape, smape, wql }: native.ErrorMeasures): ErrorMeasures {
  return {
    mae: mae ?? null,
    mse: mse ?? null,
    rmse: rmse ?? null,
    mape: mape ?? null,
    smape: smape ?? null,
    wql: wql ?? null
  }
}

function inspectOptions (
  { compression, columns, freq, limits: { stopAfter, ...limits }, ...rest }: InspectOptions
): native.InspectOptions {
  return {
    ...rest,
    ...(compression === null ? {} : { compression }),
    ...(freq === null ? {} : { freq }),
    columns: { ...columns, covariates: columns.covariates ?? [] },
    limits: stopAfter === null ? limits : { ...limits, stopAfter }
  }
}
