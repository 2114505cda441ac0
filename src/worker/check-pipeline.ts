import { check, checkHeader, checkPreparation, checkTabular, type EngineTask } from '../engine/index.ts'
import { isTabular } from '../queue/tabular-spec.ts'
import { prepareInput } from './prepared-input.ts'
import type { CheckOutcome, CheckTask } from './slot-messages.ts'

/** Runs in the quick slot: says what is in a dataset, as it would be forecast, or what is wrong with it. A header says nothing about the rows; a table is always read whole. */
export async function runCheck ({ kind, depth, spec, preparedPath, ...options }: CheckTask, engineTask: EngineTask): Promise<CheckOutcome> {
  if (isTabular(spec)) return await checkTabular({ ...options, spec }, engineTask)
  if (depth === 'full') {
    const prepared = await prepareInput({ ...options, spec }, preparedPath, engineTask)
    const { profile, warnings } = await check(prepared.options, engineTask)
    return { profile, warnings: [...prepared.warnings, ...warnings] }
  }
  if (spec.preparation === undefined) await checkHeader({ ...options, spec }, engineTask)
  else await checkPreparation({ ...options, spec, preparation: spec.preparation }, engineTask)
  return { profile: null, warnings: [] }
}
