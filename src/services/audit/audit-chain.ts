import { createHash } from 'node:crypto'
import { setImmediate as pause } from 'node:timers/promises'
import type { Key, MetadataStore, Table, Transaction } from '../../platform/metadata/metadata-store.ts'
import { defined } from '../../platform/defined.ts'
import { orderedUlids } from '../../platform/new-ulid.ts'

/** The fields that every record of a chain has besides its event. */
export interface Chained {
  v: 1
  auditId: string
  atMs: number
  /** Hash of the record before it, hex; empty for the first. */
  prevHash: string
}

/** Kept apart from the records, so that cutting off either end of the chain is noticed. */
export interface AuditHead {
  v: 1
  first: number
  /** The sequence of the next record. */
  next: number
  /** The hash before the oldest kept record. */
  firstPrevHash: string
  lastHash: string
}

export type ChainVerdict = { ok: true, records: number } | { ok: false, at: number, auditId: string | null }

/** The tenant, and the parts that tell its chains apart. */
export type ChainKey = readonly [tenant: string, ...about: string[]]

/** The most records that one transaction of the sweep removes. */
const sweepBatch = 1000
/** Chains that the sweep reads before it yields to requests. */
const sweepPage = 200

/** Monotonic, so that ids of the same millisecond are in order too. */
const nextUlid = orderedUlids()

/**
 * Append-only chains of events. Each record holds the hash of the one before it, so that tampering with an older record
 * shows. Whoever can rewrite a whole chain and its head can still forge it.
 */
export class AuditChain<E extends object> {
  readonly #metadata: MetadataStore
  /**
   * JSON text: a page of a thousand reads several times faster than from CBOR, and the hashes are taken over these
   * texts.
   */
  readonly #records: Table<string>
  readonly #heads: Table<AuditHead>
  readonly #now: () => number

  constructor (metadata: MetadataStore, tables: { records: string, heads: string }, now: () => number = Date.now) {
    this.#metadata = metadata
    this.#records = metadata.table<string>(tables.records)
    this.#heads = metadata.table<AuditHead>(tables.heads)
    this.#now = now
  }

