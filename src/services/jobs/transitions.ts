import type { ErrorCode } from '../../domain/error-codes.ts'
import type { JobResult } from '../../domain/job-result.ts'
import { isTabular } from '../../domain/job.ts'
import { messageVersion } from '../../domain/message-version.ts'
import type { ClaimReply, ClaimRequest, GivenBack } from '../../platform/queue/job-messages.ts'
import { connectedInput, isTerminal, requestNote, type JobRecord } from './job-record.ts'
import { defined } from '../../platform/defined.ts'

/*
 * How a record may change: pending -> running -> completed | failed, never backwards, and a terminal record never
 * changes. Pure functions from record to record; the ledger runs them inside transactions.
 */

export interface AttemptLimits {
  /** How many slot processes may die on one job. */
  slotDeaths: number
  /** How many workers may be lost with one job. */
  lostWorkers: number
}

/** After this many lost workers a job no longer shares a worker. */
const sharedLosses = 2

/**
 * Whether each run of the job gets a worker of its own. A lost worker does not reveal which of its jobs was to blame; a
 * job that is alone in a lost worker is.
 */
export function isQuarantined ({ lostWorkers }: Pick<JobRecord, 'lostWorkers'>): boolean {
  return lostWorkers >= sharedLosses
}

export interface ClaimOutcome {
  reply: ClaimReply
  record: JobRecord | null
}

/**
 * Answers a worker that is about to start a run. `isPreviousRunAlive` tells a duplicate message (another run computes
 * this job right now) from a redelivery (the lease of a lost worker ran out).
 */
export function grantRun (record: JobRecord, request: ClaimRequest, limits: AttemptLimits, nowMs: number,
  isPreviousRunAlive: boolean): ClaimOutcome {
  if (isTerminal(record)) return { reply: refusal('terminal'), record: null }
  // The message is of an earlier dispatch.
  if (request.dispatch < record.dispatch) return { reply: refusal('superseded'), record: null }
  let { slotDeaths, lostWorkers } = record
  if (request.died !== undefined && request.died.run === record.run) {
    slotDeaths++
  } else if (record.run !== null && record.run !== request.run && record.run !== record.givenBack) {
    // Another run is computing the job.
    if (isPreviousRunAlive) return { reply: refusal('superseded'), record: null }
    lostWorkers++
  }
  // A job that is alone in its worker and stops answering is to blame: the next run would stop as well.
  const isToBlame = slotDeaths > record.slotDeaths && request.died?.cause === 'unresponsive' && isQuarantined(record)
  if (isToBlame || slotDeaths >= limits.slotDeaths || lostWorkers >= limits.lostWorkers) {
    const cause = request.died === undefined ? 'its workers vanished' : causes[request.died.cause]
    const apart = isToBlame ? ', also in a worker of its own' : ''
    const text = `The job was given up after ${record.attempt} attempts: ${cause}${apart}.`
    return {
      reply: refusal('attempts'),
      record: fail({ ...record, slotDeaths, lostWorkers }, 'pipeline_failed', text, nowMs)
    }
  }
  const attempt = record.run === request.run ? record.attempt : record.attempt + 1
  return {
    reply: { v: messageVersion, go: true, attempt, ...(isQuarantined({ lostWorkers }) ? { alone: true } : {}) },
    record: {
      ...record,
      status: 'running',
      startedAtMs: record.startedAtMs ?? nowMs,
      run: request.run,
      attempt,
      slotDeaths,
      lostWorkers
    }
  }
}

/**
 * How many runs may be given back because their worker was in trouble. It allows for hours of a full disk, and still
 * ends a job that no worker can run.
 */
const maxTroubles = 300
/** How many results of a job may find no space on the disk. Each of them was computed in full. */
const maxInVain = 10

/**
 * Records that the worker gave the run back unfinished. The worker is alive, so it does not count as lost. undefined
 * when the run does not have the job, or was given back before.
 */
export function giveBack (record: JobRecord, { run, givenBack }: GivenBack, nowMs: number): JobRecord | undefined {
  if (isTerminal(record) || record.run !== run || record.givenBack === run) return undefined
  if (givenBack === 'in_vain') {
    const after = { ...record, givenBack: run, inVain: (record.inVain ?? 0) + 1 }
    if (after.inVain < maxInVain) return after
    return fail(after, 'storage_error', 'The disk of the service has no room for the result of the job.', nowMs)
  }
  if (givenBack !== 'trouble') return { ...record, givenBack: run }
  const after = { ...record, givenBack: run, troubles: (record.troubles ?? 0) + 1 }
  if (after.troubles < maxTroubles) return after
  return fail(after, 'pipeline_failed',
    `The job was given up after ${record.attempt} attempts: no worker could run it.`, nowMs)
}

/** How many results of a job the object store may lose. Each of them was computed in full. */
const maxLostResults = 10

/**
 * The job waits again, because the store does not give the result of this run. undefined when the job has ended,
 * another run has it, or the loss is known.
 */
export function loseResult (record: JobRecord, run: string, nowMs: number): JobRecord | undefined {
  if (isTerminal(record)) return undefined
  if (record.run !== null && (record.run !== run || record.givenBack === run)) return undefined
  const after = { ...record, lostResults: (record.lostResults ?? 0) + 1, givenBack: run }
  if (after.lostResults < maxLostResults) return { ...after, dispatch: record.dispatch + 1, streamSequence: null }
  return fail(after, 'storage_error', `The object store did not give the results of ${maxLostResults} runs of the job.`,
    nowMs)
}

