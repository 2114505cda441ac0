import type { Holder } from '../quotas/quota-ledger.ts'
import type { Quotas } from '../quotas/quotas.ts'
import type { JobFollower } from './job-ledger.ts'
import { connectedInput, storedInput, type JobRecord } from './job-record.ts'

/** Where the rows of a file were not counted before the job, this many bytes count as one row. */
const bytesPerRow = 32

export const jobBytes: Holder<JobRecord> = { table: 'jobs', bytesOf: ownBytes }

/** Counts every recorded job for its tenant, whichever route created it. */
export function jobQuotas (quotas: Pick<Quotas, 'takeJob' | 'endJob' | 'dropJob'>): JobFollower {
  return {
    created: (tx, record) =>
      quotas.takeJob(tx, record.tenant, record.jobId, { rows: rowsBefore(record), bytes: ownBytes(record) }),
    ended: (tx, record) => {
      const moreRows = Math.ceil((connectedInput(record)?.read?.bytes ?? 0) / bytesPerRow)
      quotas.endJob(tx, record.tenant, record.jobId, { moreRows, bytes: ownBytes(record) })
      return record
    },
    // Its bytes were reserved before it was made.
    filed: (tx, record) => quotas.endJob(tx, record.tenant, record.jobId, { moreRows: 0, bytes: ownBytes(record) }),
    buried: (tx, { tenant, jobId }) => quotas.dropJob(tx, tenant, jobId)
  }
}

/** The size of a connection's source is unknown until the job has read it. */
function rowsBefore (record: JobRecord): number {
  const input = storedInput(record)
  return record.profile?.rows ?? (input === undefined ? 0 : Math.ceil(input.bytes / bytesPerRow))
}

/** The upload and the results. A stored object counts by itself. */
function ownBytes (record: JobRecord): number {
  const input = storedInput(record)
  const upload = input === undefined || input.objectId !== undefined ? 0 : input.bytes
  return record.files.reduce((sum, { bytes }) => sum + bytes, upload)
}
