import type { NoSpace } from '../platform/disk/scratch-space.ts'
import type { JobHandle } from '../platform/queue/index.ts'
import type { SlotDeathCause } from '../platform/queue/job-messages.ts'
import type { StopReason } from './stop-reason.ts'

/* The messages between a worker and the process that it starts for one job. Both come from the same build. */

/** The message as the worker received it, and the run that the api granted. */
export type LoneJob = Pick<JobHandle, 'message' | 'seq' | 'redelivered' | 'deliveries' | 'leaseMs'> & {
  workerId: string
  run: string
}

/**
 * How the process ended: its message is to be acknowledged or given back, or (`died`) its slot or the process itself
 * died. In the last case the worker that holds the message claims another run.
 */
export type LoneEnd =
  | { type: 'settled', how: 'ack' | 'nak' }
  | { type: 'died', cause: SlotDeathCause }

export type ToLoneWorker =
  | { type: 'job', job: LoneJob }
  | { type: 'stop', reason: StopReason }
  /** The worker holds a slot for the process again, so it may compute. */
  | { type: 'slot' }
  /** The answer to a request for disk space; `none` says why there is none. */
  | { type: 'room', none: NoSpace | null }

export type FromLoneWorker =
  /** The process begins to read a customer's store, or has read it and waits for a slot of the worker. */
  | { type: 'source', state: 'begun' | 'read' }
  /** The process needs this much disk space for its source, in place of what it had; null gives the space back. */
  | { type: 'room', bytes: number | null }
  | { type: 'ended', end: LoneEnd }
