import type { Checked, TableOptions, TabularSummary } from '../domain/engine-documents.ts'
import type { Compression, FileFormat } from '../domain/files.ts'
import type { TableLimits } from '../domain/limits.ts'
import type { TabularProfile, TabularSpec } from '../domain/tabular-spec.ts'
import { call } from './call.ts'
import { createTask, type EngineTask } from './engine-task.ts'
import { explainOptions } from './explain-options.ts'

export interface CheckTabularOptions {
  /** Files that form one table, in this order. */
  inputPaths: string[]
  format: FileFormat
  compression: Compression | null
  spec: TabularSpec
  limits: TableLimits
  /** Threads for this call; results do not depend on the number. */
  threads: number
}

export interface TabularOptions extends CheckTabularOptions {
  /** Where to write the predictions, in both formats. */
  parquetPath: string
  csvPath: string
  /** If the CSV would grow beyond this many bytes, the engine stops writing it and removes the file. */
  maxCsvBytes: number
  /** Where to write the metrics and their confidence intervals, as JSON. */
  metricsPath: string
  /** Where to write the report, as JSON (`TabularReport`): the table, the choice of models, and their scores. */
  reportPath: string
  /** Wall time that the run should keep to; if it runs short, fewer models are tried. */
  budgetSeconds: number
  /**
   * An existing folder for `analyses.json` and the tables of the analyses. Without it, the analyses of
   * `spec.explainability` are not made.
   */
  analysesFolder?: string
}

/** Reads the table, and describes it or says what is wrong with it. Throws `EngineError`. */
export async function checkTabular (options: CheckTabularOptions,
  task: EngineTask = createTask()): Promise<Checked<TabularProfile>> {
  return await call('checkTabular', tableOptions(options), task)
}

/** Learns from the labelled rows of a table, and writes predictions, metrics and the report. Throws `EngineError`. */
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
  // A rolling regression does not apply to a table, whatever the operator allows.
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
