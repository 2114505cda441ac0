import type { EventLoopDelays } from '../event-loop/event-loop-delays.ts'

/** Core broadcast `workers.<workerId>` every 2 s. */
export interface WorkerMessage {
  v: number
  workerId: string
  version: string
  slots: number
  /** Idle slots that take any size. */
  freeAny: number
  /** Idle slots that take only small jobs. */
  freeSmall: number
  /** How many content checks the worker makes at a time. */
  quick: number
  capabilities: string[]
  /** Current runs, so that the api can tell a live run from a lost one. */
  running: Array<{ jobId: string, run: string }>
  /** Shards that the worker can compute at a time; absent in messages of earlier builds, which compute none. */
  shardSlots?: number
  /** Jobs of which the worker computes shards for other runs; absent in messages of earlier builds. */
  helping?: string[]
  /** True while shutting down: the worker takes nothing new. */
  draining: boolean
  /** Absent in messages of earlier builds. */
  vitals?: WorkerVitals
}

/** A worker's resource use, and its work since it started, for the metrics. */
export interface WorkerVitals {
  /** Resident memory of the worker process. */
  residentBytes: number
  /** Resident memory of all its slot processes, those of content checks included. */
  slotsResidentBytes: number
  /** Requests to providers of covariates over the network. */
  providerRequests: Array<{ provider: string, outcome: 'answered' | 'failed', count: number }>
  /** Delays of the worker's main thread; absent in messages of earlier builds. */
  eventLoop?: EventLoopDelays
}
