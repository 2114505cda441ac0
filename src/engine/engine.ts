import type { DataProfile } from '../domain/data-profile.ts'
import type { DatasetInspection } from '../domain/dataset-inspection.ts'
import type { DatasetProfile } from '../domain/dataset-profile.ts'
import type { Checked, ConvertOptions, FineTuneSummary, ForecastSummary, InspectOptions, PreviewOptions,
  ProfileDataOptions, TuningOptions } from '../domain/engine-documents.ts'
import type { TablePreview } from '../domain/table-preview.ts'
import { call } from './call.ts'
import { datasetOptions, type CheckOptions } from './dataset-options.ts'
import { createTask, type EngineTask } from './engine-task.ts'
import { explainOptions } from './explain-options.ts'
import type { KeptDataset } from './survey.ts'

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
  /** A folder that is there: `analyses.json`, with a plot `plot.json` too, and the tables of the analyses go into it. */
  folder: string
  /** Without it a rolling regression is skipped as `disabled_by_operator`. */
  rollingRegressionAllowed: boolean
}

export interface FineTuneOptions extends Omit<CheckOptions, 'modelPath'>, Omit<TuningOptions, 'forecast'> {
  /** Wall clock that the run should keep to; training ends earlier when it runs short. */
  budgetSeconds: number
}

/** Reads the dataset and says what is in it or what is wrong with it; throws `EngineError`. */
export async function check (options: CheckOptions, task: EngineTask = createTask()): Promise<Checked<DatasetProfile>> {
  return await call('check', datasetOptions(options), task)
}

/** Reads what stands before the rows, however many they are, and throws `EngineError` when that is wrong. */
export async function checkHeader (options: CheckOptions, task: EngineTask = createTask()): Promise<void> {
  await call('checkHeader', datasetOptions(options), task)
}

/** Reads the dataset, forecasts every series, and writes the table as Parquet and CSV and the report; throws `EngineError`. */
export async function forecast (options: ForecastOptions, task: EngineTask = createTask()): Promise<ForecastSummary> {
  const {
    parquetPath,
    csvPath,
    maxCsvBytes,
    reportPath,
    budgetSeconds,
    findingsPath = null,
    analyses,
    kept,
    spec: { explainability }
  } = options
  const explain = analyses === undefined || explainability === undefined
    ? null
    : explainOptions(explainability, analyses.rollingRegressionAllowed)
  const analysesDir = explain === null || analyses === undefined ? null : analyses.folder
  return await call('forecast', {
    options: { ...datasetOptions(options), budgetSeconds, explain },
    output: { parquetPath, csvPath, maxCsvBytes, reportPath, findingsPath, analysesDir }
  }, task, kept)
}

/** Trains one model for all series of the dataset and writes it to `modelPath`, to be used by `forecast`; throws `EngineError`. */
export async function fineTune ({ modelPath, loss, validationWindows, budgetSeconds, ...dataset }: FineTuneOptions,
  task: EngineTask = createTask()): Promise<FineTuneSummary> {
  return await call('fineTune', {
    forecast: { ...datasetOptions(dataset), budgetSeconds },
    modelPath,
    loss,
    validationWindows
  }, task)
}

/** Reads the beginning of a CSV file in any encoding that it can tell; throws `EngineError`. */
export async function preview ({ inputPath, cut, maxRows, maxColumns }: PreviewOptions,
  task: EngineTask = createTask()): Promise<TablePreview> {
  return await call('preview', { inputPath, cut, maxRows, maxColumns }, task)
}

/** Says what is in a file that nobody has said anything about; throws `EngineError` only for a file that is no table, or lacks a column of `columns`. */
export async function profileData ({ inputPaths, format, compression, columns, limits, threads }: ProfileDataOptions,
  task: EngineTask = createTask()): Promise<DataProfile> {
  return await call('profileData', { inputPaths, format, compression, columns, limits, threads }, task)
}

/** Reads the dataset and reports every check of its content; throws `EngineError` only for a file that is no dataset at all. */
export async function inspect (
  { inputPaths, format, compression, columns, hierarchy, freq, limits, threads }: InspectOptions,
  task: EngineTask = createTask()
): Promise<DatasetInspection> {
  return await call('inspect', { inputPaths, format, compression, columns, hierarchy, freq, limits, threads }, task)
}

/** Converts a forecast table that was written as Parquet, a stretch of rows at a time; throws `EngineError`. */
export async function convertTable ({ parquetPath, path, format }: ConvertOptions,
  task: EngineTask = createTask()): Promise<void> {
  await call('convertTable', { parquetPath, path, format }, task)
}
