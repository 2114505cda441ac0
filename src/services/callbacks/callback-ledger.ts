import { DueTable, type Lane } from '../../platform/due-work/due-table.ts'
import type { RetrySchedule } from '../../platform/due-work/retry-schedule.ts'
import type { MetadataStore, Table, Transaction } from '../../platform/metadata/metadata-store.ts'
import type { JobFollower } from '../jobs/job-ledger.ts'
import type { CallbackStatus, JobRecord } from '../jobs/job-record.ts'
import type { EndpointLedger } from './endpoint-ledger.ts'
import { testType, type AnnouncedType, type CallbackAttempt, type CallbackMessage, type CallbackType, type DueEntry,
  type UnsentEntry } from './tables.ts'
import { WaitingMessages } from './waiting-messages.ts'
import { keptTestEvents, keptUnsent, type WebhookEndpoint } from './webhook-endpoint.ts'
import { defined } from '../../platform/defined.ts'
import { orderedUlids } from '../../platform/new-ulid.ts'

/** The result of an attempt. `isFinal`: the endpoint wants no further one. */
export interface Outcome extends CallbackAttempt {
  retryAfterMs: number
  isFinal: boolean
}

/** A message to the callback_url of a job. */
export interface JobCallback extends CallbackMessage {
  type: AnnouncedType
}

/** A message to an endpoint. `subject` is its job; for a test event, the endpoint. */
export interface EndpointMessage extends CallbackMessage {
  endpointId: string
  subject: string
}

export interface CallbackLedgerDeps {
  metadata: MetadataStore
  schedule: RetrySchedule
  endpoints: EndpointLedger
  /** The maximum number of messages of one tenant that may wait. */
  maxWaiting: number
}

const nextUlid = orderedUlids()

/**
 * The messages to callback_urls and endpoints. It writes in the transactions that change the job, so no job ends
 * without its callback, and no callback outlives its job.
 */
export class CallbackLedger implements JobFollower {
  /** The lanes are a tenant's messages to one host. */
  readonly due: DueTable<DueEntry>
  readonly #messages: Table<CallbackMessage>
  readonly #sent: Table<DueEntry>
  readonly #metadata: MetadataStore
  readonly #schedule: RetrySchedule
  readonly #endpoints: EndpointLedger
  readonly #unsent: Table<UnsentEntry>
  readonly #waiting: WaitingMessages

  constructor ({ metadata, schedule, endpoints, maxWaiting }: CallbackLedgerDeps) {
    this.#metadata = metadata
    this.#endpoints = endpoints
    this.#unsent = metadata.table('endpointUnsent')
    this.#sent = metadata.table('endpointMessages')
    this.#messages = metadata.table('callbackMessages')
    this.due = new DueTable(metadata, 'callbackDue')
    this.#waiting = new WaitingMessages({ metadata, due: this.due, most: maxWaiting })
    this.#schedule = schedule
  }

  ended (tx: Transaction, record: JobRecord): JobRecord {
    return this.announce(tx, record, record.status === 'completed' ? 'job.completed' : 'job.failed')
  }

