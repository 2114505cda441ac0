/**
 * The tables of stored objects. `objects` is the record; the others are indexes that the same transaction updates.
 * | table | key | value |
 * |---|---|---|
 * | objects | tenant, object id | StoredObject |
 * | objectUploads | time, object id | UploadEntry: fail a missing upload at that time, or forget a failed one |
 * | objectUses | object id, job id | UseEntry: an open job reads the object |
 * | objectSweeps | time, key | ObjectSweep: bytes to delete at that time, unless a job reads them |
 * | objectTotals | tenant | ObjectTotal: the number of objects, with deleted ones until their last sweep |
 */
export const objectTables = ['objects', 'objectUploads', 'objectUses', 'objectSweeps', 'objectTotals'] as const

export interface UploadEntry {
  tenant: string
}
export interface UseEntry {
  tenant: string
}
/** `tenant` marks the last sweep of a deleted object, which counts for the tenant until then. */
export interface ObjectSweep {
  objectId: string
  tenant?: string
}
export interface ObjectTotal {
  objects: number
}
