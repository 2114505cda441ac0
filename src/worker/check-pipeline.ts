import { check, type EngineTask } from '../engine/index.ts'
import type { CheckOutcome, CheckTask } from './slot-messages.ts'

/** Runs in the quick slot: says what is in a dataset, or what is wrong with it. */
export async function runCheck ({ kind, ...options }: CheckTask, engineTask: EngineTask): Promise<CheckOutcome> {
  return await check(options, engineTask)
}
