import { afterTurn } from '../../platform/turns/after-turn.ts'
import { startClock } from '../../platform/turns/start-clock.ts'

/** Called with the milliseconds of one core that a tenant has used. */
type Spend = (tenant: string, cpuMs: number) => void

/**
 * Measures what the main thread does for a tenant in one pass of the event loop: from the moment when the tenant is
 * known to the end of the pass, including promises that settle in it. Each request normally has a pass of its own.
 * Where one pass continues several, as after a shared transaction, each pays from the point where its work begins. Time
 * between passes is waiting and costs nothing.
 */
export class TurnMeter {
  readonly #spend: Spend
  #open: { tenant: string, used: () => number } | undefined

  constructor (spend: Spend) {
    this.#spend = spend
  }

  /** Charges the rest of this pass to the tenant, unless another tenant begins in it. */
  begin (tenant: string): void {
    if (this.#open?.tenant === tenant) return
    this.end()
    this.#open = { tenant, used: startClock() }
    afterTurn(() => this.end())
  }

  /** Call where the tenant's work ends before the pass does. */
  end (): void {
    if (this.#open === undefined) return
    const { tenant, used } = this.#open
    this.#open = undefined
    this.#spend(tenant, used())
  }
}
