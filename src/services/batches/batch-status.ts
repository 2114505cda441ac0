import { jobStatuses, type JobRecord, type JobStatus } from '../jobs/job-record.ts'

export type JobCounts = Record<JobStatus, number>

export function countJobs (jobs: readonly JobRecord[]): JobCounts {
  const counts: JobCounts = { pending: 0, running: 0, completed: 0, failed: 0 }
  for (const { status } of jobs) counts[status]++
  return counts
}

/** pending: no job has started. completed: all have ended, at least one with a result. failed: all have failed. */
export function batchStatus (counts: JobCounts): JobStatus {
  const present = jobStatuses.filter((status) => counts[status] > 0)
  if (present.length === 1 && present[0] !== undefined) return present[0]
  return counts.pending + counts.running > 0 ? 'running' : 'completed'
}
