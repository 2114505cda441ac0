import { monotonicFactory } from 'ulid'
import type { JobFollower } from '../jobs/job-ledger.ts'
import type { CallbackStatus, JobRecord } from '../jobs/job-record.ts'
import type { Key, MetadataStore, Table, Transaction } from '../metadata/metadata-store.ts'
import type { RetrySchedule } from '../jobs/retry-schedule.ts'
import type { CallbackAttempt, CallbackMessage, CallbackType, DueEntry } from './tables.ts'

/** The callbacks of one tenant to one host, which wait for each other only. */
export interface Lane { tenant: string, host: string }
export interface DueCallback extends Lane { jobId: string, messageId: string }

/** What an attempt came to. `isFinal`: the endpoint wants no more. */
export interface Outcome extends CallbackAttempt { retryAfterMs: number, isFinal: boolean }

const nextUlid = monotonicFactory()

/**
 * The callbacks of every job. It writes inside the transactions that change the job, so that there is no end of a job
 * without its callback, and no callback of a job that is gone.
 */
export class CallbackLedger implements JobFollower {
  readonly #messages: Table<CallbackMessage>
  readonly #due: Table<DueEntry>
  readonly #schedule: RetrySchedule

  constructor (metadata: MetadataStore, schedule: RetrySchedule) {
    this.#messages = metadata.table('callbackMessages')
    this.#due = metadata.table('callbackDue')
    this.#schedule = schedule
  }

  ended (tx: Transaction, record: JobRecord): JobRecord {
    return this.announce(tx, record, record.status === 'completed' ? 'job.completed' : 'job.failed')
  }

  buried (tx: Transaction, { tenant, jobId }: JobRecord): void {
    for (const { key, value } of tx.range(this.#messages, { prefix: [tenant, jobId] })) {
      tx.delete(this.#messages, key)
      if (value.dueMs !== null) tx.delete(this.#due, dueKey(tenant, value))
    }
  }

  /** Says what happened to a job that has ended, if it has a callback. The record that is returned has to be written in the same transaction. */
  announce (tx: Transaction, record: JobRecord, type: CallbackType): JobRecord {
    if (record.callback === undefined) return record
    const nowMs = Date.now()
    const dueMs = this.#schedule.next(0, nowMs, record.expiresAtMs ?? Infinity)
    this.#write(tx, record, { v: 1, messageId: `msg_${nextUlid()}`, type, atMs: nowMs, host: hostOf(record.callback.url), dueMs, attempts: [] })
    return this.#withStatus(tx, record, record.callback)
  }

  /** Notes an attempt and plans the next one. To be called, and its record written, in the transaction that it is given. */
  settle (tx: Transaction, record: JobRecord, messageId: string, { retryAfterMs, isFinal, ...attempt }: Outcome): JobRecord {
    const message = tx.get(this.#messages, [record.tenant, record.jobId, messageId])?.value
    if (message === undefined || record.callback === undefined) return record
    if (message.dueMs !== null) tx.delete(this.#due, dueKey(record.tenant, message))
    const attempts = [...message.attempts, attempt]
    const isOver = attempt.error === null || isFinal
    const dueMs = isOver ? null : this.#schedule.next(attempts.length, Date.now(), record.expiresAtMs ?? Infinity, retryAfterMs)
    this.#write(tx, record, { ...message, dueMs, attempts })
    return this.#withStatus(tx, record, record.callback)
  }

  get (tenant: string, jobId: string, messageId: string): CallbackMessage | undefined {
    return this.#messages.get([tenant, jobId, messageId])?.value
  }

  /** In order of their announcement. */
  messages (tenant: string, jobId: string): CallbackMessage[] {
    return [...this.#messages.range({ prefix: [tenant, jobId] })].map(({ value }) => value)
  }

  /** Lanes in which something waits or will be due, from behind `after` on. */
  * lanes (after?: Lane): Iterable<Lane> {
    let start: Key | undefined = after === undefined ? undefined : behind(after)
    for (;;) {
      const [first] = this.#due.range(start === undefined ? { limit: 1 } : { start, limit: 1 })
      if (first === undefined) return
      const lane = { tenant: String(first.key[0]), host: String(first.key[1]) }
      yield lane
      start = behind(lane)
    }
  }

  /** What is due in a lane, the longest waiting first. */
  due ({ tenant, host }: Lane, nowMs: number, limit: number): DueCallback[] {
    return [...this.#due.range({ start: [tenant, host], end: [tenant, host, nowMs + 1], limit })]
      .map(({ key, value }) => ({ tenant, host, jobId: value.jobId, messageId: String(key[3]) }))
  }

  #write (tx: Transaction, { tenant, jobId }: JobRecord, message: CallbackMessage): void {
    tx.put(this.#messages, [tenant, jobId, message.messageId], message)
    if (message.dueMs !== null) tx.put(this.#due, dueKey(tenant, message), { jobId })
  }

  #withStatus (tx: Transaction, record: JobRecord, callback: NonNullable<JobRecord['callback']>): JobRecord {
    const messages = tx.range(this.#messages, { prefix: [record.tenant, record.jobId] })
    return { ...record, callback: { ...callback, status: jointStatus(messages.map(({ value }) => statusOf(value))) } }
  }
}

function dueKey (tenant: string, { host, dueMs, messageId }: CallbackMessage): Key {
  return [tenant, host, dueMs ?? 0, messageId]
}

/** An address that cannot be read, which the attempt will say, must not keep a job from ending. */
function hostOf (url: string): string {
  return URL.canParse(url) ? new URL(url).host : ''
}

/** Texts come after numbers, so this is behind every time of the lane. */
function behind ({ tenant, host }: Lane): Key {
  return [tenant, host, '']
}

function statusOf ({ dueMs, attempts }: CallbackMessage): CallbackStatus {
  if (dueMs !== null) return attempts.length === 0 ? 'pending' : 'delivering'
  return attempts.at(-1)?.error === null ? 'delivered' : 'failed'
}

/** Of several announcements, one that is not over counts before those that are, and a failure before a success. */
function jointStatus (statuses: readonly CallbackStatus[]): CallbackStatus {
  const order: readonly CallbackStatus[] = ['delivering', 'pending', 'failed']
  return order.find((status) => statuses.includes(status)) ?? 'delivered'
}
