import { Counter, type Registry } from 'prom-client'
import { meteredWork, type MeteredWork } from '../../services/quotas/cpu-budgets.ts'

/** Processor time that requests take while their callers wait. */
export class CpuMetrics {
  readonly #seconds: Counter<'work'>

  constructor (registry: Registry) {
    this.#seconds = new Counter({
      name: 'tabcast_sync_cpu_seconds_total',
      help: 'Processor time of what is answered at once, by what it went into.',
      labelNames: ['work'],
      registers: [registry]
    })
    for (const work of meteredWork) this.#seconds.inc({ work }, 0)
  }

  used (work: MeteredWork, cpuMs: number): void {
    this.#seconds.inc({ work }, cpuMs / 1000)
  }
}
