import { Type } from 'typebox'
import { auditedActions, auditOutcomes, type LoggedAction } from '../../services/audit/audit-log.ts'
import { nullable } from './nullable.ts'

export const auditPageSchema = Type.Object({
  records: Type.Array(Type.Object({
    audit_id: Type.String({
      description: "What was done with a connection has the same id in the connection's own audit."
    }),
    timestamp: Type.String({ format: 'date-time' }),
    action: Type.Enum(auditedActions),
    target_id: nullable(Type.String(), 'Of what was changed; null: it has no id.'),
    outcome: Type.Enum(auditOutcomes),
    error_code: nullable(Type.String(), 'Why not; null: nothing was wrong, or the outcome says it all.'),
    actor: Type.String({
      description:
        "Id of the key that asked, also an administrator's; `command line`: whoever runs the service; `service`: " +
        'the ' +
        'service by itself.'
    }),
    request_id: nullable(Type.String(), 'null: it was no request.'),
    prev_hash: Type.String({ description: 'SHA-256 of the record before it; empty for the first.' })
  })),
  next_cursor: nullable(Type.String(), 'Give it back as `cursor` for the next page; null on the last one.')
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
