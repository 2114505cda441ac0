import type { Checked, TableOptions, TabularSummary } from '../domain/engine-documents.ts'
import type { Compression, FileFormat } from '../domain/files.ts'
import type { TableLimits } from '../domain/limits.ts'
import type { TabularProfile, TabularSpec } from '../domain/tabular-spec.ts'
import { call } from './call.ts'
import { createTask, type EngineTask } from './engine-task.ts'
import { explainOptions } from './explain-options.ts'

export interface CheckTabularOptions {
  /** Files that are one table, in this order. */
  inputPaths: string[]
  format: FileFormat
  compression: Compression | null
  spec: TabularSpec
  limits: TableLimits
  /** Threads of this call; results do not depend on it. */
  threads: number
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
  /** A folder that is there, for `analyses.json` and the tables of the analyses of `spec.explainability`, which are not made without it. */
  analysesFolder?: string
}

/** Reads the table and says what is in it or what is wrong with it; throws `EngineError`. */
export async function checkTabular (options: CheckTabularOptions,
  task: EngineTask = createTask()): Promise<Checked<TabularProfile>> {
  return await call('checkTabular', tableOptions(options), task)
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
  // A regression over time does not apply to a table, whatever the operator allows.
  const explain = analysesFolder === undefined || explainability === undefined
    ? null
    : explainOptions(explainability, false)
  return await call('tabular', {
    options: { ...tableOptions(options), budgetSeconds, explain },
    output: {
      parquetPath,
      csvPath,
      maxCsvBytes,
      metricsPath,
      reportPath,
      analysesDir: explain === null ? null : analysesFolder ?? null
    }
  }, task)
}

function tableOptions ({ inputPaths, format, compression, spec, limits, threads }: CheckTabularOptions): TableOptions {
  const {
    task,
    labelColumn,
    problemType,
    inferenceMode,
    trainSplitRatio,
    validationHoldoutRatio,
    timeColumn = null,
    sheetName = null
  } = spec
  return {
    ...{ inputPaths, format, compression, sheet: sheetName, limits, threads, budgetSeconds: null, explain: null },
    ...{ task, labelColumn, problemType, inferenceMode, trainSplitRatio, validationHoldoutRatio, timeColumn }
  }
}
