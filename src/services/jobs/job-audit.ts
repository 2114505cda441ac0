import type { AuditLog } from '../audit/audit-log.ts'
import type { JobFollower } from './job-ledger.ts'

/** Adds every recorded job to its tenant's audit log, whichever route created it. */
export function jobAudit (log: AuditLog): JobFollower {
  return {
    created: (tx, { tenant, jobId, keyId, requestId }) =>
      log.append(tx, tenant, { keyId, requestId }, { action: 'job.create', target: jobId, outcome: 'success' })
  }
}
