import type { JobRecord } from './job-record.ts'

/** Who counts what happens to jobs. Told once of each change, after it is on disk; must not throw. */
export interface JobObserver {
  /** At start: an open job that an earlier process recorded. */
  found(record: JobRecord): void
  created(record: JobRecord): void
  /** A worker asked for a run and was answered, or runs the job without having asked. `after` may have ended. */
  claimed(before: JobRecord, after: JobRecord): void
  redispatched(record: JobRecord): void
  ended(record: JobRecord): void
  /** Deleted, or its retention is over. */
  buried(record: JobRecord): void
}
