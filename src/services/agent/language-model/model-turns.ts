import { TenantLanes } from '../../../platform/turns/tenant-lanes.ts'

/**
 * Prompts that are held, and those that the endpoint is asked side by side: a model serves few at a time, and more
 * would only time out.
 */
const maxHeld = 64
const lanes = 8
const lanesPerTenant = 4
const maxFailures = 3
const pauseMs = 60_000

/**
 * Whose prompt may be asked now. Tenants take turns, and failures count by tenant first: what one tenant asks may be
 * too much for the model, so its failures pause the endpoint for itself. Only failures of three tenants, with no answer
 * to anybody between, pause it for all.
 */
export class ModelTurns {
  readonly #now: () => number
  readonly #turns = new TenantLanes(maxHeld, lanes, { share: lanesPerTenant })
  readonly #ofAll: CircuitBreaker
  /** Of those whose last question failed. */
  readonly #ofTenant = new Map<string, CircuitBreaker>()
  /** Who failed since the endpoint last answered anybody. */
  readonly #failed = new Set<string>()

  /** `now`: milliseconds of a clock that never goes back. */
  constructor (now: () => number) {
    this.#now = now
    this.#ofAll = new CircuitBreaker(now)
  }

  /**
   * Rejects with ModelFailure when the endpoint is paused, or when the turn comes after the signal was aborted, which
   * says nothing of the endpoint.
   */
  async take<T> (tenant: string, signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
    const end = await this.#turns.take(tenant, async () => {
      if (signal.aborted) return undefined
      // Looked at when the turn has come: what failed meanwhile counts.
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
 * Keeps callers from waiting for an endpoint that failed several times in a row: for a while nobody asks it, then one
 * caller at a time.
 */
class CircuitBreaker {
  readonly #now: () => number
  #failures = 0
  #pausedUntil = 0

  /** `now`: milliseconds of a clock that never goes back. */
  constructor (now: () => number) {
    this.#now = now
  }

  /** Whether the endpoint may be asked now. */
  admits (): boolean {
    if (this.#failures < maxFailures) return true
    if (this.#now() < this.#pausedUntil) return false
    // This caller tries it; the others wait for what comes of that, or for the next pause.
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

/** Why there is no answer of the language model. */
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

/** The message may be shown: it names neither address nor key, and nothing that the endpoint said. */
export class ModelFailure extends Error {
  override name = 'ModelFailure'
  readonly reason: FailureReason
  /** Of an answer that is none. */
  readonly status: number | null

  constructor (reason: FailureReason, { status = null, cause }: { status?: number | null, cause?: unknown } = {}) {
    super(texts[reason], { cause })
    this.reason = reason
    this.status = status
  }

  /**
   * It says something of this question, as one that is too long, and not of the endpoint. Keys that it refuses, and
   * time that it does not have, are the endpoint's.
   */
  get isOfQuestion (): boolean {
    const { status } = this
    return status !== null && (status === 501 || (status >= 400 && status < 500 && ![401, 403, 408].includes(status)))
  }
}
