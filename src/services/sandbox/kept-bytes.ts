import { TabcastError } from '../../platform/errors.ts'
import type { MetadataStore } from '../../platform/metadata/metadata-store.ts'
import type { JobObserver } from '../jobs/job-observer.ts'
import { isTerminal, storedInput, type JobRecord } from '../jobs/job-record.ts'
import { sandboxCaps } from '../jobs/tenant-bounds.ts'
import { sandboxTenant } from '../keys/scopes.ts'

/** What an open job may still write: its table as CSV and as Parquet, plot and report. */
const expectedBytes = 2 * sandboxCaps.outputBytes

/** Bytes of the sandbox's inputs and results, limited so that strangers cannot fill the disk. */
export class KeptBytes implements JobObserver {
  readonly #maxBytes: number
  readonly #byJob = new Map<string, number>()
  #sum = 0

  /** Reads every job of the sandbox; the limit keeps them few. */
  constructor (metadata: MetadataStore, maxBytes: number) {
    this.#maxBytes = maxBytes
    for (const { value } of metadata.table<JobRecord>('jobs').range({ prefix: [sandboxTenant] })) this.#count(value)
  }

  /** Throws server_overloaded when another job might not fit. */
  check (): void {
    if (this.#sum + expectedBytes <= this.#maxBytes) return
    throw new TabcastError('server_overloaded',
      'The sandbox has no room for another job at the moment; nothing was stored.', {
      suggestion: 'Try again later, when older jobs of the sandbox have been deleted.',
      retryAfterSeconds: 60
    })
  }

  found (): void {}
  created (record: JobRecord): void {
    this.#count(record)
  }
  claimed (): void {}
  redispatched (): void {}
  ended (record: JobRecord): void {
    this.#count(record)
  }

  buried ({ jobId }: JobRecord): void {
    this.#sum -= this.#byJob.get(jobId) ?? 0
    this.#byJob.delete(jobId)
  }

  #count (record: JobRecord): void {
    const input = storedInput(record)?.bytes ?? 0
    const bytes = input + (isTerminal(record) ? record.files.reduce((sum, file) => sum + file.bytes, 0) : expectedBytes)
    this.#sum += bytes - (this.#byJob.get(record.jobId) ?? 0)
    this.#byJob.set(record.jobId, bytes)
  }
}
