import type { JobLedger } from './job-ledger.ts'
import type { JobRecord } from './job-record.ts'
import type { JobQuery } from './job-service.ts'

/** Records looked at for one page; beyond it a page is short, and the next one goes on from there. */
const maxScanned = 10_000

/** One page, newest first. */
export function listJobs (ledger: JobLedger, tenant: string, query: JobQuery): { jobs: JobRecord[], next: string | null } {
  const jobs: JobRecord[] = []
  let scanned = 0
  let last: string | null = null
  for (const record of ledger.newestFirst(tenant, query.before)) {
    if (query.createdAfterMs !== null && record.createdAtMs <= query.createdAfterMs) return { jobs, next: null }
    if (jobs.length === query.limit || scanned === maxScanned) return { jobs, next: last }
    scanned++
    last = record.jobId
    const statusFits = query.statuses.length === 0 || query.statuses.includes(record.status)
    if (statusFits && (query.jobType === null || query.jobType === record.jobType)) jobs.push(record)
  }
  return { jobs, next: null }
}
