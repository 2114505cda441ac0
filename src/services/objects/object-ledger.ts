import type { MetadataStore, Table, Transaction } from '../../platform/metadata/metadata-store.ts'
import { UsedBytes } from '../../platform/store/used-bytes.ts'
import type { JobFollower } from '../jobs/job-ledger.ts'
import { storedInput, type JobRecord } from '../jobs/job-record.ts'
import { ObjectCounts } from './object-counts.ts'
import { noSuchObject, notReady } from './object-errors.ts'
import type { ObjectStatus, StoredObject } from './object-record.ts'
import type { ObjectSweep, UploadEntry, UseEntry } from './tables.ts'

/** An upload that began just before its address expired may go on for so long. */
export const uploadGraceMs = 3_600_000
/**
 * After its address expired the bytes of a dropped object are deleted again: soon, and when no upload can be under
 * way any more.
 */
const lateSweepsMs = [60_000, 86_400_000]
/** For so long an upload that failed can be seen; by then its bytes have been swept for the last time. */
export const failedKeptMs = 86_400_000

export interface ListPosition {
  status: ObjectStatus | null
  limit: number
  before: string | null
}

/**
 * Told the bytes of an object whenever they change; 0 when it goes. May throw when they grow, which undoes the
 * change.
 */
export type HoldBytes = (tx: Transaction, tenant: string, objectId: string, bytes: number) => void

/** What has to come to be, or not, together with the change of an object: runs in its transaction. */
export type WithinObject = (tx: Transaction, record: StoredObject) => void

/**
 * What is read for one page, all in one turn of the event loop; beyond it a page is short, and the next one goes on
 * from there.
 */
const maxScanned = 1_000
const maxScannedBytes = 256 * 1024

/**
 * The record of every stored object. Each method is one transaction and resolves when it is on disk; nothing else
 * writes the tables of this room.
 */
export class ObjectLedger {
  readonly #metadata: MetadataStore
  readonly #now: () => number
  readonly #hold: HoldBytes
  readonly #objects: Table<StoredObject>
  readonly #uploads: Table<UploadEntry>
  readonly #counts: ObjectCounts
  readonly bytes: UsedBytes<UseEntry, ObjectSweep>

  /** `now`: the wall clock, milliseconds. `maxObjects`: of one tenant. */
  constructor (metadata: MetadataStore, now: () => number = Date.now, hold: HoldBytes = () => undefined,
    maxObjects: number = Infinity) {
    this.#hold = hold
    this.#metadata = metadata
    this.#now = now
    this.#objects = metadata.table('objects')
    this.#uploads = metadata.table('objectUploads')
    this.#counts = new ObjectCounts(metadata, maxObjects)
    this.bytes = new UsedBytes<UseEntry, ObjectSweep>({
      metadata,
      uses: 'objectUses',
      sweeps: 'objectSweeps',
      sweepOf: (objectId) => ({ objectId }),
      idOf: ({ objectId }) => objectId,
      onSwept: (tx, { tenant }) => {
        if (tenant !== undefined) this.#counts.remove(tx, tenant)
      },
      now: this.#now
    })
  }

  now (): number {
    return this.#now()
  }

  get (tenant: string, objectId: string): StoredObject | undefined {
    return this.#objects.get([tenant, objectId])?.value
  }

  /** One page, newest first; `next` is the `before` of the next one. */
  list (tenant: string, { status, limit, before }: ListPosition): { objects: StoredObject[], next: string | null } {
    const range = before === null
      ? { prefix: [tenant], reverse: true }
      : { start: [tenant], end: [tenant, before], reverse: true }
    const objects: StoredObject[] = []
    let scanned = 0
    let scannedBytes = 0
    let last: string | null = null
    for (const { value, bytes } of this.#objects.range(range)) {
      if (objects.length === limit || scanned === maxScanned || scannedBytes > maxScannedBytes) {
        return { objects, next: last }
      }
      scanned++
      scannedBytes += bytes
      last = value.objectId
      if (status === null || value.status === status) objects.push(value)
    }
    return { objects, next: null }
  }

  /**
   * Throws unless the object is there to be read. Its record goes before its bytes, so a read that failed has its
   * reason here.
   */
  assertUploaded (tenant: string, objectId: string): void {
    this.#assertUploaded(this.get(tenant, objectId))
  }

  async create (record: StoredObject, within?: WithinObject): Promise<void> {
    await this.#metadata.transact((tx) => {
      this.#counts.add(tx, record.tenant)
      if (!tx.createIfAbsent(this.#objects, [record.tenant, record.objectId], record)) {
        throw new Error(`object id ${record.objectId} is taken`)
      }
      tx.put(this.#uploads, [lookAtMs(record), record.objectId], { tenant: record.tenant })
      this.#hold(tx, record.tenant, record.objectId, record.fileSize ?? 0)
      within?.(tx, record)
    }, record.tenant)
  }

