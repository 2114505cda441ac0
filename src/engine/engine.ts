import * as native from '#native'
import type { ErrorCode } from '../errors.ts'
import { errorTable } from '../errors.ts'
import type { Compression, ContentError, DatasetProfile, FileFormat, ForecastSpec, JobWarning, OutputLimits, TableLimits } from '../queue/messages.ts'
import { contentErrorCode } from '../content-error.ts'
import { EngineError } from './engine-error.ts'

export interface CheckOptions {
  /** Files that are one table, in this order. */
  inputPaths: string[]
  format: FileFormat
  compression: Compression | null
  spec: ForecastSpec
  limits: TableLimits & OutputLimits
  /** Threads of this call; results do not depend on it. */
  threads: number
}

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
}

export interface ForecastSummary {
  numItems: number
  /** Rows of the forecast table: series times horizon. */
  rows: number
  /** Canonical alias. */
  freq: string
  datasetHash: string
  /** Seconds by stage: ingest, validate, fit, predict, write. */
  timings: Record<string, number>
  warnings: JobWarning[]
  csvWritten: boolean
}

export interface ConvertOptions {
  parquetPath: string
  csvPath: string
}

/** A handle on one call: cancel it, or read how far it is. */
export interface EngineTask {
  cancel (): void
  progress (): { stage: string, fraction: number }
}

/** The addon's own task class carries the flag that native code polls, so only tasks made here work. */
export function createTask (): EngineTask {
  return new native.TaskHandle()
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

/** Reads the dataset, forecasts every series, and writes the table as Parquet and CSV and the report; throws `EngineError`. */
export async function forecast (options: ForecastOptions, task: EngineTask = createTask()): Promise<ForecastSummary> {
  const { parquetPath, csvPath, maxCsvBytes, reportPath, budgetSeconds } = options
  const output = { parquetPath, csvPath, maxCsvBytes, reportPath, budgetSeconds }
  const summary = unwrap(await native.forecast(datasetOptions(options), output, task as native.TaskHandle))
  return { ...summary, timings: { ...summary.timings } }
}

/** Makes the CSV of a forecast table that was written as Parquet only; throws `EngineError`. */
export async function convertToCsv (options: ConvertOptions, task: EngineTask = createTask()): Promise<void> {
  unwrap(await native.convertToCsv(options.parquetPath, options.csvPath, task as native.TaskHandle))
}

/** napi takes a missing field as `None` and refuses `null`, so what is null is left out. */
function datasetOptions ({ inputPaths, format, compression, spec, limits, threads }: CheckOptions): native.DatasetOptions {
  const { freq, columns, sheetName, ...rest } = spec
  return {
    inputPaths,
    format,
    ...(compression === null ? {} : { compression }),
    ...(sheetName === undefined ? {} : { sheet: sheetName }),
    threads,
    limits: { ...limits },
    spec: { ...rest, columns: { ...columns, covariates: columns.covariates ?? [] }, ...(freq === null ? {} : { freq }) }
  }
}

function unwrap<T> (reply: { value?: T, error?: native.EngineFailure }): T {
  if (reply.error !== undefined) throw toEngineError(reply.error)
  if (reply.value === undefined) throw new EngineError('failed', 'pipeline_failed', 'The engine answered with neither a value nor an error.')
  return reply.value
}

function toEngineError (failure: native.EngineFailure): EngineError {
  const { kind, code, message } = failure
  if (kind === 'content') {
    const content: ContentError = {
      code,
      message,
      status: (failure.status ?? 422) as ContentError['status'],
      column: failure.column ?? null,
      row: failure.row ?? null,
      item: failure.item ?? null,
      count: failure.count ?? null,
      suggestion: failure.suggestion ?? null
    }
    return new EngineError('content', contentErrorCode(content), message, content)
  }
  return new EngineError(kind === 'cancelled' ? 'cancelled' : 'failed', isErrorCode(code) ? code : 'pipeline_failed', message)
}

function isErrorCode (code: string): code is ErrorCode {
  return Object.hasOwn(errorTable, code)
}
