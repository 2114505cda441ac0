import { afterTurn } from '../../platform/turns/after-turn.ts'

/** Told what a tenant has used, milliseconds of a core. */
type Spend = (tenant: string, cpuMs: number) => void

/**
 * Measures what this process's main thread does for a tenant in one turn of its event loop: from the moment that the work is known to be the
 * tenant's to the end of the turn, promises that are settled meanwhile included. Requests come in turns of their own; where one turn goes on
 * with several, as after a transaction that they share, each begins where its own work is known. Time between turns is waiting and costs nobody anything.
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

/**
 * Milliseconds of a core that a thread which does not wait has used since. Time that passes counts while others had the core, and the time
 * of the process counts its other threads: the smaller one is nearest to the truth.
 */
function startClock (): () => number {
  const startMs = performance.now()
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return Math.min(performance.now() - startMs, (user + system) / 1000)
  }
}
