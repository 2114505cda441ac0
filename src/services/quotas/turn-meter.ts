import { afterTurn } from '../../platform/turns/after-turn.ts'
import { startClock } from '../../platform/turns/start-clock.ts'

/** Told what a tenant has used, milliseconds of a core. */
type Spend = (tenant: string, cpuMs: number) => void

/**
 * Measures what this process's main thread does for a tenant in one turn of its event loop: from the moment that the
 * work is known to be the tenant's to the end of the turn, promises that are settled meanwhile included. Requests come
 * in turns of their own; where one turn goes on with several, as after a transaction that they share, each begins where
 * its own work is known. Time between turns is waiting and costs nobody anything.
 */
export class TurnMeter {
  readonly #spend: Spend
  #open: { tenant: string, used: () => number } | undefined

  constructor (spend: Spend) {
    this.#spend = spend
  }

  /** The rest of this turn is the tenant's, unless another one begins in it. */
  begin (tenant: string): void {
    if (this.#open?.tenant === tenant) return
    this.end()
    this.#open = { tenant, used: startClock() }
    afterTurn(() => this.end())
  }

  /** Where the work of the tenant ends before the turn does. */
  end (): void {
    if (this.#open === undefined) return
    const { tenant, used } = this.#open
    this.#open = undefined
    this.#spend(tenant, used())
  }
}
