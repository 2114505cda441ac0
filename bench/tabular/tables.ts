import { join } from 'node:path'
import { dataFolder, tablePath } from '../data.ts'
import { runPython } from '../peers/python.ts'

export interface Table {
  name: string
  label: string
  task: 'classification' | 'regression'
  rows: number
  /** The label not counted. */
  columns: number
  /** Files with the numbers of the rows to test on, from 0: one, or five of a table with few rows. */
  splits: string[]
}

/** The tables of the bench data, with their test rows written into a folder. */
export async function readTables (python: string, folder: string): Promise<Table[]> {
  return await runPython<Table[]>(python, [join('bench', 'tabular', 'make_splits.py'), dataFolder(),
    join(folder, 'splits')])
}

export const csvOf = (table: Table): string => tablePath(table.name)
