/**
 * | table | key | value |
 * |---|---|---|
 * | connections | tenant, connection id | ConnectionRecord |
 * | deliveredObjects | tenant, connection id, object key; or tenant, connection id, 0, default key | DeliveredEntry:
 * not a part of the source |
 * | deliveredTotals | tenant, connection id | DeliveredTotal: how many these are |
 * | sourceSchemas | tenant, connection id | SourceSchema: the columns that its last validation found |
 */
export const connectionTables = ['connections', 'deliveredObjects', 'deliveredTotals', 'sourceSchemas'] as const
