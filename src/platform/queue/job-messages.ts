import type { ConnectedSource } from '../../domain/connection.ts'
import type { ErrorCode } from '../../domain/error-codes.ts'
import type { ModelFile, StoredFile } from '../../domain/files.ts'
import type { JobSpec, JobType } from '../../domain/job.ts'
import type { OutputLimits, TableLimits } from '../../domain/limits.ts'

/** In the JOBS stream, subject `jobs.small` or `jobs.large`; message id `<jobId>:<dispatch>`. */
export interface JobMessage {
  v: number
  jobId: string
  tenant: string
  /** Increased in the record at each intended redispatch. */
  dispatch: number
  jobType: JobType
  input: StoredFile | ConnectedSource
  /** The model that `spec.modelId` names. */
  model?: ModelFile
  /** Outputs go to `<outputPrefix><run>/<name>`. */
  outputPrefix: string
  /** A `TabularSpec` for `classification` and `regression`. */
  spec: JobSpec
  /** From the job's record, for its report; absent in messages of earlier builds. */
  configHash?: string
  modelVersion?: string
  limits: TableLimits & OutputLimits & { maxCsvBytes: number }
  /** Wall time that one run may take, in milliseconds. */
  budgetMs: number
  /** The id of the request that created the job, for the log; absent in messages of earlier builds. */
  requestId?: string
  traceparent?: string
}

/**
 * Request on `claim.<jobId>` before a run starts; the api answers with `ClaimReply`. If no api answers, the run starts.
 */
export interface ClaimRequest {
  v: number
  jobId: string
  tenant: string
  dispatch: number
  workerId: string
  /** The run that would start. */
  run: string
  /** Set if this worker lost a slot process on this very message: the run that died with it. */
  died?: { run: string, cause: SlotDeathCause }
  /**
   * Set if no run starts: this worker is alive and gives `run` back unfinished. An api of an earlier release takes it
   * for a repeated claim.
   */
  givenBack?: GivenBackReason
}

/**
 * `stopping`: the worker was asked to end, or other jobs need its memory or disk. `in_vain`: the result was computed,
 * and found no space on the disk; an api of an earlier release takes it for `stopping`. `trouble`: the worker cannot
 * run anything now.
 */
export type GivenBackReason = 'stopping' | 'in_vain' | 'trouble'

/** Also published to EVENTS, in place of an end of `run`, if no api answered the claim. */
export type GivenBack = ClaimRequest & { givenBack: GivenBackReason }

export type SlotDeathCause = 'crash' | 'memory' | 'unresponsive'

export type ClaimReply =
  /**
   * `alone`: earlier workers were lost with this job, so it gets a process of its own. Absent: it shares the worker.
   * `shardSlots`: the shards that all workers can compute at a time, if the job may be computed in shards.
   */
  | { v: number, go: true, attempt: number, alone?: boolean, shardSlots?: number }
  | { v: number, go: false, reason: 'terminal' | 'deleted' | 'superseded' | 'attempts' }

/** The stage of a run that was given back unfinished, so that the next claim is not taken for a duplicate. */
export const abandonedStage = 'abandoned'

/** Core message `news.<jobId>`: a run started, or made progress. It may be lost, and nothing depends on it. */
export interface NewsMessage {
  v: number
  jobId: string
  tenant: string
  run: string
  workerId: string
  stage: string
  /** The share of the run that is done, from 0 to 1. */
  fraction: number
  /** Set if the run is computed in shards. */
  shards?: { done: number, total: number }
  /** Processor time in milliseconds that answers of the tenant's store have cost the worker, and was not told yet. */
  cpuMs?: number
}

/**
 * A run has ended for good: a request to the api, subject `ends.<jobId>`, or in the EVENTS stream, subject
 * `events.<jobId>`, message id `<jobId>:<run>`.
 */
export interface EventMessage {
  v: number
  jobId: string
  tenant: string
  run: string
  /** null: completed. */
  code: ErrorCode | null
  /** The hash of `<outputPrefix><run>/result.cbor`; null if the store did not take it (then `error` says why). */
  resultSha256: string | null
  error: string | null
}

/** The api's answer to an event that its worker reported. */
export interface EndReply {
  v: number
  /** It is on disk. Otherwise the worker puts the event into the stream. */
  applied: boolean
}

/**
 * Core broadcast `cancel.<jobId>`: stop every run of this job. `deleted`: stop everything else made for the job too.
 * `run`: stop only this run; workers of earlier builds stop all of them.
 */
export interface CancelMessage {
  v: number
  jobId: string
  deleted?: boolean
  run?: string
}
