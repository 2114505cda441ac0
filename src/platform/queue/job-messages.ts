import type { ConnectedSource } from '../../domain/connection.ts'
import type { ErrorCode } from '../../domain/error-codes.ts'
import type { ModelFile, StoredFile } from '../../domain/files.ts'
import type { JobSpec, JobType } from '../../domain/job.ts'
import type { OutputLimits, TableLimits } from '../../domain/limits.ts'

/** JOBS stream, subject `jobs.small` or `jobs.large`; message id `<jobId>:<dispatch>`. */
export interface JobMessage {
  v: number
  jobId: string
  tenant: string
  /** Raised in the record at each intended redispatch. */
  dispatch: number
  jobType: JobType
  input: StoredFile | ConnectedSource
  /** Of `spec.modelId`. */
  model?: ModelFile
  /** Outputs go to `<outputPrefix><run>/<name>`. */
  outputPrefix: string
  /** A `TabularSpec` for `classification` and `regression`. */
  spec: JobSpec
  /** As the job's record has them, for its report; absent in messages of earlier builds. */
  configHash?: string
  modelVersion?: string
  limits: TableLimits & OutputLimits & { maxCsvBytes: number }
  /** Wall clock that one run may take, milliseconds. */
  budgetMs: number
  /** Of the request that created the job, for the log; absent in messages of earlier builds. */
  requestId?: string
  traceparent?: string
}

/** Request on `claim.<jobId>` before a run starts; the api answers `ClaimReply`. No answer (no api): go on. */
export interface ClaimRequest {
  v: number
  jobId: string
  tenant: string
  dispatch: number
  workerId: string
  /** The run that would start. */
  run: string
  /** Set when this worker lost a slot process on this very message: the run that died with it. */
  died?: { run: string, cause: SlotDeathCause }
  /**
   * Set when nothing starts: this worker is alive and gives `run` back unfinished. An api of before takes it for a
   * repeated claim.
   */
  givenBack?: GivenBackReason
}

/** `stopping`: the worker was asked to end. `trouble`: it cannot run anything now, as with a full disk. */
export type GivenBackReason = 'stopping' | 'trouble'

/** Also in EVENTS in place of the end of `run`, where no api answered. */
export type GivenBack = ClaimRequest & { givenBack: GivenBackReason }

export type SlotDeathCause = 'crash' | 'memory' | 'unresponsive'

export type ClaimReply =
  /**
   * `alone`: earlier workers were lost with this job, so it gets a process of its own. Absent: it shares the worker.
   */
  | { v: number, go: true, attempt: number, alone?: boolean }
  | { v: number, go: false, reason: 'terminal' | 'deleted' | 'superseded' | 'attempts' }

/** Stage of a run that was given back unfinished, so that the next claim is not taken for a duplicate. */
export const abandonedStage = 'abandoned'

/** Lossy core message `news.<jobId>`: a run started, or moved on. Never durable, never needed. */
export interface NewsMessage {
  v: number
  jobId: string
  tenant: string
  run: string
  workerId: string
  stage: string
  /** Share of the run that is done, 0 to 1. */
  fraction: number
}

/** EVENTS stream, subject `events.<jobId>`, message id `<jobId>:<run>`: a run ended for good. */
export interface EventMessage {
  v: number
  jobId: string
  tenant: string
  run: string
  /** null: completed. */
  code: ErrorCode | null
  /** Of `<outputPrefix><run>/result.cbor`; null when the store did not take it (then `error` says why). */
  resultSha256: string | null
  error: string | null
}

/**
 * Core broadcast `cancel.<jobId>`: stop every run of this job; `deleted`: and whatever else is made of it. `run`: only
 * this one; workers of earlier builds stop every one.
 */
export interface CancelMessage {
  v: number
  jobId: string
  deleted?: boolean
  run?: string
}
