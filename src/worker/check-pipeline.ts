import { check, checkHeader, type EngineTask } from '../engine/index.ts'
import type { CheckOutcome, CheckTask } from './slot-messages.ts'

/** Runs in the quick slot: says what is in a dataset, or what is wrong with it. A header says nothing about the rows. */
export async function runCheck ({ kind, depth, ...options }: CheckTask, engineTask: EngineTask): Promise<CheckOutcome> {
  if (depth === 'full') return await check(options, engineTask)
  await checkHeader(options, engineTask)
  return { profile: null, warnings: [] }
}
