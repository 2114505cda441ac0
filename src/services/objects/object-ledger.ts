import type { MetadataStore, Table, Transaction } from '../../platform/metadata/metadata-store.ts'
import { UsedBytes } from '../../platform/store/used-bytes.ts'
import type { JobFollower } from '../jobs/job-ledger.ts'
import { storedInput, type JobRecord } from '../jobs/job-record.ts'
import { ObjectCounts } from './object-counts.ts'
import { noSuchObject, notReady } from './object-errors.ts'
import type { ObjectStatus, StoredObject } from './object-record.ts'
import type { ObjectSweep, UploadEntry, UseEntry } from './tables.ts'

/** How long an upload may take that began just before its address expired. */
export const uploadGraceMs = 3_600_000
/**
 * When the bytes of a dropped object are deleted again, counted from the end of its address: soon, and once no upload
 * can still be in progress.
 */
const lateSweepsMs = [60_000, 86_400_000]
/** How long a failed upload stays visible. By then its bytes have been swept for the last time. */
export const failedKeptMs = 86_400_000

export interface ListPosition {
  status: ObjectStatus | null
  limit: number
  before: string | null
}

/**
 * Called with the bytes of an object whenever they change; 0 when it is deleted. It may throw when they grow, which
 * undoes the change.
 */
export type HoldBytes = (tx: Transaction, tenant: string, objectId: string, bytes: number) => void

/** Runs in the transaction that changes an object, so that both happen or neither. */
export type WithinObject = (tx: Transaction, record: StoredObject) => void

/**
 * The most that is read for one page, in one pass of the event loop. Beyond it the page is short, and the next one
 * continues there.
 */
const maxScanned = 250
const maxScannedBytes = 64 * 1024

/**
 * The records of all stored objects. Each method is one transaction and resolves once it is on disk. Nothing else
 * writes the tables of this folder.
 */
export class ObjectLedger {
  readonly #metadata: MetadataStore
  readonly #now: () => number
  readonly #hold: HoldBytes
  readonly #objects: Table<StoredObject>
  readonly #uploads: Table<UploadEntry>
  readonly #counts: ObjectCounts
  readonly bytes: UsedBytes<UseEntry, ObjectSweep>

  /** `now`: the wall clock in milliseconds. `maxObjects`: limit for each tenant. */
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

  /** One page, newest first; `next` is the `before` of the next page. */
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
   * Throws unless the object can be read. Deletion removes the record before the bytes, so a failed read finds its
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

  /** Changes the record unless it has failed. Returns the current record, so that the caller sees who came first. */
  async uploaded (tenant: string, objectId: string, found: { fileSize: number | null, isVerified: boolean },
    within?: WithinObject): Promise<StoredObject | undefined> {
    return await this.#metadata.transact((tx) => {
      const record = tx.get(this.#objects, [tenant, objectId])?.value
      if (record === undefined || record.status === 'failed' || record.isVerified) return record
      // A repeat changes nothing, so write nothing.
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
   * A file of this size has arrived for the object and counts from now on. Returns the current record, like `uploaded`.
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

  /** Fails an upload that never arrived or does not match its announcement. Unverified bytes are dropped. */
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
   * Fails an upload whose time is over, like `fail`; a completed one stays. The record of an upload that had failed
   * before is deleted.
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

  /** `isRead`: an open job reads the bytes, so they stay until it ends. */
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

  /** A job is only recorded while the objects that it reads exist, and keeps their bytes until it ends. */
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
    // When the object is deleted earlier, this entry finds nothing.
    tx.put(this.#uploads, [Math.max(this.#now(), lookAtMs(record)) + failedKeptMs, record.objectId], {
      tenant: record.tenant
    })
    this.#scheduleSweeps(tx, record)
    return failed
  }

  /**
   * Schedules deletions of the bytes: now, and again once the signed address, which cannot be revoked, takes no more
   * uploads. `last`: extra fields of the last one.
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
