import type { Logger } from 'pino'
import { DueRunner } from '../../platform/due-work/due-runner.ts'
import type { DueTask } from '../../platform/due-work/due-table.ts'
import { jobFacts } from '../../platform/log/job-facts.ts'
import type { Entry } from '../../platform/metadata/metadata-store.ts'
import type { NetworkPolicy } from '../../platform/network/network-policy.ts'
import { release } from '../../platform/process/release.ts'
import { startClock } from '../../platform/turns/start-clock.ts'
import { VaultError } from '../../platform/vault/vault.ts'
import type { JobRecord } from '../jobs/job-record.ts'
import type { JobService } from '../jobs/job-service.ts'
import type { CpuBudgets } from '../quotas/cpu-budgets.ts'
import { callbackBody, callbackData, type CallbackData } from './callback-body.ts'
import type { CallbackLedger, EndpointMessage, Outcome } from './callback-ledger.ts'
import type { EndpointLedger } from './endpoint-ledger.ts'
import { postCallback } from './post-callback.ts'
import { testType, type AttemptError, type CallbackMessage, type DueEntry } from './tables.ts'
import { UnreachableHosts } from './unreachable-hosts.ts'
import type { SecretOwner, WebhookSecrets } from './webhook-secrets.ts'
import { defined } from '../../platform/defined.ts'

export interface SenderDeps {
  ledger: CallbackLedger
  endpoints: EndpointLedger
  secrets: WebhookSecrets
  jobs: Pick<JobService, 'entry' | 'amend'>
  policy: NetworkPolicy
  /** Budgets of the api process, whose thread makes the attempts. */
  budgets: Pick<CpuBudgets, 'spend' | 'debtMs'>
  /** The job as GET returns it. */
  render: (record: JobRecord) => object
  timeoutMs: number
  observer?: CallbackObserver | undefined
  log: Logger
}

/** Counts attempts. Called after each one is recorded; must not throw. */
export interface CallbackObserver {
  /** `isLast`: delivered or given up. */
  callbackAttempted(error: AttemptError | null, isLast: boolean): void
}

/**
 * Concurrent attempts. A tenant never gets all of them, and a host only a few, so that an endpoint that hangs only
 * delays its own lane.
 */
const maxAttempts = 64
const maxPerTenant = 32
const maxPerHost = 8
/**
 * Tenants may share a host, such as a workflow provider's. One tenant cannot take all attempts to it, and a tenant
 * without any always gets one.
 */
const maxPerLane = 6

/**
 * Measured milliseconds of a core, for a small job: one attempt with its connection and record, without and with a TLS
 * handshake; an end without an attempt; and each KiB of the job's record, which is read and written when its
 * callback_status changes. Reading and rendering the job is metered each time instead.
 */
const priceMs = { plain: 1.3, tls: 3, unsent: 0.4, recordKiB: 0.03 }
/** The interval between attempts of a tenant in debt. Its callbacks are late, but never lost. */
const paceInDebtMs = 1_000

/** Errors of messages that were not sent, which tell nothing about the host. */
const unsent: ReadonlySet<AttemptError | null> = new Set(['endpoint_disabled', 'secret_unavailable'])

/** Sends due messages, in lanes by tenant and host. */
export class CallbackSender {
  readonly #deps: SenderDeps
  readonly #runner: DueRunner<DueEntry>
  /** Tenants in debt -> the start of their last attempt, on the clock of performance.now. */
  readonly #begunMs = new Map<string, number>()
  readonly #unreachable = new UnreachableHosts()
  /** Rendered once for all receivers and attempts, until the record changes or leaves memory. */
  readonly #data = new WeakMap<JobRecord, CallbackData>()

