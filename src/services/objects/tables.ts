/**
 * The tables of stored objects. `objects` is the record; the others are indexes that the same transaction keeps true.
 *
 * | table | key | value |
 * |---|---|---|
 * | objects | tenant, object id | StoredObject |
 * | objectUploads | time, object id | UploadEntry: at that time it is looked whether anything came; of a failed one,
 * its record goes |
 * | objectUses | object id, job id | UseEntry: a job that has not ended reads the object |
 * | objectSweeps | time, key | ObjectSweep: bytes to delete at that time, unless a job reads them |
 * | objectTotals | tenant | ObjectTotal: how many there are, with those that were deleted and have not been swept for
 * the last time |
 */
export const objectTables = ['objects', 'objectUploads', 'objectUses', 'objectSweeps', 'objectTotals'] as const

export interface UploadEntry {
  tenant: string
}
export interface UseEntry {
  tenant: string
}
/** `tenant`: the last one of an object that was deleted, which counts until then. */
export interface ObjectSweep {
  objectId: string
  tenant?: string
}
export interface ObjectTotal {
  objects: number
}
