import type { DataProfile } from '../domain/data-profile.ts'
import type { DatasetInspection } from '../domain/dataset-inspection.ts'
import type { DatasetProfile } from '../domain/dataset-profile.ts'
import type { Calls, Checked, ConvertOptions, FineTuneSummary, ForecastSummary, InspectOptions, PreviewOptions,
  ProfileDataOptions, TuningOptions } from '../domain/engine-documents.ts'
import type { TablePreview } from '../domain/table-preview.ts'
import { call } from './call.ts'
import { datasetOptions, type CheckOptions } from './dataset-options.ts'
import { createTask, type EngineTask } from './engine-task.ts'
import { explainOptions } from './explain-options.ts'
import type { KeptDataset } from './survey.ts'
import { defined } from '../platform/defined.ts'

export interface ForecastOptions extends CheckOptions {
  parquetPath: string
  csvPath: string
  /** If the CSV would grow beyond this many bytes, the engine stops writing it and removes the file. */
  maxCsvBytes: number
  /** Where to write the report, as JSON: the data, the weights of the models, and their scores in the backtest. */
  reportPath: string
  /** Wall time that the run should keep to; if it runs short, the last series get cheaper models. */
  budgetSeconds: number
  /** About how many seconds of a core a shard takes. The table is cut into row groups by it, in one process too. */
  shardSeconds?: number
  /** The rows that the survey kept; absent: the files are read. */
  kept?: KeptDataset
  /** Where to write the findings about the series, as JSON; absent: the engine looks for none. */
  findingsPath?: string
  /** Needed for a forecast with `spec.explainability`, which is not analysed without it. */
  analyses?: AnalysesOptions
}

export interface AnalysesOptions {
  /** An existing folder for `analyses.json`, the tables of the analyses and, if there is a plot, `plot.json`. */
  folder: string
  /** If false, a rolling regression is skipped as `disabled_by_operator`. */
  rollingRegressionAllowed: boolean
}

export interface FineTuneOptions extends Omit<CheckOptions, 'modelPath'>, Omit<TuningOptions, 'forecast'> {
  /** Wall time that the run should keep to; if it runs short, training ends earlier. */
  budgetSeconds: number
}

/** Reads the dataset, and describes it or says what is wrong with it. Throws `EngineError`. */
export async function check (options: CheckOptions, task: EngineTask = createTask()): Promise<Checked<DatasetProfile>> {
  return await call('check', datasetOptions(options), task)
}

/** Reads only what stands before the rows, so its cost does not depend on their number. Throws `EngineError`. */
export async function checkHeader (options: CheckOptions, task: EngineTask = createTask()): Promise<void> {
  await call('checkHeader', datasetOptions(options), task)
}

/**
 * Reads the dataset, forecasts every series, and writes the report and the table as Parquet and CSV. Throws
 * `EngineError`.
 */
export async function forecast (options: ForecastOptions, task: EngineTask = createTask()): Promise<ForecastSummary> {
  return await call('forecast', forecastRequest(options), task, options.kept)
}

/** The engine's request for a forecast, and where its files go. */
export function forecastRequest (options: ForecastOptions): Calls['forecast']['request'] {
  const {
    parquetPath,
    csvPath,
    maxCsvBytes,
    reportPath,
    budgetSeconds,
    findingsPath = null,
    analyses,
    shardSeconds,
    spec: { explainability }
  } = options
  const explain = analyses === undefined || explainability === undefined
    ? null
    : explainOptions(explainability, analyses.rollingRegressionAllowed)
  const analysesDir = explain === null || analyses === undefined ? null : analyses.folder
  return {
    options: { ...datasetOptions(options), budgetSeconds, explain, ...defined({ shardSeconds }) },
    output: { parquetPath, csvPath, maxCsvBytes, reportPath, findingsPath, analysesDir }
  }
}

/**
 * Trains one model for all series of the dataset, for use by `forecast`, and writes it to `modelPath`. Throws
 * `EngineError`.
 */
export async function fineTune ({ modelPath, loss, validationWindows, budgetSeconds, ...dataset }: FineTuneOptions,
  task: EngineTask = createTask()): Promise<FineTuneSummary> {
  return await call('fineTune', {
    forecast: { ...datasetOptions(dataset), budgetSeconds },
    modelPath,
    loss,
    validationWindows
  }, task)
}

/** Reads the beginning of a CSV file in any encoding that the engine recognises. Throws `EngineError`. */
export async function preview ({ inputPath, cut, maxRows, maxColumns }: PreviewOptions,
  task: EngineTask = createTask()): Promise<TablePreview> {
  return await call('preview', { inputPath, cut, maxRows, maxColumns }, task)
}

/**
 * Profiles a file about which the caller knows nothing. Throws `EngineError` only if the file is no table, or lacks a
 * column of `columns`.
 */
export async function profileData ({ inputPaths, format, compression, columns, limits, threads }: ProfileDataOptions,
  task: EngineTask = createTask()): Promise<DataProfile> {
  return await call('profileData', { inputPaths, format, compression, columns, limits, threads }, task)
}

/**
 * Reads the dataset and reports every check of its content. Throws `EngineError` only for a file that is no dataset at
 * all.
 */
export async function inspect (
  { inputPaths, format, compression, columns, hierarchy, freq, limits, threads }: InspectOptions,
  task: EngineTask = createTask()
): Promise<DatasetInspection> {
  return await call('inspect', { inputPaths, format, compression, columns, hierarchy, freq, limits, threads }, task)
}

/** Converts a Parquet forecast table, a block of rows at a time. Throws `EngineError`. */
export async function convertTable ({ parquetPath, path, format }: ConvertOptions,
  task: EngineTask = createTask()): Promise<void> {
  await call('convertTable', { parquetPath, path, format }, task)
}
