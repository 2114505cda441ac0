/**
 * | table | key | value |
 * |---|---|---|
 * | deliveryDue | tenant, time, job id | nothing: the job's record says the rest |
 */
export const deliveryTables = ['deliveryDue'] as const
