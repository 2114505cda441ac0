/**
 * | table | key | value |
 * |---|---|---|
 * | connections | tenant, connection id | ConnectionRecord |
 * | connectionAudit | tenant, connection id, sequence | AuditRecord as JSON: kept when the connection is deleted |
 * | connectionAuditHeads | tenant, connection id | AuditHead: where the chain of its audit records begins and ends |
 * | deliveredObjects | tenant, connection id, object key; or tenant, connection id, 0, default key | DeliveredEntry: not a part of the source |
 * | deliveredTotals | tenant, connection id | DeliveredTotal: how many these are |
 */
export const connectionTables = ['connections', 'connectionAudit', 'connectionAuditHeads', 'deliveredObjects', 'deliveredTotals'] as const
