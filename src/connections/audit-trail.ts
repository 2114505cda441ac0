import { createHash } from 'node:crypto'
import { ulid } from 'ulid'
import type { ConnectorCode } from '../connectors/connector-error.ts'
import type { MetadataStore, Table, Transaction } from '../metadata/metadata-store.ts'

export const auditActions = ['create', 'update', 'rotate', 'test', 'validate', 'list', 'read', 'deliver', 'delete'] as const
export const auditOutcomes = ['success', 'failure', 'skipped'] as const

export interface AuditEvent {
  action: typeof auditActions[number]
  outcome: typeof auditOutcomes[number]
  /** The key that asked. */
  keyId: string
  /** Of the request that asked, or of the one that made the job. */
  requestId: string
  jobId?: string | null
  objectUri?: string | null
  bytes?: number | null
  rows?: number | null
  errorCode?: ConnectorCode | null
}

export interface AuditRecord extends Required<AuditEvent> {
  v: 1
  auditId: string
  atMs: number
  /** Hash of the record before it, hex; empty for the first. */
  prevHash: string
}

/** The chain as a whole: its ends are kept apart from its records, so that cutting it at either end is noticed. */
export interface AuditHead {
  v: 1
  first: number
  /** One behind the last. */
  next: number
  /** What the oldest kept record names as the one before it. */
  firstPrevHash: string
  lastHash: string
}

export type ChainVerdict = { ok: true, records: number } | { ok: false, at: number, auditId: string | null }

/** Records that one transaction of the sweep removes at most. */
const sweepBatch = 1000

/**
 * What was done with each connection, by whom: only ever appended, each record naming the hash of the one before it, so that
 * a change of an older record shows. Whoever can rewrite the whole chain with its head can still make a new one.
 */
export class AuditTrail {
  readonly #metadata: MetadataStore
  /** As JSON: a page of a thousand is read several times faster than from CBOR, and the chain is over these very texts. */
  readonly #records: Table<string>
  readonly #heads: Table<AuditHead>
  readonly #now: () => number

  constructor (metadata: MetadataStore, now: () => number = Date.now) {
    this.#metadata = metadata
    this.#records = metadata.table<string>('connectionAudit')
    this.#heads = metadata.table<AuditHead>('connectionAuditHeads')
    this.#now = now
  }

  /** In the transaction of the change that the event describes. */
  append (tx: Transaction, tenant: string, connectionId: string, event: AuditEvent): void {
    const head = tx.get(this.#heads, [tenant, connectionId])?.value ?? { v: 1, first: 0, next: 0, firstPrevHash: '', lastHash: '' }
    const atMs = this.#now()
    const record: AuditRecord = {
      v: 1, jobId: null, objectUri: null, bytes: null, rows: null, errorCode: null, ...event, auditId: `aud_${ulid(atMs)}`, atMs, prevHash: head.lastHash
    }
    const text = JSON.stringify(record)
    tx.put(this.#records, [tenant, connectionId, head.next], text)
    tx.put(this.#heads, [tenant, connectionId], { ...head, next: head.next + 1, lastHash: hashOf(text) })
  }

  /** For events that change nothing else. */
  async add (tenant: string, connectionId: string, event: AuditEvent): Promise<void> {
    await this.#metadata.transact((tx) => this.append(tx, tenant, connectionId, event))
  }

  /** Whether the tenant has, or had, this connection and its trail is still kept. */
  has (tenant: string, connectionId: string): boolean {
    return this.#heads.get([tenant, connectionId]) !== undefined
  }

  /** Newest first, from below the sequence `before`. */
  page (tenant: string, connectionId: string, limit: number, before: number | null): { records: AuditRecord[], next: number | null } {
    const head = this.#heads.get([tenant, connectionId])?.value
    if (head === undefined) return { records: [], next: null }
    const end = Math.min(before ?? head.next, head.next)
    const entries = this.#records.range({ start: [tenant, connectionId, head.first], end: [tenant, connectionId, end], reverse: true, limit })
    const records = [...entries].map(({ value }) => parse(value))
    const oldest = end - records.length
    return { records, next: records.length > 0 && oldest > head.first ? oldest : null }
  }

  /** Goes through the chain from its oldest kept record; `at` is the sequence where it breaks. */
  verify (tenant: string, connectionId: string): ChainVerdict {
    const head = this.#heads.get([tenant, connectionId])?.value
    if (head === undefined) return { ok: true, records: 0 }
    let expected = head.firstPrevHash
    let sequence = head.first
    for (const { key, value } of this.#records.range({ prefix: [tenant, connectionId] })) {
      const { prevHash, auditId } = parse(value)
      if (key[2] !== sequence || prevHash !== expected) return { ok: false, at: sequence, auditId }
      expected = hashOf(value)
      sequence++
    }
    if (sequence !== head.next || expected !== head.lastHash) return { ok: false, at: sequence, auditId: null }
    return { ok: true, records: head.next - head.first }
  }

  /** Removes what is older than that; a trail that has become empty goes when its connection is gone. */
  async sweep (olderThanMs: number, isLive: (tenant: string, connectionId: string) => boolean): Promise<void> {
    for (const { key } of [...this.#heads.range()]) {
      const [tenant, connectionId] = key as [string, string]
      while (await this.#metadata.transact((tx) => this.#sweepOne(tx, tenant, connectionId, olderThanMs, isLive)) === sweepBatch);
    }
  }

  #sweepOne (tx: Transaction, tenant: string, connectionId: string, olderThanMs: number, isLive: (tenant: string, connectionId: string) => boolean): number {
    const head = tx.get(this.#heads, [tenant, connectionId])?.value
    if (head === undefined) return 0
    let removed = 0
    let { firstPrevHash } = head
    for (const { key, value } of tx.range(this.#records, { prefix: [tenant, connectionId], limit: sweepBatch })) {
      if (parse(value).atMs >= olderThanMs) break
      firstPrevHash = hashOf(value)
      tx.delete(this.#records, key)
      removed++
    }
    const first = head.first + removed
    if (first === head.next && !isLive(tenant, connectionId)) tx.delete(this.#heads, [tenant, connectionId])
    else if (removed > 0) tx.put(this.#heads, [tenant, connectionId], { ...head, first, firstPrevHash })
    return removed
  }
}

function hashOf (text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function parse (text: string): AuditRecord {
  return JSON.parse(text) as AuditRecord
}
