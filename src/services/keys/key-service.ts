import { createHmac } from 'node:crypto'
import { setImmediate as pause } from 'node:timers/promises'
import type { MetadataStore, Transaction } from '../../platform/metadata/metadata-store.ts'
import { AuditLog, commandLine, type Actor } from '../audit/audit-log.ts'
import type { Identity } from './identity.ts'
import { mintKey, mintKeyId } from './key-format.ts'
import type { KeyRecord, KeySummary } from './key-record.ts'
import { KeyRecords } from './key-records.ts'
import { KeyUses } from './key-uses.ts'
import { KeyVerifier } from './key-verifier.ts'
import { checkNoTenant, checkScopes, checkTenant, defaultScopes, isSandboxKey, KeyInputError } from './scopes.ts'
import type { StaticKeySummary } from './static-keys.ts'
import { maxKeysPerTenant } from './tenant-keys.ts'

export interface NewKey {
  /** Absent for a sandbox key, which belongs to no tenant. */
  tenant?: string | undefined
  /** Default: `defaultScopes`. */
  scopes?: readonly string[]
  name?: string | null
  expiresAtMs?: number | null
}

/** `key` is shown only once; the record keeps its hash. */
export interface IssuedKey {
  key: string
  summary: KeySummary
}

/** Runs in the transaction of a new secret, so that both exist or neither. */
export type WithinIssue = (tx: Transaction, issued: IssuedKey) => void

export interface KeyService {
  /** undefined for a key that is unknown, wrong, revoked or expired. Synchronous. */
  verify(key: string): Identity | undefined
  /** Throws KeyInputError. The audit log of the key's tenant records each change, with `by` as its author. */
  create(options: NewKey, within?: WithinIssue, by?: Actor): Promise<IssuedKey>
  /**
   * A page of the issued keys of all tenants, by id, including ended keys that are not forgotten yet. Starts after the
   * id `after`; an empty page is the end.
   */
  list(after?: string): KeySummary[]
  /** Issued keys of all tenants that are not revoked, newest first, after a position (`positionOf`). */
  newest(after: string | null, limit: number): KeySummary[]
  /** Valid issued keys of one tenant, unordered. */
  listTenant(tenant: string): KeySummary[]
  /** An issued key; an ended one until it is forgotten. */
  find(id: string): KeySummary | undefined
  listStatic(tenant: string | null): readonly StaticKeySummary[]
  findStatic(id: string): StaticKeySummary | undefined
  /**
   * Issues a new key for the id; the previous one stays valid for `overlapMs` (default 24 h). Throws KeyInputError,
   * also for an expired key.
   */
  rotate(id: string, options?: { overlapMs?: number }, within?: WithinIssue, by?: Actor): Promise<IssuedKey>
  /** False when there is no such key, or it was revoked before. Once it resolves, the key is invalid. */
  revoke(id: string, by?: Actor): Promise<boolean>
  /** Writes the last uses of keys to disk. Also runs every minute. */
  recordUses(): Promise<void>
  /**
   * Deletes the records of keys that ended long ago, and the oldest where a tenant has too many. Also runs every hour.
   */
  forgetEnded(): Promise<void>
  close(): Promise<void>
}

export interface KeyServiceOptions {
  metadata: MetadataStore
  pepper: Uint8Array
  environment: string
  /** Empty: none. */
  staticKeysFile: string
  onError: (error: Error) => void
  /** Default: a log without a limit. */
  audit?: AuditLog
  now?: () => number
}

const minuteMs = 60_000
const overlapMs = 24 * 60 * minuteMs
const forgetEveryMs = 60 * minuteMs
/** The most keys that one transaction forgets. */
const forgetBatch = 500

export function openKeyService (options: KeyServiceOptions): KeyService {
  return new RecordedKeys(options)
}

/** Creates, rotates and revokes keys on record. Writes their uses every minute, and forgets ended keys every hour. */
class RecordedKeys implements KeyService {
  readonly #metadata: MetadataStore
  readonly #audit: AuditLog
  readonly #environment: string
  readonly #now: () => number
  readonly #hash: (key: string) => Buffer
  readonly #uses: KeyUses
  readonly #records: KeyRecords
  readonly #verifier: KeyVerifier
  readonly #revoking = new Map<string, Promise<boolean>>()
  readonly #closing = new AbortController()
  readonly #timers: NodeJS.Timeout[]
  #forgetting = Promise.resolve()

