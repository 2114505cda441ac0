import { planFile, runOfPlan, runOfShards, shardsPrefix } from '../../platform/store/keys.ts'
import type { ObjectStore } from '../../platform/store/object-store.ts'

/** The runs of the job whose plan is complete, the oldest first. */
export async function plannedRuns (store: ObjectStore, outputPrefix: string): Promise<string[]> {
  const runs: string[] = []
  for await (const { key } of store.list(outputPrefix)) {
    const run = runOfPlan(outputPrefix, key)
    if (run !== undefined) runs.push(run)
  }
  return runs.sort()
}

/** Deletes plans and parts of all runs of the job. */
export async function removePlans (store: ObjectStore, outputPrefix: string): Promise<void> {
  const runs = new Set<string>()
  for await (const { key } of store.list(outputPrefix)) {
    const run = runOfShards(outputPrefix, key)
    if (run !== undefined) runs.add(run)
  }
  for (const run of runs) await removePlan(store, shardsPrefix(outputPrefix, run))
}

/** Deletes a plan and its parts. */
export async function removePlan (store: ObjectStore, prefix: string): Promise<void> {
  // First, because a worker that stores a part meanwhile looks afterwards whether the plan is still there.
  await store.deleteKey(`${prefix}${planFile}`)
  await store.deletePrefix(prefix)
}
