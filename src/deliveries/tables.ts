/**
 * | table | key | value |
 * |---|---|---|
 * | deliveryDue | tenant, time, job id | nothing: the job's record says the rest |
 * | deliveredKeys | tenant, connection id, object key | DeliveredKey: not a part of any source |
 */
export const deliveryTables = ['deliveryDue', 'deliveredKeys'] as const

export interface DeliveredKey { jobId: string }
