import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { JobRecord } from '../jobs/job-record.ts'
import type { JobService } from '../jobs/job-service.ts'
import { repeat } from '../jobs/repeat.ts'
import type { NetworkPolicy } from '../network/network-policy.ts'
import { release } from '../release.ts'
import { VaultError } from '../vault/vault.ts'
import { callbackBody } from './callback-body.ts'
import type { CallbackLedger, DueCallback, Lane, Outcome } from './callback-ledger.ts'
import { postCallback } from './post-callback.ts'
import type { CallbackMessage } from './tables.ts'
import type { WebhookSecrets } from './webhook-secrets.ts'

export interface SenderDeps {
  ledger: CallbackLedger
  secrets: WebhookSecrets
  jobs: Pick<JobService, 'get' | 'amend'>
  policy: NetworkPolicy
  /** The job as GET answers it. */
  render: (record: JobRecord) => object
  timeoutMs: number
  log: Logger
}

/** Attempts at a time: of one tenant never all, and few to one host, so that an endpoint that hangs holds up its own lane only. */
const maxAttempts = 64
const maxPerTenant = 32
const maxPerHost = 8
const lookMs = 250
/** An attempt that could not be noted would be made again at once, and again. */
const notNotedMs = 5_000

/** Sends what is due. The table is the queue: what is under way when the process dies is still there, and is sent again. */
export class CallbackSender {
  readonly #deps: SenderDeps
  /** By message id. */
  readonly #inFlight = new Map<string, { lane: Lane, done: Promise<void> }>()
  readonly #stopping = new AbortController()
  readonly #looking: { stop: () => Promise<void> }
  #lastLane: Lane | undefined
  #lookingAgain: NodeJS.Immediate | undefined

  constructor (deps: SenderDeps) {
    this.#deps = deps
    this.#looking = repeat('callbacks', lookMs, deps.log, async () => this.#startDue())
  }

  /** Breaks off what is under way; it is sent again after the next start. */
  async stop (): Promise<void> {
    this.#stopping.abort()
    await this.#looking.stop()
    await Promise.all([...this.#inFlight.values()].map(({ done }) => done))
    clearImmediate(this.#lookingAgain)
  }

  /** Goes on behind the lane where it ran out of room last time, so that every lane has its turn. */
  #startDue (): void {
    const { ledger } = this.#deps
    for (const lane of ledger.lanes(this.#lastLane)) {
      if (this.#inFlight.size >= maxAttempts) return
      this.#lastLane = lane
      if (!this.#hasRoom(lane)) continue
      // Those under way are still listed as due.
      for (const due of ledger.due(lane, Date.now(), 2 * maxPerHost)) {
        if (!this.#inFlight.has(due.messageId) && this.#hasRoom(lane)) this.#start(due)
      }
    }
    this.#lastLane = undefined
  }

  #hasRoom ({ tenant, host }: Lane): boolean {
    const lanes = [...this.#inFlight.values()].map(({ lane }) => lane)
    return lanes.length < maxAttempts &&
      lanes.filter((lane) => lane.tenant === tenant).length < maxPerTenant &&
      lanes.filter((lane) => lane.host === host).length < maxPerHost
  }

  #start (due: DueCallback): void {
    const done = this.#attempt(due)
      .catch(async (error: unknown) => {
        if (this.#stopping.signal.aborted) return
        this.#deps.log.error({ err: error, jobId: due.jobId }, 'a callback attempt could not be made or noted')
        // Stopping ends the pause.
        await sleep(notNotedMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
      })
      .then(() => {
        this.#inFlight.delete(due.messageId)
        this.#lookAgain()
      })
    this.#inFlight.set(due.messageId, { lane: due, done })
  }

  /** There is room again; what ends at the same moment shares one look. */
  #lookAgain (): void {
    this.#lookingAgain ??= setImmediate(() => {
      this.#lookingAgain = undefined
      try {
        if (!this.#stopping.signal.aborted) this.#startDue()
      } catch (error) {
        this.#deps.log.error({ err: error }, 'due callbacks could not be read')
      }
    })
  }

  async #attempt ({ tenant, jobId, messageId, host }: DueCallback): Promise<void> {
    const { ledger, jobs, log } = this.#deps
    const record = jobs.get(tenant, jobId)
    const message = ledger.get(tenant, jobId, messageId)
    // Deleted, or settled, since it was listed as due.
    if (record?.callback === undefined || message === undefined || message.dueMs === null) return
    const outcome = await this.#post(record, record.callback.url, message)
    const after = await jobs.amend(tenant, jobId, (current, tx) => ledger.settle(tx, current, messageId, outcome))
    const facts = { jobId, messageId, host, attempt: message.attempts.length + 1, statusCode: outcome.statusCode, error: outcome.error }
    if (outcome.error === null) log.debug(facts, 'callback delivered')
    else log.warn({ ...facts, callbackStatus: after?.callback?.status }, 'callback attempt failed')
  }

  async #post (record: JobRecord, url: string, message: CallbackMessage): Promise<Outcome> {
    const { secrets, policy, render, timeoutMs, log } = this.#deps
    const body = callbackBody(message, render(record))
    const timestamp = String(Math.floor(Date.now() / 1000))
    try {
      const headers = {
        'content-type': 'application/json',
        'user-agent': `tabcast/${release}`,
        'webhook-id': message.messageId,
        'webhook-timestamp': timestamp,
        'webhook-signature': await secrets.sign(record.tenant, message.messageId, timestamp, body)
      }
      return await postCallback(policy, { url, headers, body, timeoutMs, signal: this.#stopping.signal })
    } catch (error) {
      if (!(error instanceof VaultError)) throw error
      log.error({ err: error, tenant: record.tenant }, 'the webhook secret cannot be opened')
      return { atMs: Date.now(), statusCode: null, error: 'secret_unavailable', durationMs: 0, retryAfterMs: 0, isFinal: false }
    }
  }
}