  buried (tx: Transaction, { tenant, jobId }: JobRecord): void {
    for (const { value } of tx.range(this.#messages, { prefix: [tenant, jobId] })) {
      this.#forget(tx, tenant, jobId, value)
    }
  }

  /**
   * Announces an event of an ended job to its callback_url and the listening endpoints. Write the returned record in
   * the same transaction.
   */
  announce (tx: Transaction, record: JobRecord, type: AnnouncedType): JobRecord {
    const { tenant, jobId, callback } = record
    const expiresAtMs = record.expiresAtMs ?? Infinity
    // The callback_url comes first, because only messages to endpoints can be redelivered if there is no room.
    if (callback !== undefined) this.#begin(tx, tenant, jobId, { type, url: callback.url, expiresAtMs })
    for (const endpoint of this.#endpoints.listening(tx, tenant, type)) {
      const { url, endpointId } = endpoint
      const { dueMs, messageId } = this.#begin(tx, tenant, jobId, { type, url, endpointId, expiresAtMs })
      if (dueMs === null) this.#keepUnsent(tx, endpoint, { jobId, messageId })
    }
    return callback === undefined ? record : this.#withStatus(tx, record, callback)
  }

  /** Call it in the transaction that found the endpoint. */
  announceTest (tx: Transaction, { tenant, endpointId, url }: WebhookEndpoint): EndpointMessage {
    this.#forgetTests(tx, tenant, endpointId, keptTestEvents - 1)
    return {
      ...this.#begin(tx, tenant, endpointId, { type: testType, url, endpointId, expiresAtMs: Infinity }),
      endpointId,
      subject: endpointId
    }
  }

  /** Deletes the records of a deleted endpoint, except messages about jobs, which are deleted with their jobs. */
  forgetEndpoint (tx: Transaction, tenant: string, endpointId: string): void {
    this.#forgetTests(tx, tenant, endpointId, 0)
    for (const { key } of tx.range(this.#unsent, { prefix: [tenant, endpointId] })) tx.delete(this.#unsent, key)
  }

  /** Newest first, older than `before`. */
  sentTo (tenant: string, endpointId: string, limit: number,
    before: string | null): { messages: EndpointMessage[], next: string | null } {
    const range = before === null
      ? { prefix: [tenant, endpointId] }
      : { start: [tenant, endpointId], end: [tenant, endpointId, before] }
    const ids = [...this.#sent.range({ ...range, reverse: true, limit: limit + 1 })].map(({ key }) => String(key[2]))
    const page = ids.slice(0, limit)
    return {
      messages: page.flatMap((messageId) => this.oneSentTo(tenant, endpointId, messageId) ?? []),
      next: ids.length > limit ? page.at(-1) ?? null : null
    }
  }

  oneSentTo (tenant: string, endpointId: string, messageId: string): EndpointMessage | undefined {
    const subject = this.#sent.get([tenant, endpointId, messageId])?.value.jobId
    const message = subject === undefined ? undefined : this.get(tenant, subject, messageId)
    return message === undefined || subject === undefined ? undefined : { ...message, endpointId, subject }
  }

  /** Makes one more attempt due now. */
  dueNow (tx: Transaction, tenant: string, { subject, ...message }: EndpointMessage): EndpointMessage {
    const due = { ...message, dueMs: Date.now() }
    this.#write(tx, tenant, subject, due, message)
    return { ...due, subject }
  }

  /** When full, further messages to the host are not sent. */
  isFull (tx: Transaction, tenant: string, host: string): boolean {
    return this.#waiting.isFull(tx, tenant, host)
  }

  /** Like `settle`, for a message to an endpoint. `url`: where it was sent; the endpoint's may have changed since. */
  async settleSent (tenant: string, { subject, ...sent }: EndpointMessage, url: string, expiresAtMs: number,
    outcome: Outcome): Promise<void> {
    await this.#metadata.transact((tx) => {
      const message = tx.get(this.#messages, [tenant, subject, sent.messageId])?.value
      if (message === undefined) return
      this.#attempted(tx, tenant, subject, message, outcome, expiresAtMs, hostOf(url))
      const { error, isFinal, atMs } = outcome
      this.#endpoints.attempted(tx, tenant, sent.endpointId, { isDelivered: error === null, isGone: isFinal, atMs })
    }, tenant)
  }

  /**
   * Records an attempt and plans the next one. Call it in the given transaction, and write the returned record there.
   */
  settle (tx: Transaction, record: JobRecord, messageId: string, outcome: Outcome): JobRecord {
    const { tenant, jobId, callback } = record
    const message = tx.get(this.#messages, [tenant, jobId, messageId])?.value
    if (message === undefined || callback === undefined) return record
    this.#attempted(tx, tenant, jobId, message, outcome, record.expiresAtMs ?? Infinity, message.host)
    return this.#withStatus(tx, record, callback)
  }

  get (tenant: string, jobId: string, messageId: string): CallbackMessage | undefined {
    return this.#messages.get([tenant, jobId, messageId])?.value
  }

  /** Messages to the job's callback_url, in order of their announcement. */
  messages (tenant: string, jobId: string): JobCallback[] {
    return [...this.#messages.range({ prefix: [tenant, jobId] })].map(({ value }) => value).filter(isToCallback)
  }

  #begin (tx: Transaction, tenant: string, subject: string,
    { type, url, endpointId, expiresAtMs }: { type: CallbackType, url: string, endpointId?: string,
      expiresAtMs: number }): CallbackMessage {
    const nowMs = Date.now()
    const host = hostOf(url)
    // Recorded as failed.
    const dueMs = this.isFull(tx, tenant, host) ? null : this.#schedule.next(0, nowMs, expiresAtMs)
    const message: CallbackMessage = {
      v: 1,
      messageId: `msg_${nextUlid()}`,
      type,
      ...defined({ endpointId }),
      atMs: nowMs,
      host,
      dueMs,
      attempts: []
    }
    this.#write(tx, tenant, subject, message)
    if (endpointId !== undefined) tx.put(this.#sent, [tenant, endpointId, message.messageId], { jobId: subject })
    return message
  }

  #attempted (tx: Transaction, tenant: string, subject: string, message: CallbackMessage,
    { retryAfterMs, isFinal, ...attempt }: Outcome, expiresAtMs: number, host: string): void {
    const attempts = [...message.attempts, attempt]
    const isOver = attempt.error === null || isFinal
    const dueMs = isOver ? null : this.#schedule.next(attempts.length, Date.now(), expiresAtMs, retryAfterMs)
    this.#write(tx, tenant, subject, { ...message, host, dueMs, attempts }, message)
    // Nothing was sent to a disabled endpoint, so the attempt says nothing about the host.
    if (attempt.error !== 'endpoint_disabled') this.#waiting.attempted(tx, tenant, host, attempt.error === null)
  }

  #write (tx: Transaction, tenant: string, subject: string, message: CallbackMessage, before?: CallbackMessage): void {
    this.#replan(tx, tenant, subject, before, message)
    tx.put(this.#messages, [tenant, subject, message.messageId], message)
  }

  #replan (tx: Transaction, tenant: string, subject: string, before: CallbackMessage | undefined,
    after: CallbackMessage | undefined): void {
    if (before?.dueMs == null || after?.dueMs == null || before.host !== after.host) {
      if (before?.dueMs != null) this.#waiting.count(tx, tenant, before.host, -1)
      if (after?.dueMs != null) this.#waiting.count(tx, tenant, after.host, 1)
    }
    if (before?.dueMs != null) this.due.delete(tx, laneOf(tenant, before), before.dueMs, before.messageId)
    if (after?.dueMs != null) this.due.put(tx, laneOf(tenant, after), after.dueMs, after.messageId, { jobId: subject })
  }

  /**
   * Keeps an unsent message in place of the oldest one, so that the newest can be redelivered. Keeping all of them,
   * twenty records per job, would fill the disk.
   */
  #keepUnsent (tx: Transaction, endpoint: WebhookEndpoint, entry: UnsentEntry): void {
    const { tenant, endpointId, unsent = 0 } = endpoint
    const place = [tenant, endpointId, unsent % keptUnsent]
    const oldest = tx.get(this.#unsent, place)?.value
    const message = oldest && tx.get(this.#messages, [tenant, oldest.jobId, oldest.messageId])?.value
    // A message that was redelivered in the meantime stays until its job is deleted.
    if (oldest && message?.dueMs === null && message.attempts.length === 0) {
      this.#forget(tx, tenant, oldest.jobId, message)
    }
    tx.put(this.#unsent, place, entry)
    this.#endpoints.unsent(tx, endpoint)
  }

  /** Test events belong to no job, so only the newest are kept. */
  #forgetTests (tx: Transaction, tenant: string, endpointId: string, kept: number): void {
    const tests = tx.range(this.#messages, { prefix: [tenant, endpointId] })
    for (const { value } of tests.slice(0, Math.max(0, tests.length - kept))) {
      this.#forget(tx, tenant, endpointId, value)
    }
  }

  #forget (tx: Transaction, tenant: string, subject: string, message: CallbackMessage): void {
    this.#replan(tx, tenant, subject, message, undefined)
    tx.delete(this.#messages, [tenant, subject, message.messageId])
    if (message.endpointId !== undefined) tx.delete(this.#sent, [tenant, message.endpointId, message.messageId])
  }

  #withStatus (tx: Transaction, record: JobRecord, callback: NonNullable<JobRecord['callback']>): JobRecord {
    const messages = tx.range(this.#messages, { prefix: [record.tenant, record.jobId] }).map(({ value }) => value)
      .filter(isToCallback)
    const status = jointStatus(messages.map(statusOf))
    return status === callback.status ? record : { ...record, callback: { ...callback, status } }
  }
}

/** A message to a job's callback_url, not to an endpoint. */
function isToCallback (message: CallbackMessage): message is JobCallback {
  return message.endpointId === undefined
}

function laneOf (tenant: string, { host }: CallbackMessage): Lane {
  return [tenant, host]
}

/** An invalid address must not keep a job from ending; the attempt will report it. */
function hostOf (url: string): string {
  return URL.canParse(url) ? new URL(url).host : ''
}

export function statusOf ({ dueMs, attempts }: Pick<CallbackMessage, 'dueMs' | 'attempts'>): CallbackStatus {
  if (dueMs !== null) return attempts.length === 0 ? 'pending' : 'delivering'
  return attempts.at(-1)?.error === null ? 'delivered' : 'failed'
}

/** The joint status of several announcements: open ones count before finished ones, and failures before successes. */
function jointStatus (statuses: readonly CallbackStatus[]): CallbackStatus {
  const order: readonly CallbackStatus[] = ['delivering', 'pending', 'failed']
  return order.find((status) => statuses.includes(status)) ?? 'delivered'
}
