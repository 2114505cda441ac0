import type { JobRecord, RecordedJobType } from '../../services/jobs/job-record.ts'

/**
 * The jobs that no worker has started, by type in order of creation. Their number and the age of the oldest are read
 * from here.
 */
export class WaitingJobs {
  readonly #createdAtMs = new Map<RecordedJobType, Map<string, number>>()

  add ({ jobType, jobId, createdAtMs }: JobRecord): void {
    const ofType = this.#createdAtMs.get(jobType) ?? new Map<string, number>()
    this.#createdAtMs.set(jobType, ofType.set(jobId, createdAtMs))
  }

  delete ({ jobType, jobId }: JobRecord): void {
    this.#createdAtMs.get(jobType)?.delete(jobId)
  }

  count (jobType: RecordedJobType): number {
    return this.#createdAtMs.get(jobType)?.size ?? 0
  }

  /** 0 if no job waits. */
  oldestSeconds (jobType: RecordedJobType): number {
    const [oldest] = this.#createdAtMs.get(jobType)?.values() ?? []
    return oldest === undefined ? 0 : Math.max(0, Date.now() - oldest) / 1000
  }
}
