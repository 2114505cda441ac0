import type { JobLedger } from './job-ledger.ts'
import type { JobRecord } from './job-record.ts'
import type { JobQuery } from './job-service.ts'

/**
 * The most that is read for one page, in one pass of the event loop. Beyond it the page is short, and the next one
 * continues there.
 */
const maxScanned = 10_000
const maxScannedBytes = 2 * 2 ** 20
/** The most bytes of records on a page, since each becomes JSON. */
const maxPageBytes = 2 ** 20

/** One page, newest first. */
export function listJobs (ledger: JobLedger, tenant: string,
  query: JobQuery): { jobs: JobRecord[], next: string | null } {
  const jobs: JobRecord[] = []
  let scanned = 0
  let scannedBytes = 0
  let pageBytes = 0
  let last: string | null = null
  for (const { key, value: record, bytes } of ledger.newestFirst(tenant, query.before)) {
    if (query.createdAfterMs !== null && record.createdAtMs <= query.createdAfterMs) return { jobs, next: null }
    const isFull = jobs.length === query.limit || (jobs.length > 0 && pageBytes + bytes > maxPageBytes)
    if (isFull || scanned === maxScanned || scannedBytes > maxScannedBytes) return { jobs, next: last }
    scanned++
    scannedBytes += bytes
    last = String(key.at(-1))
    const statusFits = query.statuses.length === 0 || query.statuses.includes(record.status)
    if (!statusFits || (query.jobType !== null && query.jobType !== record.jobType)) continue
    jobs.push(record)
    pageBytes += bytes
  }
  return { jobs, next: null }
}
