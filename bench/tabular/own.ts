import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildExample } from '../rust-example.ts'
import type { Score } from './peers.ts'
import { csvOf, type Table } from './tables.ts'

/** What `examples/tabular` of crates/tabular prints. */
export interface OwnScore extends Score {
  /** Share of the test rows inside the 80 % interval; null for classes. */
  coverage: number | null
  members: unknown
}

/** What the ensemble is built up from, step by step, as the example calls it; without a name it is whole. */
export const stages = ['single', 'bagged', 'second_kind', 'members', 'weighted'] as const
export type Stage = typeof stages[number]

let example: string | undefined

/** One training and the prediction of the test rows, in a process of its own. */
export async function runOwn (csv: string, { label, task }: Pick<Table, 'label' | 'task'>, testRows: string,
  folder: string, stage?: Stage): Promise<OwnScore> {
  const out = join(folder, 'own')
  mkdirSync(out, { recursive: true })
  const args = [csv, label, task, testRows, out, String(availableParallelism()),
    ...(stage === undefined ? [] : [stage])]
  example ??= buildExample('tabcast-tabular', 'tabular')
  const { stdout } = await promisify(execFile)(example, args, { maxBuffer: 2 ** 26 })
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as OwnScore
}

/** Every split of a table. */
export async function scoreOwn (table: Table, folder: string): Promise<OwnScore[]> {
  const scores: OwnScore[] = []
  for (const split of table.splits) scores.push(await runOwn(csvOf(table), table, split, folder))
  return scores
}
