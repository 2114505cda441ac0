import type { AuditLog } from '../audit/audit-log.ts'
import type { JobFollower } from './job-ledger.ts'

/** Every job that is recorded is in its tenant's log, whichever way it came. */
export function jobAudit (log: AuditLog): JobFollower {
  return {
    created: (tx, { tenant, jobId, keyId, requestId }) =>
      log.append(tx, tenant, { keyId, requestId }, { action: 'job.create', target: jobId, outcome: 'success' })
  }
}
