import type { FastifyBaseLogger } from 'fastify'
import { Registry } from 'prom-client'
import type { Config } from '../../platform/config.ts'
import type { DiskSpace } from '../../platform/disk/disk-space.ts'
import type { EventLoopWatch } from '../../platform/event-loop/event-loop-watch.ts'
import type { MetadataStore } from '../../platform/metadata/metadata-store.ts'
import type { ApiQueue } from '../../platform/queue/index.ts'
import type { RunningJobService } from '../../services/jobs/create-job-service.ts'
import { CpuMetrics } from './cpu-metrics.ts'
import { JobMetrics } from './job-metrics.ts'
import { RequestMetrics } from './request-metrics.ts'
import { SendingMetrics } from './sending-metrics.ts'
import type { ServiceObservers } from './service-observers.ts'
import { watchEventLoop } from './watch-event-loop.ts'
import { watchProcess } from './watch-process.ts'
import { watchShards } from './watch-shards.ts'
import { watchStorage } from './watch-storage.ts'
import { watchWorkers } from './watch-workers.ts'

/** All metrics of a deployment, in the api process. The README of this folder describes each metric. */
export class ServiceMetrics {
  readonly #registry = new Registry()
  readonly requests = new RequestMetrics(this.#registry)
  readonly observers: ServiceObservers

  constructor () {
    const sending = new SendingMetrics(this.#registry)
    const cpu = new CpuMetrics(this.#registry)
    this.observers = {
      jobs: new JobMetrics(this.#registry),
      callbacks: sending,
      deliveries: sending,
      cpu: (work, cpuMs) => cpu.used(work, cpuMs)
    }
  }

  /** Adds the metrics that are read at each scrape. */
  watch (config: Config,
    { jobs, queue, metadata, room, log }: { jobs: Pick<RunningJobService, 'workers'>,
      queue: Pick<ApiQueue, 'shardCounts'>, metadata: MetadataStore, room: Pick<DiskSpace, 'availableBytes'>,
      log: FastifyBaseLogger }, eventLoop: Pick<EventLoopWatch, 'delays'>): void {
    watchWorkers(this.#registry, () => jobs.workers(), log)
    watchShards(this.#registry, queue)
    watchStorage(this.#registry, config, metadata, room)
    watchProcess(this.#registry)
    watchEventLoop(this.#registry, '', [], () => [{ labels: {}, delays: eventLoop.delays() }])
  }

  readonly contentType = this.#registry.contentType

  /** Prometheus text format 0.0.4. */
  async text (): Promise<string> {
    return await this.#registry.metrics()
  }
}
