import type { EventLoopDelays } from '../event-loop/event-loop-delays.ts'

/** Core broadcast `workers.<workerId>` every 2 s. */
export interface WorkerMessage {
  v: number
  workerId: string
  version: string
  slots: number
  /** Slots that take any size and are idle. */
  freeAny: number
  /** Slots that take only small jobs and are idle. */
  freeSmall: number
  /** Content checks that it makes at a time. */
  quick: number
  capabilities: string[]
  /** Runs under way, so that the api can tell a live run from a lost one. */
  running: Array<{ jobId: string, run: string }>
  /** True while shutting down: takes nothing new. */
  draining: boolean
  /** Absent in messages of earlier builds. */
  vitals?: WorkerVitals
}

/** What a worker uses and has done since it started, for whoever watches the service. */
export interface WorkerVitals {
  /** Resident memory of the worker process. */
  residentBytes: number
  /** Of its slot processes together, those of content checks included. */
  slotsResidentBytes: number
  /** Requests to providers of covariates over the network. */
  providerRequests: Array<{ provider: string, outcome: 'answered' | 'failed', count: number }>
  /** Of the worker's main thread; absent in messages of earlier builds. */
  eventLoop?: EventLoopDelays
}
