import type { Config } from '../../platform/config.ts'
import type { DiskSpace } from '../../platform/disk/disk-space.ts'
import { isRemoteStore } from '../../platform/store/store-config.ts'
import type { JobRecord } from './job-record.ts'
import { resultBytes } from './result-bytes.ts'

/**
 * Keeps disk space for the results of open jobs, from before the 202 until their end. Otherwise small uploads with
 * large results would fill the disk. After a restart the records of open jobs say how much is kept.
 */
export class ResultSpace {
  readonly #config: Config
  /** undefined: unlimited, or the results are stored elsewhere. */
  readonly #room: Pick<DiskSpace, 'promise' | 'promiseAgain' | 'endPromise'> | undefined

  constructor (config: Config, room: Pick<DiskSpace, 'promise' | 'promiseAgain' | 'endPromise'> | undefined) {
    this.#config = config
    this.#room = isRemoteStore(config) ? undefined : room
  }

  /** Keeps space for all of them, or throws and keeps none. */
  keep (records: readonly JobRecord[]): void {
    try {
      for (const record of records) {
        this.#room?.promise(record.tenant, record.jobId, resultBytes(record, this.#config))
      }
    } catch (error) {
      for (const record of records) this.end(record)
      throw error
    }
  }

  /** Keeps space for a job that an earlier process accepted. */
  restore (record: JobRecord): void {
    this.#room?.promiseAgain(record.tenant, record.jobId, resultBytes(record, this.#config))
  }

  /** The job has ended, was deleted, or was not made. What it has stored counts as stored. */
  end ({ jobId, files }: Pick<JobRecord, 'jobId'> & { files?: JobRecord['files'] }): void {
    this.#room?.endPromise(jobId, (files ?? []).reduce((sum, { bytes }) => sum + bytes, 0))
  }
}