  /**
   * Call it in the transaction of the change that the event describes. `same`: the id and time of the same event in
   * another chain.
   */
  append (tx: Transaction, chain: ChainKey, event: E, same?: Pick<Chained, 'auditId' | 'atMs'>): E & Chained {
    const head = tx.get(this.#heads, chain)?.value ?? { v: 1, first: 0, next: 0, firstPrevHash: '', lastHash: '' }
    const atMs = same?.atMs ?? this.#now()
    const record: E & Chained = {
      v: 1,
      ...event,
      auditId: same?.auditId ?? `aud_${nextUlid(atMs)}`,
      atMs,
      prevHash: head.lastHash
    }
    const text = JSON.stringify(record)
    tx.put(this.#records, [...chain, head.next], text)
    tx.put(this.#heads, chain, { ...head, next: head.next + 1, lastHash: hashOf(text) })
    return record
  }

  has (chain: ChainKey): boolean {
    return this.#heads.get(chain) !== undefined
  }

  /** Newest first, from below the sequence `before`. */
  page (chain: ChainKey, limit: number, before: number | null): { records: Array<E & Chained>, next: number | null } {
    const head = this.#heads.get(chain)?.value
    if (head === undefined) return { records: [], next: null }
    const end = Math.min(before ?? head.next, head.next)
    const entries = this.#records.range({ start: [...chain, head.first], end: [...chain, end], reverse: true, limit })
    const records = [...entries].map(({ value }) => parse<E>(value))
    const oldest = end - records.length
    return { records, next: records.length > 0 && oldest > head.first ? oldest : null }
  }

  /** Goes through the chain from its oldest kept record; `at` is the sequence where it breaks. */
  verify (chain: ChainKey): ChainVerdict {
    const head = this.#heads.get(chain)?.value
    if (head === undefined) return { ok: true, records: 0 }
    let expected = head.firstPrevHash
    let sequence = head.first
    for (const { key, value } of this.#records.range({ prefix: chain })) {
      const { prevHash, auditId } = parse<E>(value)
      if (key.at(-1) !== sequence || prevHash !== expected) return { ok: false, at: sequence, auditId }
      expected = hashOf(value)
      sequence++
    }
    if (sequence !== head.next || expected !== head.lastHash) return { ok: false, at: sequence, auditId: null }
    return { ok: true, records: head.next - head.first }
  }

  /** The number of kept records of each chain. */
  *lengths (): Iterable<{ chain: ChainKey, records: number }> {
    for (const { key, value: { first, next } } of this.#heads.range()) {
      yield { chain: key as unknown as ChainKey, records: next - first }
    }
  }

  /**
   * Removes the oldest records beyond `kept`, at most `limit` of them, and returns them. The rest of the chain stays
   * verifiable.
   */
  trim (tx: Transaction, chain: ChainKey, kept: number, limit: number): Array<E & Chained> {
    const head = tx.get(this.#heads, chain)?.value
    const surplus = head === undefined ? 0 : head.next - head.first - kept
    return surplus <= 0 ? [] : this.#forget(tx, chain, Math.min(surplus, limit), () => true)
  }

  /** Removes the record with this id and all older ones, at most `limit`. */
  forgetUntil (tx: Transaction, chain: ChainKey, auditId: string, limit: number): void {
    this.#forget(tx, chain, limit, (record) => record.auditId <= auditId)
  }

  /** Removes records older than `olderThanMs`. An empty chain goes once its subject is gone. */
  async sweep (olderThanMs: number, isLive: (chain: ChainKey) => boolean): Promise<void> {
    let start: Key | undefined
    for (let isLast = false; !isLast;) {
      await pause()
      const page = [...this.#heads.range({ ...defined({ start }), limit: sweepPage })]
      for (const { key, value: head } of page) {
        const chain = key as unknown as ChainKey
        if (!this.#isDue(chain, head, olderThanMs, isLive)) continue
        while (await this.#metadata.transact((tx) => this.#sweepOne(tx, chain, olderThanMs, isLive)) === sweepBatch);
      }
      isLast = page.length < sweepPage
      start = page.at(-1)?.key
    }
  }

  #isDue (chain: ChainKey, { first, next }: AuditHead, olderThanMs: number,
    isLive: (chain: ChainKey) => boolean): boolean {
    const oldest = first === next ? undefined : this.#records.get([...chain, first])?.value
    return oldest === undefined ? !isLive(chain) : parse<E>(oldest).atMs < olderThanMs
  }

  #sweepOne (tx: Transaction, chain: ChainKey, olderThanMs: number, isLive: (chain: ChainKey) => boolean): number {
    const removed = this.#forget(tx, chain, sweepBatch, ({ atMs }) => atMs < olderThanMs).length
    const head = tx.get(this.#heads, chain)?.value
    if (head !== undefined && head.first === head.next && !isLive(chain)) tx.delete(this.#heads, chain)
    return removed
  }

  /**
   * Removes records from the oldest on while `isOver` holds. The head keeps the hash of the last one removed, from
   * which the rest is verified.
   */
  #forget (tx: Transaction, chain: ChainKey, limit: number,
    isOver: (record: E & Chained) => boolean): Array<E & Chained> {
    const head = tx.get(this.#heads, chain)?.value
    if (head === undefined) return []
    const removed: Array<E & Chained> = []
    let { firstPrevHash } = head
    for (const { key, value } of tx.range(this.#records, {
      start: [...chain, head.first],
      end: [...chain, head.next],
      limit
    })) {
      const record = parse<E>(value)
      if (!isOver(record)) break
      firstPrevHash = hashOf(value)
      tx.delete(this.#records, key)
      removed.push(record)
    }
    if (removed.length > 0) tx.put(this.#heads, chain, { ...head, first: head.first + removed.length, firstPrevHash })
    return removed
  }
}

function hashOf (text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function parse<E> (text: string): E & Chained {
  return JSON.parse(text) as E & Chained
}