  /** Changes a record that has not failed; gives what is there afterwards, so that the caller sees who was faster. */
  async uploaded (tenant: string, objectId: string, found: { fileSize: number | null, isVerified: boolean },
    within?: WithinObject): Promise<StoredObject | undefined> {
    return await this.#metadata.transact((tx) => {
      const record = tx.get(this.#objects, [tenant, objectId])?.value
      if (record === undefined || record.status === 'failed' || record.isVerified) return record
      // Said once more: nothing has changed, and nothing is written of it.
      if (record.status === 'uploaded' && record.fileSize === found.fileSize && !found.isVerified) return record
      const after: StoredObject = {
        ...record,
        ...found,
        status: 'uploaded',
        uploadedAtMs: record.uploadedAtMs ?? this.#now()
      }
      tx.put(this.#objects, [tenant, objectId], after)
      this.#hold(tx, tenant, objectId, after.fileSize ?? 0)
      tx.delete(this.#uploads, [lookAtMs(record), objectId])
      within?.(tx, after)
      return after
    }, tenant)
  }

  /**
   * A file of this size has come for the object, and counts from now on. Gives what is there afterwards, as
   * `uploaded` does.
   */
  async received (tenant: string, objectId: string, bytes: number): Promise<StoredObject | undefined> {
    return await this.#metadata.transact((tx) => {
      const record = tx.get(this.#objects, [tenant, objectId])?.value
      if (record === undefined || record.status === 'failed' || record.fileSize !== null) return record
      const after: StoredObject = { ...record, fileSize: bytes }
      tx.put(this.#objects, [tenant, objectId], after)
      this.#hold(tx, tenant, objectId, bytes)
      return after
    }, tenant)
  }

  /**
   * The upload came to nothing, or to something else than was announced. Bytes that nobody has looked at yet are
   * given up.
   */
  async fail (tenant: string, objectId: string, within?: WithinObject): Promise<StoredObject | undefined> {
    return await this.#metadata.transact((tx) => {
      const record = tx.get(this.#objects, [tenant, objectId])?.value
      if (record === undefined || record.status === 'failed' || record.isVerified) return record
      const failed = this.#fail(tx, record)
      within?.(tx, failed)
      return failed
    }, tenant)
  }

  /**
   * As `fail`, for an upload whose time is over: one that was completed meanwhile stays. Of one that failed before,
   * the record goes.
   */
  async expireUpload (dueMs: number, objectId: string, tenant: string): Promise<StoredObject | undefined> {
    return await this.#metadata.transact((tx) => {
      tx.delete(this.#uploads, [dueMs, objectId])
      const record = tx.get(this.#objects, [tenant, objectId])?.value
      if (record?.status === 'failed') {
        this.#counts.remove(tx, tenant)
        tx.delete(this.#objects, [tenant, objectId])
      }
      return record?.status === 'presigned' ? this.#fail(tx, record) : undefined
    }, tenant)
  }

  /** `isRead`: a job that has not ended reads the bytes, so they stay until then. */
  async delete (tenant: string, objectId: string,
    within?: WithinObject): Promise<{ record: StoredObject, isRead: boolean } | undefined> {
    return await this.#metadata.transact((tx) => {
      const record = tx.get(this.#objects, [tenant, objectId])?.value
      if (record === undefined) return undefined
      this.#counts.begin(tx, tenant)
      tx.delete(this.#objects, [tenant, objectId])
      this.#hold(tx, tenant, objectId, 0)
      tx.delete(this.#uploads, [lookAtMs(record), objectId])
      this.#scheduleSweeps(tx, record, { tenant })
      within?.(tx, record)
      return { record, isRead: this.bytes.isUsed(tx, objectId) }
    }, tenant)
  }

  dueUploads (limit: number): Array<{ dueMs: number, objectId: string, tenant: string }> {
    return [...this.#uploads.range({ end: [this.#now() + 1], limit })]
      .map(({ key, value }) => ({ dueMs: Number(key[0]), objectId: String(key[1]), tenant: value.tenant }))
  }

  /** Objects that jobs read: they have to be there when the job is recorded, and their bytes stay until it ends. */
  readonly follower: JobFollower = {
    created: (tx, job) => {
      const { tenant, jobId } = job
      const objectId = storedInput(job)?.objectId
      if (objectId === undefined) return
      this.#assertUploaded(tx.get(this.#objects, [tenant, objectId])?.value)
      tx.put(this.bytes.uses, [objectId, jobId], { tenant })
    },
    ended: (tx, record) => {
      this.#release(tx, record)
      return record
    },
    buried: (tx, record) => this.#release(tx, record)
  }

  #assertUploaded (record: StoredObject | undefined): void {
    if (record === undefined) throw noSuchObject()
    if (record.status !== 'uploaded') throw notReady(record, this.#now())
  }

  #release (tx: Transaction, job: JobRecord): void {
    const { tenant, jobId } = job
    const { objectId, key = '' } = storedInput(job) ?? {}
    if (objectId === undefined) return
    this.bytes.release(tx, { id: objectId, jobId, key }, () => tx.get(this.#objects, [tenant, objectId]) !== undefined)
  }

  #fail (tx: Transaction, record: StoredObject): StoredObject {
    const failed: StoredObject = { ...record, status: 'failed', uploadedAtMs: null }
    tx.put(this.#objects, [record.tenant, record.objectId], failed)
    this.#hold(tx, record.tenant, record.objectId, 0)
    tx.delete(this.#uploads, [lookAtMs(record), record.objectId])
    // Should the object be deleted before, this finds nothing.
    tx.put(this.#uploads, [Math.max(this.#now(), lookAtMs(record)) + failedKeptMs, record.objectId], {
      tenant: record.tenant
    })
    this.#scheduleSweeps(tx, record)
    return failed
  }

  /**
   * At once, and again when the signed address, which nothing can take back, is no longer good for an upload. `last`:
   * what the last one says besides.
   */
  #scheduleSweeps (tx: Transaction, { objectId, key, presignExpiresAtMs }: StoredObject,
    last: Partial<ObjectSweep> = {}): void {
    const nowMs = this.#now()
    const late = lateSweepsMs.map((afterMs) => presignExpiresAtMs + afterMs).filter((dueMs) => dueMs > nowMs)
    const dueTimes = [nowMs, ...late]
    for (const dueMs of dueTimes) this.bytes.schedule(tx, dueMs, key, objectId, dueMs === dueTimes.at(-1) ? last : {})
  }
}

function lookAtMs ({ presignExpiresAtMs }: StoredObject): number {
  return presignExpiresAtMs + uploadGraceMs
}
