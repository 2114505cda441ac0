import type { Logger } from 'pino'
import { DueRunner } from '../jobs/due-runner.ts'
import type { JobRecord } from '../jobs/job-record.ts'
import type { JobService } from '../jobs/job-service.ts'
import type { NetworkPolicy } from '../network/network-policy.ts'
import { release } from '../release.ts'
import { VaultError } from '../vault/vault.ts'
import { callbackBody } from './callback-body.ts'
import type { CallbackLedger, DueCallback, Lane, Outcome } from './callback-ledger.ts'
import { postCallback } from './post-callback.ts'
import type { AttemptError, CallbackMessage } from './tables.ts'
import type { WebhookSecrets } from './webhook-secrets.ts'
import { jobFacts } from '../job-facts.ts'

export interface SenderDeps {
  ledger: CallbackLedger
  secrets: WebhookSecrets
  jobs: Pick<JobService, 'get' | 'amend'>
  policy: NetworkPolicy
  /** The job as GET answers it. */
  render: (record: JobRecord) => object
  timeoutMs: number
  observer?: CallbackObserver | undefined
  log: Logger
}

/** Who counts attempts. Told after each has been noted; must not throw. */
export interface CallbackObserver {
  /** `isLast`: delivered, or given up. */
  callbackAttempted (error: AttemptError | null, isLast: boolean): void
}

/** Attempts at a time: of one tenant never all, and few to one host, so that an endpoint that hangs holds up its own lane only. */
const maxAttempts = 64
const maxPerTenant = 32
const maxPerHost = 8

/** Sends what is due, in lanes by tenant and host. */
export class CallbackSender {
  readonly #deps: SenderDeps
  readonly #runner: DueRunner<Lane, DueCallback>

  constructor (deps: SenderDeps) {
    this.#deps = deps
    this.#runner = new DueRunner<Lane, DueCallback>({
      name: 'callbacks',
      lanes: (after) => deps.ledger.lanes(after),
      due: (lane) => deps.ledger.due(lane, Date.now(), 2 * maxPerHost),
      idOf: ({ messageId }) => messageId,
      hasRoom: ({ tenant, host }, underWay) => underWay.length < maxAttempts &&
        underWay.filter((lane) => lane.tenant === tenant).length < maxPerTenant &&
        underWay.filter((lane) => lane.host === host).length < maxPerHost,
      attempt: (due, signal) => this.#attempt(due, signal)
    }, deps.log)
  }

  /** Breaks off what is under way; it is sent again after the next start. */
  async stop (): Promise<void> {
    await this.#runner.stop()
  }

  async #attempt ({ tenant, jobId, messageId, host }: DueCallback, signal: AbortSignal): Promise<void> {
    const { ledger, jobs, observer, log } = this.#deps
    const record = jobs.get(tenant, jobId)
    const message = ledger.get(tenant, jobId, messageId)
    // Deleted, or settled, since it was listed as due.
    if (record?.callback === undefined || message === undefined || message.dueMs === null) return
    const outcome = await this.#post(record, record.callback.url, message, signal)
    const after = await jobs.amend(tenant, jobId, (current, tx) => ledger.settle(tx, current, messageId, outcome))
    observer?.callbackAttempted(outcome.error, ledger.get(tenant, jobId, messageId)?.dueMs == null)
    const facts = { ...jobFacts(record), messageId, host, attempt: message.attempts.length + 1, statusCode: outcome.statusCode, error: outcome.error }
    if (outcome.error === null) log.debug(facts, 'callback delivered')
    else log.warn({ ...facts, callbackStatus: after?.callback?.status }, 'callback attempt failed')
  }

  async #post (record: JobRecord, url: string, message: CallbackMessage, signal: AbortSignal): Promise<Outcome> {
    const { secrets, policy, render, timeoutMs, log } = this.#deps
    const body = callbackBody(message, render(record))
    const timestamp = String(Math.floor(Date.now() / 1000))
    try {
      const headers = {
        'content-type': 'application/json',
        'user-agent': `tabcast/${release}`,
        'webhook-id': message.messageId,
        'webhook-timestamp': timestamp,
        ...(record.traceparent === undefined ? {} : { traceparent: record.traceparent }),
        'webhook-signature': await secrets.sign(record.tenant, message.messageId, timestamp, body)
      }
      return await postCallback(policy, { url, headers, body, timeoutMs, signal })
    } catch (error) {
      if (!(error instanceof VaultError)) throw error
      log.error({ err: error, tenant: record.tenant }, 'the webhook secret cannot be opened')
      return { atMs: Date.now(), statusCode: null, error: 'secret_unavailable', durationMs: 0, retryAfterMs: 0, isFinal: false }
    }
  }
}
