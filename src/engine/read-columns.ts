import * as native from '#native'
import type { ReadColumnsOptions, TableColumns, WrongCell } from '../domain/engine-documents.ts'
import { readReply } from './call.ts'
import { createTask, type EngineTask } from './engine-task.ts'

export interface TableColumn {
  /** Of times, milliseconds UTC, a stamp without an offset being one of UTC; NaN where a cell is empty or wrong. */
  values: Float64Array
  /** The first cell that is neither empty nor what its column is read for; row from 1. */
  wrong: WrongCell | null
}

/** Reads some columns of a file, those that it has, by name and of equal length; throws `EngineError`. */
export async function readColumns (options: ReadColumnsOptions,
  task: EngineTask = createTask()): Promise<Map<string, TableColumn>> {
  const { reply, values } = await native.readColumns(JSON.stringify(options), task)
  const { columns } = readReply<TableColumns>(reply)
  return new Map(columns.map(({ name, wrong }, at) => [name, { values: values[at] ?? new Float64Array(), wrong }]))
}
