import type { JobHandle } from '../platform/queue/index.ts'
import type { StopReason } from './stop-reason.ts'

/*
 * What crosses the pipe between a worker and the process that it has started for one job. Both come from the same build.
 */

/** The message as the worker got it, and the run that was granted. */
export type LoneJob = Pick<JobHandle, 'message' | 'seq' | 'redelivered' | 'leaseMs'> & { workerId: string, run: string }

export type ToLoneWorker =
  | { type: 'job', job: LoneJob }
  | { type: 'stop', reason: StopReason }
  /** It may compute: the worker has a slot for it again. */
  | { type: 'slot' }

export type FromLoneWorker =
  /** Its slot died, and it goes on under this run. */
  | { type: 'run', run: string }
  /** It begins to read a customer's store, or has read it and waits for a slot of the worker. */
  | { type: 'source', state: 'begun' | 'read' }
  /** The end of the message: acknowledged, or given back. */
  | { type: 'settled', how: 'ack' | 'nak' }
