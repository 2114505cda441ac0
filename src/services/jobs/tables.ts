/**
 * The tables of the job contract. `jobs` is the record; the others are indexes that the same transaction updates.
 * | table | key | value |
 * |---|---|---|
 * | jobs | tenant, job id | JobRecord |
 * | active | job id | ActiveEntry: every open job |
 * | outbox | job id | OutboxEntry: to be published |
 * | expiry | time, job id | tenant: delete the job at that time |
 * | tombstones | job id | Tombstone: deleted or expired; overrides everything that a late run reports |
 * | sweeps | time, prefix | SweepEntry: objects to delete at that time |
 * | queueState | name | the last known state of the queue |
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
/** Delete everything under the key's prefix, except the outputs of the run that won. */
export interface SweepEntry {
  keepRun: string | null
}
