import { TenantLanes } from '../../../platform/turns/tenant-lanes.ts'

/**
 * Limits on waiting prompts, and on prompts that the endpoint is asked at the same time. A model serves few at a time,
 * and more would only time out.
 */
const maxHeld = 64
const lanes = 8
const lanesPerTenant = 4
const maxFailures = 3
const pauseMs = 60_000

/**
 * Decides whose prompt may be asked now. Tenants take turns. Failures first count for their tenant: its questions may
 * be too difficult for the model, so its failures pause the endpoint only for itself. If three tenants fail and nobody
 * gets an answer in between, the endpoint is paused for all.
 */
export class ModelTurns {
  readonly #now: () => number
  readonly #turns = new TenantLanes(maxHeld, lanes, { share: lanesPerTenant })
  readonly #ofAll: CircuitBreaker
  /** The tenants whose last question failed. */
  readonly #ofTenant = new Map<string, CircuitBreaker>()
  /** The tenants that failed since the endpoint last answered anybody. */
  readonly #failed = new Set<string>()

  /** `now`: a clock in milliseconds that never goes back. */
  constructor (now: () => number) {
    this.#now = now
    this.#ofAll = new CircuitBreaker(now)
  }

  /**
   * Rejects with ModelFailure if the endpoint is paused, or if the signal is aborted before the turn comes; the latter
   * does not count as a failure of the endpoint.
   */
  async take<T> (tenant: string, signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
    const end = await this.#turns.take(tenant, async () => {
      if (signal.aborted) return undefined
      // Checked when the turn comes, so that failures in the meantime count.
      if (this.#ofTenant.get(tenant)?.admits() === false || !this.#ofAll.admits()) throw new ModelFailure('paused')
      return { answer: await ask() }
    })
    if (end === undefined) throw new ModelFailure('busy')
    return end.answer
  }

  answered (tenant: string): void {
    this.#ofTenant.delete(tenant)
    this.#failed.clear()
    this.#ofAll.succeeded()
  }

  failed (tenant: string): void {
    const own = this.#ofTenant.get(tenant) ?? new CircuitBreaker(this.#now)
    own.failed()
    this.#ofTenant.set(tenant, own)
    if (this.#failed.has(tenant)) return
    this.#failed.add(tenant)
    this.#ofAll.failed()
  }
}

/**
 * Keeps callers from waiting for an endpoint that failed several times in a row. For a while it admits nobody, then one
 * caller at a time.
 */
class CircuitBreaker {
  readonly #now: () => number
  #failures = 0
  #pausedUntil = 0

  /** `now`: a clock in milliseconds that never goes back. */
  constructor (now: () => number) {
    this.#now = now
  }

  /** Whether the endpoint may be asked now. */
  admits (): boolean {
    if (this.#failures < maxFailures) return true
    if (this.#now() < this.#pausedUntil) return false
    // This caller tries the endpoint. The others wait for its result, or for the next pause to end.
    this.#pausedUntil = this.#now() + pauseMs
    return true
  }

  succeeded (): void {
    this.#failures = 0
  }

  failed (): void {
    this.#failures++
    if (this.#failures >= maxFailures) this.#pausedUntil = this.#now() + pauseMs
  }
}

/** Why the language model gave no answer. */
export type FailureReason = 'timeout' | 'connection' | 'status' | 'too_large' | 'no_content' | 'paused' | 'busy'

const texts: Record<FailureReason, string> = {
  timeout: 'it did not answer in time',
  connection: 'it could not be reached',
  status: 'it refused the request',
  too_large: 'its answer was too large',
  no_content: 'its answer had no text',
  busy: 'it had no time, as too many ask it',
  paused: 'it failed several times before, and is asked again later'
}

/** The message may be shown. It contains neither address nor key, and nothing from the endpoint. */
export class ModelFailure extends Error {
  override name = 'ModelFailure'
  readonly reason: FailureReason
  /** The status of a response without an answer. */
  readonly status: number | null

  constructor (reason: FailureReason, { status = null, cause }: { status?: number | null, cause?: unknown } = {}) {
    super(texts[reason], { cause })
    this.reason = reason
    this.status = status
  }

  /**
   * Whether the failure is about this question, for example its length, and not about the endpoint. Refused keys and
   * time-outs are failures of the endpoint.
   */
  get isOfQuestion (): boolean {
    const { status } = this
    return status !== null && (status === 501 || (status >= 400 && status < 500 && ![401, 403, 408].includes(status)))
  }
}
