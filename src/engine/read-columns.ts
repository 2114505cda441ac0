import * as native from '#native'
import { createTask, type EngineTask } from './engine-task.ts'
import { unwrap } from './reply.ts'

export interface ReadColumnsOptions {
  inputPath: string
  format: 'csv' | 'parquet'
  /** Names of columns that say when. */
  times: readonly string[]
  /** Names of columns of numbers; with those of times each name stands once. */
  numbers: readonly string[]
  /** Caps of the whole file. */
  limits: { maxRows: number, maxColumns: number, maxCellChars: number }
  /** Threads of this call; results do not depend on it. */
  threads: number
}

export interface TableColumn {
  /** Of times, milliseconds UTC, a stamp without an offset being one of UTC; NaN where a cell is empty or wrong. */
  values: Float64Array
  /** The first cell that is neither empty nor what its column is read for; row from 1. */
  wrong: { row: number, text: string } | null
}

/** Reads some columns of a file, those that it has, by name and of equal length; throws `EngineError`. */
export async function readColumns ({ inputPath, format, times, numbers, limits, threads }: ReadColumnsOptions,
  task: EngineTask = createTask()): Promise<Map<string, TableColumn>> {
  const { columns } = unwrap(
    await native.readColumns({ inputPath, format, times: [...times], numbers: [...numbers], ...limits, threads },
      task as native.TaskHandle)
  )
  return new Map(columns.map(({ name, values, wrong }) => [name, { values, wrong: wrong ?? null }]))
}