  constructor (
    { metadata, pepper, environment, staticKeysFile, onError, audit = new AuditLog(metadata), now = Date.now }:
      KeyServiceOptions
  ) {
    this.#metadata = metadata
    this.#audit = audit
    this.#environment = environment
    this.#now = now
    this.#hash = (key) => createHmac('sha256', pepper).update(key).digest()
    this.#uses = new KeyUses(metadata)
    this.#records = new KeyRecords(metadata, this.#uses, now)
    this.#verifier = new KeyVerifier({
      records: this.#records,
      uses: this.#uses,
      hash: this.#hash,
      staticKeysFile,
      onError,
      now
    })
    const recording = setInterval(() => {
      this.recordUses().catch(onError)
    }, minuteMs).unref()
    const forgetting = setInterval(() => {
      this.#forgetting = this.forgetEnded().catch(onError)
    }, forgetEveryMs).unref()
    this.#timers = [recording, forgetting]
  }

  verify (key: string): Identity | undefined {
    return this.#verifier.verify(key)
  }

  async create ({ tenant, scopes, name = null, expiresAtMs = null }: NewKey, within?: WithinIssue,
    by: Actor = commandLine): Promise<IssuedKey> {
    const names = checkScopes(scopes ?? defaultScopes)
    const checked = { tenant: isSandboxKey(names) ? checkNoTenant(tenant) : checkTenant(tenant), scopes: names }
    if (expiresAtMs !== null && expiresAtMs <= this.#now()) {
      throw new KeyInputError('the key would have expired already')
    }
    for (;;) {
      const id = mintKeyId()
      const key = mintKey(this.#environment, id)
      const record: KeyRecord = {
        v: 1,
        id,
        ...checked,
        name,
        hash: this.#hash(key),
        previous: null,
        createdAtMs: this.#now(),
        rotatedAtMs: null,
        expiresAtMs,
        revokedAtMs: null
      }
      const issued = { key, summary: this.#records.summarize(record) }
      const isCreated = await this.#metadata.transact((tx) => {
        if (this.#records.count(record.tenant) >= maxKeysPerTenant) {
          throw new KeyInputError(
            `the tenant has ${maxKeysPerTenant} keys, the most that it may have; revoke one first`
          )
        }
        if (!this.#records.add(tx, record)) return false
        this.#records.forgetSome(tx, record.tenant)
        this.#audit.append(tx, record.tenant, by, { action: 'key.create', target: id, outcome: 'success' })
        within?.(tx, issued)
        return true
      }, laneOf(record.tenant)).catch((error: unknown) => this.#asRecorded(record, error))
      if (isCreated) return issued
    }
  }

  async rotate (id: string, rotation: { overlapMs?: number } = {}, within?: WithinIssue,
    by: Actor = commandLine): Promise<IssuedKey> {
    const key = mintKey(this.#environment, id)
    const tenant = this.#records.get(id)?.tenant
    const issued = await this.#metadata.transact((tx) => {
      const found = this.#records.read(tx, id)
      if (found === undefined) throw new KeyInputError(`no such key: ${id}`)
      if (found.revokedAtMs !== null) throw new KeyInputError(`key ${id} is revoked already; create another key`)
      const atMs = this.#now()
      if (found.expiresAtMs !== null && found.expiresAtMs <= atMs) {
        throw new KeyInputError('the key has expired, and a new secret would have too; create another key')
      }
      const previous = { hash: found.hash, untilMs: atMs + (rotation.overlapMs ?? overlapMs) }
      const next: KeyRecord = { ...found, hash: this.#hash(key), previous, rotatedAtMs: atMs }
      this.#records.put(tx, next)
      const result = { key, summary: this.#records.summarize(next) }
      this.#audit.append(tx, next.tenant, by, { action: 'key.rotate', target: id, outcome: 'success' })
      within?.(tx, result)
      return result
    }, tenant && laneOf(tenant))
    this.#verifier.forget(id)
    return issued
  }

  async revoke (id: string, by: Actor = commandLine): Promise<boolean> {
    // A revocation has no lane, so all tenants wait for it. Concurrent requests for one key share a single transaction.
    const underWay = this.#revoking.get(id)
    if (underWay !== undefined) return await underWay.then(() => false)
    if (this.#records.get(id)?.revokedAtMs !== null) return false
    const revocation = this.#handInRevocation(id, by).finally(() => this.#revoking.delete(id))
    this.#revoking.set(id, revocation)
    return await revocation
  }

  async #handInRevocation (id: string, by: Actor): Promise<boolean> {
    let changed: KeyRecord | undefined
    // In no lane, so that revoking a stolen key does not wait behind its requests. A tenant has few keys, so this is
    // bounded.
    const revoked = await this.#metadata.transact((tx) => {
      const found = this.#records.read(tx, id)
      if (found === undefined || found.revokedAtMs !== null) return false
      const record: KeyRecord = { ...found, revokedAtMs: this.#now() }
      changed = record
      this.#records.put(tx, record)
      this.#records.forgetSome(tx, record.tenant)
      this.#audit.append(tx, record.tenant, by, { action: 'key.revoke', target: id, outcome: 'success' })
      return true
    }).catch((error: unknown) => this.#asRecorded(changed, error))
    this.#verifier.forget(id)
    return revoked
  }

  list (after?: string): KeySummary[] {
    return this.#records.list(after)
  }

  newest (after: string | null, limit: number): KeySummary[] {
    return this.#records.newest(after, limit)
  }

  listTenant (tenant: string): KeySummary[] {
    return this.#records.listTenant(tenant)
  }

  find (id: string): KeySummary | undefined {
    return this.#records.find(id)
  }

  listStatic (tenant: string | null): readonly StaticKeySummary[] {
    return this.#verifier.listStatic(tenant)
  }

  findStatic (id: string): StaticKeySummary | undefined {
    return this.#verifier.findStatic(id)
  }

  async recordUses (): Promise<void> {
    await this.#uses.record()
  }

  async forgetEnded (): Promise<void> {
    for (const tenant of this.#records.tenants()) {
      await pause()
      const ids = this.#records.overdue(tenant)
      for (let at = 0; at < ids.length; at += forgetBatch) {
        if (this.#closing.signal.aborted) return
        await this.#metadata.transact((tx) => this.#records.forget(tx, ids.slice(at, at + forgetBatch)))
      }
    }
  }

  async close (): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    this.#closing.abort()
    await this.#forgetting
    this.#verifier.close()
    await this.recordUses()
  }

  #asRecorded (changed: KeyRecord | undefined, error: unknown): never {
    if (changed !== undefined) this.#records.asRecorded(changed)
    throw error
  }
}

/** A lane apart from that of the tenant's requests, so that replacing a stolen key does not wait for what it writes. */
function laneOf (tenant: string): string {
  return `keys of ${tenant}`
}
