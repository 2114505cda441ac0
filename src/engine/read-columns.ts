import * as native from '#native'
import type { ReadColumnsOptions, TableColumns, WrongCell } from '../domain/engine-documents.ts'
import { readReply } from './call.ts'
import { createTask, type EngineTask } from './engine-task.ts'

export interface TableColumn {
  /** Times are milliseconds UTC; a time stamp without an offset counts as UTC. NaN if a cell is empty or wrong. */
  values: Float64Array
  /** The first cell that is not empty and has the wrong type for its column; rows count from 1. */
  wrong: WrongCell | null
}

/** Reads those of the named columns that a file has, all of equal length. Throws `EngineError`. */
export async function readColumns (options: ReadColumnsOptions,
  task: EngineTask = createTask()): Promise<Map<string, TableColumn>> {
  const { reply, values } = await native.readColumns(JSON.stringify(options), task)
  const { columns } = readReply<TableColumns>(reply)
  return new Map(columns.map(({ name, wrong }, at) => [name, { values: values[at] ?? new Float64Array(), wrong }]))
}
