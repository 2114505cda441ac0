import { Gauge, type Registry } from 'prom-client'
import type { ApiQueue } from '../../platform/queue/index.ts'

/** The shards in the queue. While the queue does not answer, there are no figures, and the others are served. */
export function watchShards (registry: Registry, queue: Pick<ApiQueue, 'shardCounts'>): void {
  registry.registerMetric(new Gauge({
    name: 'tabcast_shards',
    help: 'Shards of forecasts that other workers than that of the job compute, in the queue.',
    labelNames: ['state'],
    registers: [],
    async collect () {
      this.reset()
      const counts = await queue.shardCounts().catch(() => undefined)
      if (counts === undefined) return
      this.set({ state: 'waiting' }, counts.waiting)
      this.set({ state: 'taken' }, counts.taken)
    }
  }))
}
