import { createHmac } from 'node:crypto'
import { TabcastError } from '../../platform/errors.ts'
import type { MetadataStore, Table, Transaction } from '../../platform/metadata/metadata-store.ts'
import { SpreadCalls } from '../../platform/turns/spread-calls.ts'
import type { Vault } from '../../platform/vault/vault.ts'
import { AnswerRoom } from './answer-room.ts'
import { contextOf, type SavedAnswer } from './tables.ts'

/** What a client was, or will be, told. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body: string
}

/** One request with an Idempotency-Key. */
export interface KeyedRequest {
  tenant: string
  /** Method and route, without the values of parameters. */
  route: string
  key: string
  /** Equal for equal requests: SHA-256 over parameters, body and file. */
  fingerprint: string
}

/** Writes the answer in the transaction that brings about what it tells, so that both exist or neither. */
export type SaveAnswer = (tx: Transaction, answer: Answer) => void

export interface IdempotencyOptions {
  metadata: MetadataStore
  vault: Vault
  /** Keys are kept as HMACs under this secret. */
  secret: Uint8Array
  keepMs: number
  waitMs: number
  /** Of the saved answers of one tenant; default: no bound. */
  maxBytes?: number
  now?: () => number
}

/** `settled`: what the first request was told; undefined: it was refused, or failed. */
interface InFlight {
  fingerprint: string
  settled: Promise<Answer | undefined>
  waiting: number
}

const sweepBatch = 500
/** Of a turn of the event loop, that a transaction over them takes: each answer is read. */
const sweepMs = 5
/** Equal requests that wait for the first one. */
const maxWaiting = 128

/** At most one effect for each Idempotency-Key of a tenant and route: repeats get the first answer. */
export class Idempotency {
  readonly #options: IdempotencyOptions
  readonly #now: () => number
  readonly #answers: Table<SavedAnswer>
  readonly #expiry: Table<Record<string, never>>
  readonly #room: AnswerRoom
  /** Only this process answers for the data folder, so requests under way are known here or nowhere. */
  readonly #inFlight = new Map<string, InFlight>()
  readonly #resumed = new SpreadCalls((error) => {
    throw error
  })

  constructor (options: IdempotencyOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#answers = options.metadata.table('idempotency')
    this.#expiry = options.metadata.table('idempotencyExpiry')
    const { metadata, keepMs, maxBytes = Infinity } = options
    this.#room = new AnswerRoom({ metadata, keepMs, maxBytes, now: this.#now })
  }

  /**
   * Does `work` unless an equal request did it, and tells which. Only answers of success are kept, so that a refused or
   * failed request may be sent again. An answer that `work` did not save itself is saved after it.
   */
  async answer (request: KeyedRequest,
    work: (save: SaveAnswer) => Promise<Answer>): Promise<{ answer: Answer, replayed: boolean }> {
    const record = this.#recordKey(request)
    const giveUpMs = performance.now() + this.#options.waitMs
    for (;;) {
      const saved = this.#find(record, request)
      if (saved !== undefined) return { answer: saved, replayed: true }
      const first = this.#inFlight.get(record.join('\n'))
      if (first === undefined) return { answer: await this.#lead(record, request, work), replayed: false }
      if (first.fingerprint !== request.fingerprint) throw otherRequest()
      const answer = await this.#wait(first, giveUpMs)
      if (answer !== undefined) return { answer, replayed: true }
    }
  }

  /** Forgets answers whose time is over. */
  async sweep (): Promise<void> {
    for (;;) {
      const due = [...this.#expiry.range({ end: [this.#now()], limit: sweepBatch })].map(({ key }) => key)
      if (due.length === 0) return
      await this.#options.metadata.transact((tx) => {
        const endMs = performance.now() + sweepMs
        for (const key of due) {
          if (performance.now() >= endMs) break
          tx.delete(this.#expiry, key)
          const record = key.slice(1)
          // The key may have been used anew since.
          if ((tx.get(this.#answers, record)?.value.expiresAtMs ?? Infinity) <= this.#now()) {
            tx.delete(this.#answers, record)
          }
        }
      })
    }
  }

  async #lead (record: string[], request: KeyedRequest, work: (save: SaveAnswer) => Promise<Answer>): Promise<Answer> {
    this.#room.check(request.tenant)
    const name = record.join('\n')
    let settle: (answer: Answer | undefined) => void = () => undefined
    this.#inFlight.set(name, {
      fingerprint: request.fingerprint,
      settled: new Promise((resolve) => {
        settle = resolve
      }),
      waiting: 0
    })
    let told: Answer | undefined
    try {
      let isSaved = false
      const answer = await work((tx, answer) => {
        this.#put(tx, record, request, answer)
        isSaved = true
      })
      if (!isSaved) {
        await this.#options.metadata.transact((tx) => this.#put(tx, record, request, answer), request.tenant)
      }
      told = answer
      return answer
    } finally {
      this.#inFlight.delete(name)
      settle(told)
    }
  }

  /**
   * undefined: the first one was refused, and then the next one tries. Those who waited go on a few in each turn of the
   * event loop.
   */
  async #wait (first: InFlight, giveUpMs: number): Promise<Answer | undefined> {
    if (first.waiting >= maxWaiting) throw stillUnderWay()
    let timer: NodeJS.Timeout | undefined
    const late = Symbol('late')
    first.waiting++
    const end = await Promise.race([
      first.settled,
      new Promise<typeof late>((resolve) => {
        timer = setTimeout(() => resolve(late), Math.max(0, giveUpMs - performance.now()))
      })
    ])
    first.waiting--
    clearTimeout(timer)
    await new Promise<void>((resolve) => this.#resumed.call(resolve))
    if (end === late) throw stillUnderWay()
    return end as Answer | undefined
  }

  #find (record: string[], { fingerprint }: KeyedRequest): Answer | undefined {
    const saved = this.#answers.get(record)?.value
    if (saved === undefined || saved.expiresAtMs <= this.#now()) return undefined
    if (saved.fingerprint !== fingerprint) throw otherRequest()
    return JSON.parse(this.#options.vault.open(saved.answer, contextOf(record)).toString()) as Answer
  }

  #put (tx: Transaction, record: string[], { tenant, fingerprint }: KeyedRequest, answer: Answer): void {
    const expiresAtMs = this.#now() + this.#options.keepMs
    const text = JSON.stringify(answer)
    const sealed = this.#options.vault.seal(text, contextOf(record))
    this.#room.add(tx, tenant, expiresAtMs, Buffer.byteLength(text))
    tx.put(this.#answers, record, { v: 1, fingerprint, expiresAtMs, answer: sealed })
    tx.put(this.#expiry, [expiresAtMs, ...record], {})
  }

  #recordKey ({ tenant, route, key }: KeyedRequest): string[] {
    const digest = createHmac('sha256', this.#options.secret).update(
      JSON.stringify(['idempotency', tenant, route, key])
    ).digest('base64url')
    return [tenant, route, digest]
  }
}

function otherRequest (): TabcastError {
  return new TabcastError('idempotency_conflict', 'This Idempotency-Key was used with another request.', {
    reason: 'different_request',
    suggestion: 'Use a new key for a new request; repeat a request with exactly the same content.'
  })
}

function stillUnderWay (): TabcastError {
  return new TabcastError('idempotency_conflict', 'An equal request with this Idempotency-Key is still under way.', {
    reason: 'in_progress',
    suggestion: 'Repeat the request later.',
    retryable: true,
    retryAfterSeconds: 5
  })
}
