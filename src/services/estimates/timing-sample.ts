import type { JobRecord } from '../jobs/job-record.ts'
import { workloadOf, type Workload } from './workload.ts'

/**
 * What one job took. No name, no id and no value of a customer is in it, so all tenants of a deployment learn from each
 * other.
 */
export interface TimingSample extends Workload {
  v: 1
  /** From the moment that a worker took the job to its end. */
  seconds: number
  /** Seconds by stage, as on the job. */
  timings: Record<string, number>
}

/**
 * undefined: the job tells nothing. One that failed may have ended at once, one that was run again has waited in
 * between, and of one that was not looked at before nothing is known.
 */
export function sampleOf (record: JobRecord): TimingSample | undefined {
  const { status, profile, timings, startedAtMs, completedAtMs, attempt, spec } = record
  if (status !== 'completed' || attempt !== 1 || profile === null || timings === null || startedAtMs === null ||
    completedAtMs === null) return undefined
  const workload = workloadOf(profile, spec)
  return workload === undefined
    ? undefined
    : { v: 1, ...workload, seconds: Math.max(0.001, (completedAtMs - startedAtMs) / 1000), timings }
}
