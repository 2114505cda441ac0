import { createHmac, timingSafeEqual } from 'node:crypto'
import { setImmediate as pause } from 'node:timers/promises'
import type { MetadataStore, Table, Transaction } from '../../platform/metadata/metadata-store.ts'
import { AuditLog, commandLine, type Actor } from '../audit/audit-log.ts'
import type { Identity } from './identity.ts'
import { isKeyId, mintKey, mintKeyId, readKeyId } from './key-format.ts'
import { KeyOrder } from './key-order.ts'
import type { KeyRecord, KeySummary, KeyUse } from './key-record.ts'
import { checkNoTenant, checkScopes, checkTenant, defaultScopes, isSandboxKey, KeyInputError, ownTenant, sandboxTenant,
  type Scope } from './scopes.ts'
import { watchStaticKeys, type StaticKeys } from './static-keys.ts'
import { maxKeysPerTenant, TenantKeys } from './tenant-keys.ts'
import { VerifiedKeys } from './verified-keys.ts'

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

/** A key of the static map, which only a change of the file can change. */
export interface StaticKeySummary {
  id: string
  /** null: the key belongs to no tenant. */
  tenant: string | null
  scopes: readonly Scope[]
}

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
  listStatic(): StaticKeySummary[]
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
/** The size of a page of all keys. */
const pageKeys = 100
/** The most uses that one transaction writes, so that other work gets its turn. */
const notedAtOnce = 200
/**
 * The most keys that are forgotten along with a change of a key: more than the change can add, so that the backlog
 * shrinks.
 */
const forgetBeside = 10

