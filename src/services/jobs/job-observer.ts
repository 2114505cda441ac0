import type { JobRecord } from './job-record.ts'

/** Counts what happens to jobs. Called once for each change, after it is on disk; must not throw. */
export interface JobObserver {
  /** At start: an open job that an earlier process recorded. */
  found(record: JobRecord): void
  created(record: JobRecord): void
  /** A worker claimed a run and was answered, or runs the job without a claim. `after` may have ended. */
  claimed(before: JobRecord, after: JobRecord): void
  redispatched(record: JobRecord): void
  ended(record: JobRecord): void
  /** The job was deleted or has expired. */
  buried(record: JobRecord): void
}
