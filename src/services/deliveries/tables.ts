/**
 * | table | key | value |
 * |---|---|---|
 * | deliveryDue | tenant, time, job id | nothing; the job's record has the delivery |
 */
export const deliveryTables = ['deliveryDue'] as const
