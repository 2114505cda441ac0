import type { JobRecord } from '../jobs/job-record.ts'
import { workloadOf, type Workload } from './workload.ts'

/**
 * The time of one job. It holds no name, id or value of a customer, so all tenants of a deployment learn from each
 * other.
 */
export interface TimingSample extends Workload {
  v: 1
  /** From the start of the run to the end of the job. */
  seconds: number
  /** Seconds by stage, as on the job. */
  timings: Record<string, number>
}

/**
 * undefined when the job is no fair sample: a failed job may have ended at once, a job that was run again has waited in
 * between, and a job without a content check has no counts.
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