export function openKeyService (options: KeyServiceOptions): KeyService {
  const { metadata, pepper, environment, staticKeysFile, onError, audit = new AuditLog(metadata), now = Date.now } =
    options
  const keys = metadata.table<KeyRecord>('keys')
  const uses = metadata.table<KeyUse>('keyUses')
  const verified = new VerifiedKeys()
  const tenantKeys = new TenantKeys()
  const order = new KeyOrder(indexed())
  const pendingUses = new Map<string, number>()
  const revoking = new Map<string, Promise<boolean>>()
  const hash = (key: string): Buffer => createHmac('sha256', pepper).update(key).digest()
  // An unknown id is compared with this hash, so that it takes the same path and time as a wrong secret.
  const absent = hash('')

  let staticKeys: StaticKeys | undefined
  if (staticKeysFile !== '') {
    staticKeys = watchStaticKeys({
      path: staticKeysFile,
      digest: (key) => hash(key).toString('hex'),
      onChange: () => verified.clear(),
      onError
    })
  }
  const timer = setInterval(() => {
    recordUses().catch(onError)
  }, minuteMs).unref()
  const closing = new AbortController()
  let forgetting = Promise.resolve()
  const forgetTimer = setInterval(() => {
    forgetting = forgetEnded().catch(onError)
  }, forgetEveryMs).unref()

  function verify (key: string): Identity | undefined {
    const nowMs = now()
    const known = verified.get(key, nowMs) ?? remember(key, nowMs)
    if (known === undefined) return undefined
    if (known.issued) pendingUses.set(known.identity.keyId, nowMs)
    return known.identity
  }

  function remember (key: string, nowMs: number) {
    const found = verifyIssued(key, nowMs) ?? verifyStatic(key)
    if (found !== undefined) verified.set(key, found)
    return found
  }

  function verifyIssued (key: string, nowMs: number) {
    const id = readKeyId(key)
    if (id === undefined) return undefined
    const record = keys.get([id])?.value
    const given = hash(key)
    const isCurrent = timingSafeEqual(given, record?.hash ?? absent)
    const isPrevious = timingSafeEqual(given, record?.previous?.hash ?? absent)
    if (record === undefined || record.revokedAtMs !== null || (!isCurrent && !isPrevious)) return undefined
    const expiresAtMs = Math.min(record.expiresAtMs ?? Infinity, isCurrent ? Infinity : record.previous?.untilMs ?? 0)
    if (nowMs >= expiresAtMs) return undefined
    return {
      identity: { keyId: id, ...ownerOf(record, record.tenant), expiresAtMs: record.expiresAtMs },
      expiresAtMs,
      issued: true
    }
  }

  function verifyStatic (key: string) {
    if (staticKeys === undefined) return undefined
    const digest = hash(key).toString('hex')
    const found = staticKeys.find(digest)
    if (found === undefined) return undefined
    return {
      identity: { keyId: staticKeyId(digest), ...ownerOf(found, ownTenant(digest)), expiresAtMs: null },
      expiresAtMs: Infinity,
      issued: false
    }
  }

  async function create ({ tenant, scopes, name = null, expiresAtMs = null }: NewKey, within?: WithinIssue,
    by: Actor = commandLine) {
    const names = checkScopes(scopes ?? defaultScopes)
    const checked = { tenant: isSandboxKey(names) ? checkNoTenant(tenant) : checkTenant(tenant), scopes: names }
    if (expiresAtMs !== null && expiresAtMs <= now()) throw new KeyInputError('the key would have expired already')
    for (;;) {
      const id = mintKeyId()
      const key = mintKey(environment, id)
      const record: KeyRecord = {
        v: 1,
        id,
        ...checked,
        name,
        hash: hash(key),
        previous: null,
        createdAtMs: now(),
        rotatedAtMs: null,
        expiresAtMs,
        revokedAtMs: null
      }
      const issued = { key, summary: summarize(record, uses) }
      const isCreated = await metadata.transact((tx) => {
        if (tenantKeys.working(record.tenant, now()).length >= maxKeysPerTenant) {
          throw new KeyInputError(
            `the tenant has ${maxKeysPerTenant} keys, the most that it may have; revoke one first`
          )
        }
        if (!tx.createIfAbsent(keys, [id], record)) return false
        // Index the key now, so that keys that are created at the same time count each other.
        index(record)
        forget(tx, tenantKeys.overdue(record.tenant, now()).slice(0, forgetBeside))
        audit.append(tx, record.tenant, by, { action: 'key.create', target: id, outcome: 'success' })
        within?.(tx, issued)
        return true
      }, laneOf(record.tenant)).catch((error: unknown) => asRecorded(record, error))
      if (isCreated) return issued
    }
  }

  function working (tenant: string): KeyRecord[] {
    // A key that is being created, or whose creation failed, has no record.
    return tenantKeys.working(tenant, now()).flatMap((id) => keys.get([id])?.value ?? [])
  }

  async function rotate (id: string, rotation: { overlapMs?: number } = {}, within?: WithinIssue,
    by: Actor = commandLine) {
    const key = mintKey(environment, id)
    const tenant = keys.get([id])?.value.tenant
    const issued = await metadata.transact((tx) => {
      const found = tx.get(keys, [id])
      if (found === undefined) throw new KeyInputError(`no such key: ${id}`)
      if (found.value.revokedAtMs !== null) throw new KeyInputError(`key ${id} is revoked already; create another key`)
      const atMs = now()
      if (found.value.expiresAtMs !== null && found.value.expiresAtMs <= atMs) {
        throw new KeyInputError('the key has expired, and a new secret would have too; create another key')
      }
      const previous = { hash: found.value.hash, untilMs: atMs + (rotation.overlapMs ?? overlapMs) }
      const next: KeyRecord = { ...found.value, hash: hash(key), previous, rotatedAtMs: atMs }
      tx.put(keys, [id], next)
      const result = { key, summary: summarize(next, uses) }
      audit.append(tx, next.tenant, by, { action: 'key.rotate', target: id, outcome: 'success' })
      within?.(tx, result)
      return result
    }, tenant && laneOf(tenant))
    verified.forget(id)
    return issued
  }

  async function revoke (id: string, by: Actor = commandLine): Promise<boolean> {
    // What waits in no lane is handed in once, however often it is asked for.
    const underWay = revoking.get(id)
    if (underWay !== undefined) return await underWay.then(() => false)
    if (keys.get([id])?.value.revokedAtMs !== null) return false
    const revocation = handInRevocation(id, by).finally(() => revoking.delete(id))
    revoking.set(id, revocation)
    return await revocation
  }

  async function handInRevocation (id: string, by: Actor): Promise<boolean> {
    let changed: KeyRecord | undefined
    // In no lane, so that revoking a stolen key does not wait behind its requests. A tenant has few keys, so this is
    // bounded.
    const revoked = await metadata.transact((tx) => {
      const found = tx.get(keys, [id])
      if (found === undefined || found.value.revokedAtMs !== null) return false
      const record: KeyRecord = { ...found.value, revokedAtMs: now() }
      changed = record
      tx.put(keys, [id], record)
      index(record)
      forget(tx, tenantKeys.overdue(record.tenant, now()).slice(0, forgetBeside))
      audit.append(tx, record.tenant, by, { action: 'key.revoke', target: id, outcome: 'success' })
      return true
    }).catch((error: unknown) => asRecorded(changed, error))
    verified.forget(id)
    return revoked
  }

  /** All keys on record. Each is added to one index on its way to the other. */
  function* indexed (): Iterable<KeyRecord> {
    for (const { value } of keys.range()) {
      tenantKeys.add(value.tenant, value.id, endOf(value))
      if (value.revokedAtMs === null) yield value
    }
  }

  function index (record: KeyRecord): void {
    tenantKeys.add(record.tenant, record.id, endOf(record))
    if (record.revokedAtMs === null) order.add(record)
    else order.remove(record)
  }

  function unindex (record: KeyRecord): void {
    tenantKeys.remove(record.tenant, record.id)
    order.remove(record)
  }

  /** Puts the indexes back to what is recorded, after a change that was not written. */
  function asRecorded (changed: KeyRecord | undefined, error: unknown): never {
    if (changed !== undefined) {
      const record = keys.get([changed.id])?.value
      if (record === undefined) unindex(changed)
      else index(record)
    }
    throw error
  }

  /** Nobody can tell that the keys existed: an ended key gets the same refusal as an unknown one. */
  function forget (tx: Transaction, ids: readonly string[]): void {
    for (const id of ids) {
      const record = tx.get(keys, [id])?.value
      if (record === undefined) continue
      tx.delete(keys, [id])
      tx.delete(uses, [id])
      // When the commit fails, the next start indexes the key again.
      unindex(record)
    }
  }

  async function forgetEnded (): Promise<void> {
    for (const tenant of tenantKeys.tenants()) {
      await pause()
      const ids = tenantKeys.overdue(tenant, now())
      for (let at = 0; at < ids.length; at += forgetBatch) {
        if (closing.signal.aborted) return
        await metadata.transact((tx) => forget(tx, ids.slice(at, at + forgetBatch)))
      }
    }
  }

  async function recordUses (): Promise<void> {
    if (pendingUses.size === 0) return
    const noted = [...pendingUses]
    pendingUses.clear()
    for (let at = 0; at < noted.length; at += notedAtOnce) {
      await metadata.transact((tx) => noteUses(tx, noted.slice(at, at + notedAtOnce)))
    }
  }

  function noteUses (tx: Transaction, noted: Array<[string, number]>): void {
    for (const [id, atMs] of noted) {
      // The use of a forgotten key would stay for ever.
      if (tx.get(keys, [id]) === undefined) continue
      const lastUsedAtMs = Math.floor(atMs / minuteMs) * minuteMs
      if (tx.get(uses, [id])?.value.lastUsedAtMs !== lastUsedAtMs) tx.put(uses, [id], { lastUsedAtMs })
    }
  }

  async function close (): Promise<void> {
    clearInterval(timer)
    clearInterval(forgetTimer)
    closing.abort()
    await forgetting
    staticKeys?.close()
    await recordUses()
  }

  const list = (after?: string) => {
    const behind = [...keys.range({ ...(after === undefined ? {} : { start: [after] }), limit: pageKeys + 1 })].filter((
      { key }
    ) => key[0] !== after)
    return behind.slice(0, pageKeys).map(({ value }) => summarize(value, uses))
  }
  const newest = (after: string | null, limit: number) => {
    const page: KeySummary[] = []
    for (const id of order.behind(after)) {
      // A key that is being created has no record yet.
      const found = find(id)
      if (found !== undefined) page.push(found)
      if (page.length === limit) break
    }
    return page
  }
  const listTenant = (tenant: string) => working(tenant).map((record) => summarize(record, uses))
  const find = (id: string): KeySummary | undefined => {
    const record = isKeyId(id) ? keys.get([id])?.value : undefined
    return record === undefined ? undefined : summarize(record, uses)
  }
  const listStatic = () =>
    [...staticKeys?.entries() ?? []].map(([digest, { tenant, scopes }]) => ({
      id: staticKeyId(digest),
      tenant,
      scopes
    }))
  return { verify, create, list, newest, listTenant, find, listStatic, rotate, revoke, recordUses, forgetEnded, close }
}

/** Not that of its requests: who replaces a stolen key does not wait for what it writes. */
function laneOf (tenant: string): string {
  return `keys of ${tenant}`
}

function endOf ({ revokedAtMs, expiresAtMs }: KeyRecord): number {
  return Math.min(revokedAtMs ?? Infinity, expiresAtMs ?? Infinity)
}

/** The owner of the data; `own` is the slug of a key without a tenant. */
function ownerOf ({ tenant, scopes }: { tenant: string | null, scopes: readonly Scope[] },
  own: string): Pick<Identity, 'tenant' | 'hasTenant' | 'scopes'> {
  if (isSandboxKey(scopes)) return { tenant: sandboxTenant, hasTenant: false, scopes: new Set(scopes) }
  return { tenant: tenant ?? own, hasTenant: tenant !== null, scopes: new Set(scopes) }
}

function staticKeyId (digest: string): string {
  return digest.slice(0, 8)
}

function summarize ({ v, hash, previous, ...shown }: KeyRecord, uses: Table<KeyUse>): KeySummary {
  return { ...shown, lastUsedAtMs: uses.get([shown.id])?.value.lastUsedAtMs ?? null }
}
