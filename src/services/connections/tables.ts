/**
 * | table | key | value |
 * |---|---|---|
 * | connections | tenant, connection id | ConnectionRecord |
 * | deliveredObjects | tenant, connection id, object key; or tenant, connection id, 0, default key | DeliveredEntry |
 * | deliveredTotals | tenant, connection id | DeliveredTotal: the number of deliveredObjects |
 * | sourceSchemas | tenant, connection id | SourceSchema: the columns that the last validation found |
 * A source skips its delivered objects.
 */
export const connectionTables = ['connections', 'deliveredObjects', 'deliveredTotals', 'sourceSchemas'] as const
