import { check, checkHeader, checkTabular, type EngineTask } from '../engine/index.ts'
import { isTabular } from '../queue/tabular-spec.ts'
import type { CheckOutcome, CheckTask } from './slot-messages.ts'

/** Runs in the quick slot: says what is in a dataset, or what is wrong with it. A header says nothing about the rows; a table is always read whole. */
export async function runCheck ({ kind, depth, spec, ...options }: CheckTask, engineTask: EngineTask): Promise<CheckOutcome> {
  if (isTabular(spec)) return await checkTabular({ ...options, spec }, engineTask)
  if (depth === 'full') return await check({ ...options, spec }, engineTask)
  await checkHeader({ ...options, spec }, engineTask)
  return { profile: null, warnings: [] }
}
