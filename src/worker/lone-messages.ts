import type { NoRoom } from '../platform/disk/scratch-room.ts'
import type { JobHandle } from '../platform/queue/index.ts'
import type { SlotDeathCause } from '../platform/queue/job-messages.ts'
import type { StopReason } from './stop-reason.ts'

/*
 * What crosses the pipe between a worker and the process that it has started for one job. Both come from the same
 * build.
 */

/** The message as the worker got it, and the run that was granted. */
export type LoneJob = Pick<JobHandle, 'message' | 'seq' | 'redelivered' | 'leaseMs'> & { workerId: string, run: string }

/**
 * Of the message: acknowledged, or given back. `died`: the slot, or the process; whoever has the message asks for
 * another run.
 */
export type LoneEnd =
  | { type: 'settled', how: 'ack' | 'nak' }
  | { type: 'died', cause: SlotDeathCause }

export type ToLoneWorker =
  | { type: 'job', job: LoneJob }
  | { type: 'stop', reason: StopReason }
  /** It may compute: the worker has a slot for it again. */
  | { type: 'slot' }
  /** Of what it has asked for; `none`: why there is none. */
  | { type: 'room', none: NoRoom | null }

export type FromLoneWorker =
  /** It begins to read a customer's store, or has read it and waits for a slot of the worker. */
  | { type: 'source', state: 'begun' | 'read' }
  /** It wants so much room for its source, instead of what it had; null: it gives that back. */
  | { type: 'room', bytes: number | null }
  | { type: 'ended', end: LoneEnd }
