import { createHmac } from 'node:crypto'
import { TabcastError } from '../../platform/errors.ts'
import type { MetadataStore, Table, Transaction } from '../../platform/metadata/metadata-store.ts'
import { SpreadCalls } from '../../platform/turns/spread-calls.ts'
import type { Vault } from '../../platform/vault/vault.ts'
import { AnswerRoom } from './answer-room.ts'
import { contextOf, type SavedAnswer } from './tables.ts'

/** The answer that a client gets. */
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
  /** SHA-256 over parameters, body and file, so equal requests have equal fingerprints. */
  fingerprint: string
}

/** Writes the answer in the same transaction as its effect, so that both exist or neither. */
export type SaveAnswer = (tx: Transaction, answer: Answer) => void

export interface IdempotencyOptions {
  metadata: MetadataStore
  vault: Vault
  /** Keys are kept as HMACs under this secret. */
  secret: Uint8Array
  keepMs: number
  waitMs: number
  /** Limit on the saved answers of each tenant; default: none. */
  maxBytes?: number
  now?: () => number
}

/** `settled`: the answer to the first request; undefined when it was refused or failed. */
interface InFlight {
  fingerprint: string
  settled: Promise<Answer | undefined>
  waiting: number
}

const sweepBatch = 500
/** Time that one transaction of the sweep may take of an event loop pass; it reads each answer. */
const sweepMs = 5
/** How many equal requests may wait for the first one. */
const maxWaiting = 128

/** Gives each Idempotency-Key of a tenant and route at most one effect. Repeats get the first answer. */
export class Idempotency {
  readonly #options: IdempotencyOptions
  readonly #now: () => number
  readonly #answers: Table<SavedAnswer>
  readonly #expiry: Table<Record<string, never>>
  readonly #room: AnswerRoom
  /** In memory is enough: only this process serves the data folder. */
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
   * Runs `work` unless an equal request did, and reports which. Only successful answers are kept, so a refused or
   * failed request may be sent again. An answer that `work` did not save itself is saved afterwards.
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

  /** Deletes expired answers. */
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
          // The key may have been used again since.
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
   * undefined: the first request was refused, and the caller tries itself. Waiting requests resume a few per pass of
   * the event loop.
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
