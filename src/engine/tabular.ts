import * as native from '#native'
import type { Compression, FileFormat } from '../domain/files.ts'
import type { JobWarning } from '../domain/job-result.ts'
import type { TableLimits } from '../domain/limits.ts'
import type { TabularOutcome, TabularProfile, TabularSpec } from '../domain/tabular-spec.ts'
import { createTask, type EngineTask } from './engine-task.ts'
import { explainOptions } from './explain-options.ts'
import { unwrap } from './reply.ts'
import { defined } from '../domain/defined.ts'

export interface CheckTabularOptions {
  /** Files that are one table, in this order. */
  inputPaths: string[]
  format: FileFormat
  compression: Compression | null
  spec: TabularSpec
  limits: Omit<TableLimits, 'maxSeries'>
  /** Threads of this call; results do not depend on it. */
  threads: number
}

export interface CheckTabularResult {
  profile: TabularProfile
  warnings: JobWarning[]
}

export interface TabularOptions extends CheckTabularOptions {
  /** The predictions, in both formats. */
  parquetPath: string
  csvPath: string
  /** The CSV is given up, and its file removed, once it would grow beyond this many bytes. */
  maxCsvBytes: number
  /** The metrics as JSON, with the intervals that they lie in. */
  metricsPath: string
  /** What was in the table, how models were chosen and how they did, as JSON: a `TabularReport`. */
  reportPath: string
  /** Wall clock that the run should keep to; fewer models are tried when it runs short. */
  budgetSeconds: number
  /**
   * A folder that is there, for `analyses.json` and the tables of the analyses of `spec.explainability`, which are not
   * made without it.
   */
  analysesFolder?: string
}

export interface TabularSummary {
  outcome: TabularOutcome
  datasetHash: string
  /** Seconds by stage; explain where there were analyses. */
  timings: Record<string, number>
  warnings: JobWarning[]
  csvWritten: boolean
}

/** Reads the table and says what is in it or what is wrong with it; throws `EngineError`. */
export async function checkTabular (options: CheckTabularOptions,
  task: EngineTask = createTask()): Promise<CheckTabularResult> {
  const { rows, columns, labeledRows, warnings } = unwrap(
    await native.checkTabular(tableOptions(options), task as native.TaskHandle)
  )
  return { profile: { rows, columns, labeledRows }, warnings }
}

/** Learns from the labelled rows of a table, and writes predictions, metrics and the report; throws `EngineError`. */
export async function tabular (options: TabularOptions, task: EngineTask = createTask()): Promise<TabularSummary> {
  const {
    parquetPath,
    csvPath,
    maxCsvBytes,
    metricsPath,
    reportPath,
    budgetSeconds,
    analysesFolder,
    spec: { explainability }
  } = options
  const isAnalysed = analysesFolder !== undefined && explainability !== undefined
  // A regression over time does not apply to a table, whatever the operator allows.
  const table = { ...tableOptions(options), ...(isAnalysed ? { explain: explainOptions(explainability, false) } : {}) }
  const output = {
    parquetPath,
    csvPath,
    maxCsvBytes,
    metricsPath,
    reportPath,
    budgetSeconds,
    ...(isAnalysed ? { analysesDir: analysesFolder } : {})
  }
  const { datasetHash, timings, warnings, csvWritten, problemType, inferenceMode, metrics, ...rest } = unwrap(
    await native.tabular(table, output, task as native.TaskHandle)
  )
  const outcome: TabularOutcome = {
    ...rest,
    problemType: problemType as TabularOutcome['problemType'],
    inferenceMode: inferenceMode as TabularOutcome['inferenceMode'],
    metrics: { ...metrics }
  }
  return { outcome, datasetHash, timings: { ...timings }, warnings, csvWritten }
}

/** napi takes a missing field as `None` and refuses `null`, so what is null is left out. */
function tableOptions (
  { inputPaths, format, compression, spec, limits, threads }: CheckTabularOptions
): native.TableOptions {
  const { sheetName, explainability: _analyses, ...rest } = spec
  const { maxRows, maxColumns, maxCellChars } = limits
  return {
    inputPaths,
    format,
    ...(compression === null ? {} : { compression }),
    ...defined({ sheet: sheetName }),
    threads,
    limits: { maxRows, maxColumns, maxCellChars },
    spec: { ...rest }
  }
}