/** How often a sandbox job makes way. By then its visitor has waited for a minute or more. */
const maxPreemptions = 5

/** Takes the job from its run to make way for tenants' jobs; the job waits again. undefined when no run has it. */
export function preempt (record: JobRecord, nowMs: number): JobRecord | undefined {
  if (isTerminal(record) || record.run === null || record.givenBack === record.run) return undefined
  const preemptions = (record.preemptions ?? 0) + 1
  const after = { ...record, givenBack: record.run, stopped: record.run, preemptions }
  if (preemptions <= maxPreemptions) return { ...after, dispatch: record.dispatch + 1, streamSequence: null }
  const text = `The job was stopped ${preemptions} times, because other jobs needed its place.`
  return fail(after, 'server_overloaded', `${text} Try again when the service is less busy.`, nowMs)
}

/**
 * Takes the job from a run that has exceeded the time of a small job; the job waits again, as a large one. undefined
 * when the run does not have it.
 */
export function outgrow (record: JobRecord, run: string): JobRecord | undefined {
  if (isTerminal(record) || record.size === 'large' || record.run !== run || record.givenBack === run) return undefined
  return { ...record, size: 'large', givenBack: run, stopped: run, dispatch: record.dispatch + 1, streamSequence: null }
}

const causes = {
  crash: 'the process that computed it crashed',
  memory: 'the process that computed it needed more memory than this deployment allows',
  unresponsive: 'the process that computed it stopped answering'
}

function refusal (reason: 'terminal' | 'deleted' | 'superseded' | 'attempts'): ClaimReply {
  return { v: messageVersion, go: false, reason }
}

/** Every further run would end with the same code, so the first run that reports one decides. */
const deterministicCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'validation_error',
  'dataset_too_large',
  'file_too_large',
  'invalid_forecast',
  'pipeline_failed',
  'timeout'
])

/**
 * The record after the end of a run; undefined when that run does not decide. While the record is open, any completed
 * run wins, because all runs give equal bytes. A failure counts when it is deterministic or comes from the newest run.
 */
export function applyResult (record: JobRecord, result: JobResult, nowMs: number): JobRecord | undefined {
  if (isTerminal(record)) return undefined
  const input = connectedInput(record) !== undefined && result.source !== undefined
    ? { ...record.input, read: result.source }
    : record.input
  const own = {
    input,
    run: record.run ?? result.run,
    attempt: Math.max(record.attempt, 1),
    startedAtMs: record.startedAtMs ?? nowMs
  }
  if (result.code !== null) {
    if (!deterministicCodes.has(result.code) && record.run !== null && record.run !== result.run) return undefined
    const failed = fail({ ...record, ...own }, result.code, result.error ?? 'The job failed.', nowMs)
    const code = defined({ connectorCode: result.connectorCode })
    return { ...failed, ...code, warnings: mergeWarnings(record, result), timings: result.timings }
  }
  if (record.jobType === 'fine_tune' && result.trained === undefined) {
    return fail({ ...record, ...own }, 'pipeline_failed', 'The training ended without a model.', nowMs)
  }
  if (isTabular(record.spec) && result.tabular === undefined) {
    return fail({ ...record, ...own }, 'pipeline_failed', 'The run ended without an outcome.', nowMs)
  }
  return {
    ...record,
    ...own,
    status: 'completed',
    completedAtMs: nowMs,
    winner: result.run,
    files: result.files,
    numItems: result.numItems,
    datasetHash: result.datasetHash,
    timings: withQueueTime(record, result, nowMs),
    warnings: mergeWarnings(record, result),
    ...defined({
      externalCovariates: result.externalCovariates,
      preparation: result.preparation,
      reconciliation: result.reconciliation,
      trained: result.trained,
      tabular: result.tabular,
      explainability: result.explainability,
      explanation: result.explanation
    })
  }
}

/** The end of a job that no run can complete. */
export function fail (record: JobRecord, code: ErrorCode, error: string, nowMs: number): JobRecord {
  return { ...record, status: 'failed', completedAtMs: nowMs, error, errorCode: code }
}

/**
 * The check and the run read the same file, so the run's warnings replace those of the check. Warnings about the
 * request stay.
 */
function mergeWarnings (record: JobRecord, result: JobResult) {
  if (result.warnings.length === 0) return record.warnings
  return [...record.warnings.filter(({ code }) => code === requestNote), ...result.warnings]
}

/**
 * Seconds with three decimals. The parts never exceed the total; rounding differences are subtracted from the queue.
 */
function withQueueTime (record: JobRecord, result: JobResult, nowMs: number): Record<string, number> {
  const total = Math.max(0, nowMs - record.createdAtMs) / 1000
  const stages = Object.fromEntries(
    Object.entries(result.timings).filter(([stage]) => stage !== 'total').map((
      [stage, seconds]
    ) => [stage, round(seconds)])
  )
  const busy = Object.values(stages).reduce((sum, seconds) => sum + seconds, 0)
  const waited = Math.max(0, (record.startedAtMs ?? nowMs) - record.createdAtMs) / 1000
  const queue = round(Math.max(0, Math.min(waited, total - busy)))
  return { queue, ...stages, total: round(Math.max(total, queue + busy)) }
}

function round (seconds: number): number {
  return Math.round(seconds * 1000) / 1000
}
