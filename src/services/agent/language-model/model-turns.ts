import { TenantLanes } from '../../../platform/turns/tenant-lanes.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import { ModelFailure } from './model-failure.ts'

/**
 * Limits on waiting prompts, and on prompts that the endpoint is asked at the same time. A model serves few at a time,
 * and more would only time out.
 */
const maxHeld = 64
const lanes = 8
const lanesPerTenant = 4

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