  constructor (deps: SenderDeps) {
    this.#deps = deps
    this.#runner = new DueRunner({
      name: 'callbacks',
      table: deps.ledger.due,
      mostListed: 2 * maxPerHost,
      most: maxAttempts,
      mostOfTenant: maxPerTenant,
      mayStart: (tenant) => this.#mayStart(tenant),
      pausedUntilMs: (lane, nowMs) => this.#unreachable.pausedUntilMs(lane, nowMs),
      hasRoom: ([tenant, host], underWay) => {
        const toHost = underWay.filter((lane) => lane[1] === host)
        const own = toHost.filter((lane) => lane[0] === tenant).length
        return own === 0 || (toHost.length < maxPerHost && own < maxPerLane)
      },
      attempt: (task, signal) => this.#attempt(task, signal)
    }, deps.log)
  }

  /** Breaks off attempts in progress; they are repeated after the next start. */
  async stop (): Promise<void> {
    await this.#runner.stop()
  }

  async #attempt ({ lane, id: messageId, value: { jobId } }: DueTask<DueEntry>, signal: AbortSignal): Promise<void> {
    const { ledger, jobs, observer, log } = this.#deps
    const [tenant, host] = lane
    const used = startClock()
    const message = ledger.get(tenant, jobId, messageId)
    // Deleted or settled since it was listed as due.
    if (message === undefined || message.dueMs === null) return
    this.#unreachable.begun(lane, Date.now())
    const entry = jobs.entry(tenant, jobId)
    const record = entry?.value
    const data = record === undefined ? undefined : this.#dataOf(record)
    this.#pay(tenant, used())
    const outcome = message.endpointId === undefined
      ? await this.#toCallback(entry, data, message, signal)
      : await this.#toEndpoint(record, data, { ...message, endpointId: message.endpointId, subject: jobId }, tenant,
        signal)
    if (outcome === undefined) return
    if (!unsent.has(outcome.error)) this.#unreachable.ended(lane, outcome.statusCode !== null)
    observer?.callbackAttempted(outcome.error, ledger.get(tenant, jobId, messageId)?.dueMs == null)
    const { endpointId } = message
    const facts = {
      ...(record === undefined ? {} : jobFacts(record)),
      ...defined({ endpointId }),
      messageId,
      host,
      attempt: message.attempts.length + 1,
      statusCode: outcome.statusCode,
      error: outcome.error
    }
    if (outcome.error === null) log.debug(facts, 'callback delivered')
    else {log.warn({
        ...facts,
        callbackStatus: endpointId === undefined ? jobs.entry(tenant, jobId)?.value.callback?.status : undefined
      }, 'callback attempt failed')}
  }

  #dataOf (record: JobRecord): CallbackData {
    const data = this.#data.get(record) ?? callbackData(this.#deps.render(record))
    this.#data.set(record, data)
    return data
  }

  #mayStart (tenant: string): boolean {
    if (this.#deps.budgets.debtMs(tenant) === 0) return true
    return performance.now() - (this.#begunMs.get(tenant) ?? -Infinity) >= paceInDebtMs
  }

  #pay (tenant: string, ms: number): void {
    const { budgets } = this.#deps
    budgets.spend(tenant, 'api', ms)
    if (budgets.debtMs(tenant) > 0) this.#begunMs.set(tenant, performance.now())
    else this.#begunMs.delete(tenant)
  }

  /** undefined: the job is gone. */
  async #toCallback (entry: Entry<JobRecord> | undefined, data: CallbackData | undefined, message: CallbackMessage,
    signal: AbortSignal): Promise<Outcome | undefined> {
    const { ledger, jobs } = this.#deps
    if (entry?.value.callback === undefined || data === undefined) return undefined
    const { tenant, jobId, callback, traceparent } = entry.value
    this.#pay(tenant, entry.bytes / 1024 * priceMs.recordKiB)
    const outcome = await this.#post({ tenant, owner: tenant, url: callback.url, message, data, traceparent }, signal)
    await jobs.amend(tenant, jobId, (current, tx) => ledger.settle(tx, current, message.messageId, outcome))
    return outcome
  }

  /** undefined: the job is gone. Messages to an endpoint that is deleted or disabled end. */
  async #toEndpoint (record: JobRecord | undefined, jobData: CallbackData | undefined, message: EndpointMessage,
    tenant: string, signal: AbortSignal): Promise<Outcome | undefined> {
    const { ledger, endpoints } = this.#deps
    const { endpointId } = message
    const data = message.type === testType ? callbackData({ endpoint_id: endpointId }) : jobData
    if (data === undefined) return undefined
    const endpoint = endpoints.get(tenant, endpointId)
    const outcome: Outcome = endpoint?.enabled === true
      ? await this.#post({
        tenant,
        owner: [tenant, endpointId],
        url: endpoint.url,
        message,
        data,
        traceparent: record?.traceparent
      }, signal)
      : this.#unsent(tenant)
    await ledger.settleSent(tenant, message, endpoint?.url ?? '', record?.expiresAtMs ?? Infinity, outcome)
    return outcome
  }

  #unsent (tenant: string): Outcome {
    this.#pay(tenant, priceMs.unsent)
    return {
      atMs: Date.now(),
      statusCode: null,
      error: 'endpoint_disabled',
      durationMs: 0,
      retryAfterMs: 0,
      isFinal: true
    }
  }

  async #post ({ tenant, owner, url, message, data, traceparent }: Sending, signal: AbortSignal): Promise<Outcome> {
    const { secrets, policy, timeoutMs, log } = this.#deps
    this.#pay(tenant, url.startsWith('https:') ? priceMs.tls : priceMs.plain)
    const body = callbackBody(message, data)
    const timestamp = String(Math.floor(Date.now() / 1000))
    try {
      const headers = {
        'content-type': 'application/json',
        'user-agent': `tabcast/${release}`,
        'webhook-id': message.messageId,
        'webhook-timestamp': timestamp,
        ...defined({ traceparent }),
        'webhook-signature': await secrets.sign(owner, message.messageId, timestamp, body)
      }
      return await postCallback(policy, { tenant, url, headers, body, timeoutMs, signal })
    } catch (error) {
      if (!(error instanceof VaultError)) throw error
      log.error({ err: error, tenant }, 'the webhook secret cannot be opened')
      return {
        atMs: Date.now(),
        statusCode: null,
        error: 'secret_unavailable',
        durationMs: 0,
        retryAfterMs: 0,
        isFinal: false
      }
    }
  }
}

interface Sending {
  tenant: string
  /** Whose secret signs the message. */
  owner: SecretOwner
  url: string
  message: CallbackMessage
  data: CallbackData
  traceparent: string | undefined
}
