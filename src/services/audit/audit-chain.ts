import { createHash } from 'node:crypto'
import { setImmediate as pause } from 'node:timers/promises'
import { monotonicFactory } from 'ulid'
import type { Key, MetadataStore, Table, Transaction } from '../../platform/metadata/metadata-store.ts'
import { defined } from '../../platform/defined.ts'

/** What every record of a chain has besides the event that it describes. */
export interface Chained {
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

/** Key of a chain: the tenant, and what of the tenant it is about. */
export type ChainKey = readonly [tenant: string, ...about: string[]]

/** Records that one transaction of the sweep removes at most. */
const sweepBatch = 1000
/** Chains that the sweep looks at before others have their turn. */
const sweepPage = 200

/** Ids of one moment are in order too. */
const nextUlid = monotonicFactory()

/**
 * Chains of events, each only ever appended to, each record naming the hash of the one before it, so that a change of
 * an older record shows. Whoever can rewrite a whole chain with its head can still make a new one.
 */
export class AuditChain<E extends object> {
  readonly #metadata: MetadataStore
  /**
   * As JSON: a page of a thousand is read several times faster than from CBOR, and the chain is over these very
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
   * In the transaction of the change that the event describes. `same`: the event is in another chain too, with this
   * id and time.
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

  /** How many records of each chain are kept. */
  *lengths (): Iterable<{ chain: ChainKey, records: number }> {
    for (const { key, value: { first, next } } of this.#heads.range()) {
      yield { chain: key as unknown as ChainKey, records: next - first }
    }
  }

  /**
   * Removes the oldest of more than `kept` records, `limit` of them at most, and gives them. The chain goes on behind
   * them.
   */
  trim (tx: Transaction, chain: ChainKey, kept: number, limit: number): Array<E & Chained> {
    const head = tx.get(this.#heads, chain)?.value
    const surplus = head === undefined ? 0 : head.next - head.first - kept
    return surplus <= 0 ? [] : this.#forget(tx, chain, Math.min(surplus, limit), () => true)
  }

  /** Removes the record of this id and those before it, `limit` of them at most. */
  forgetUntil (tx: Transaction, chain: ChainKey, auditId: string, limit: number): void {
    this.#forget(tx, chain, limit, (record) => record.auditId <= auditId)
  }

  /** Removes what is older than that; a chain that has become empty goes when what it is about is gone. */
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
   * From the oldest kept record on, as long as they are over. What the next one names as the record before it stays
   * with the head.
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
