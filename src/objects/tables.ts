/**
 * The tables of stored objects. `objects` is the record; the others are indexes that the same transaction keeps true.
 *
 * | table | key | value |
 * |---|---|---|
 * | objects | tenant, object id | StoredObject |
 * | objectUploads | time, object id | UploadEntry: presigned; at that time it is looked whether anything came |
 * | objectUses | object id, job id | UseEntry: a job that has not ended reads the object |
 * | objectSweeps | time, key | ObjectSweep: bytes to delete at that time, unless a job reads them |
 */
export const objectTables = ['objects', 'objectUploads', 'objectUses', 'objectSweeps'] as const

export interface UploadEntry { tenant: string }
export interface UseEntry { tenant: string }
export interface ObjectSweep { objectId: string }
