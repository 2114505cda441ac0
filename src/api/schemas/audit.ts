import { Type } from 'typebox'
import { auditedActions, auditOutcomes, type LoggedAction } from '../../services/audit/audit-log.ts'
import { nullable } from './nullable.ts'

export const auditPageSchema = Type.Object({
  records: Type.Array(Type.Object({
    audit_id: Type.String({
      description: 'The audit of a connection uses the same id for the same action.'
    }),
    timestamp: Type.String({ format: 'date-time' }),
    action: Type.Enum(auditedActions),
    target_id: nullable(Type.String(), 'Id of what was changed; null: it has none.'),
    outcome: Type.Enum(auditOutcomes),
    error_code: nullable(Type.String(), 'Why it failed; null: it did not fail, or the outcome is enough.'),
    actor: Type.String({
      description:
        'Id of the key that made the request, also of an administrator. `command line`: the operator of the service. ' +
        '`service`: the service itself.'
    }),
    request_id: nullable(Type.String(), 'null: not caused by a request.'),
    prev_hash: Type.String({ description: 'SHA-256 of the previous record; empty for the first.' })
  })),
  next_cursor: nullable(Type.String(), 'Send it as `cursor` to get the next page; null: this is the last page.')
}, { $id: 'AuditPage', description: 'Newest first.' })

/** As JSON text in one pass, because a page has up to 1,000 records. */
export function renderAuditPageText (records: readonly LoggedAction[], nextCursor: string | null): string {
  return JSON.stringify({
    records: records.map(({ auditId, atMs, action, target, outcome, errorCode, keyId, requestId, prevHash }) => ({
      audit_id: auditId,
      timestamp: new Date(atMs).toISOString(),
      action,
      target_id: target === '' ? null : target,
      outcome,
      error_code: errorCode,
      actor: keyId,
      request_id: requestId === '' ? null : requestId,
      prev_hash: prevHash
    })),
    next_cursor: nextCursor
  })
}
