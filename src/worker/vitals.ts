import type { EventLoopWatch } from '../platform/event-loop/event-loop-watch.ts'
import type { WorkerVitals } from '../platform/queue/worker-message.ts'
import type { ProviderRequests } from '../sources/covariates/http/provider-requests.ts'
import { residentBytes } from './resident-bytes.ts'
import type { SlotPool } from './slot-pool.ts'

/**
 * What this worker uses and has done. The memory figures are those of the last `sample`, because announcements come
 * several times per job.
 */
export class Vitals {
  readonly #pools: readonly SlotPool[]
  readonly #requests: ProviderRequests
  readonly #eventLoop: EventLoopWatch
  #residentBytes = process.memoryUsage.rss()
  #slotsResidentBytes = 0

  constructor (pools: readonly SlotPool[], requests: ProviderRequests, eventLoop: EventLoopWatch) {
    this.#pools = pools
    this.#requests = requests
    this.#eventLoop = eventLoop
  }

  sample (): void {
    this.#residentBytes = process.memoryUsage.rss()
    this.#slotsResidentBytes = this.#pools.flatMap((pool) => pool.pids())
      .reduce((sum, pid) => sum + residentBytes(pid), 0)
  }

  now (): WorkerVitals {
    return {
      residentBytes: this.#residentBytes,
      slotsResidentBytes: this.#slotsResidentBytes,
      providerRequests: this.#requests.counts(),
      eventLoop: this.#eventLoop.delays()
    }
  }
}
