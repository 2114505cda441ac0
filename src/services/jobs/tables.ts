/**
 * The tables of the job contract. `jobs` is the record; the others are indexes that the same transaction keeps true.
 *
 * | table | key | value |
 * |---|---|---|
 * | jobs | tenant, job id | JobRecord |
 * | active | job id | ActiveEntry: every job that is not terminal |
 * | outbox | job id | OutboxEntry: to be published |
 * | expiry | time, job id | tenant: delete at that time |
 * | tombstones | job id | Tombstone: deleted or expired; beats everything that a late run says |
 * | sweeps | time, prefix | SweepEntry: objects to delete at that time |
 * | queueState | name | what was last seen of the queue |
 */
export const jobTables = ['jobs', 'active', 'outbox', 'expiry', 'tombstones', 'sweeps', 'queueState'] as const

export interface ActiveEntry {
  tenant: string
}
export interface OutboxEntry {
  tenant: string
}
export interface ExpiryEntry {
  tenant: string
}
export interface Tombstone {
  tenant: string
  deletedAtMs: number
}
/** Delete everything under the key's prefix, except the run that won. */
export interface SweepEntry {
  keepRun: string | null
}
