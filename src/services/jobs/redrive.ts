import type { ApiQueue } from '../../platform/queue/index.ts'
import { inPortions } from '../../platform/turns/in-portions.ts'
import type { Dispatcher } from './dispatcher.ts'
import type { JobLedger } from './job-ledger.ts'
import { isTerminal, type JobRecord, type JobStatus } from './job-record.ts'
import type { WorkerPresence } from './worker-presence.ts'

/**
 * Selects jobs: by their ids, or all of one tenant, or all. `failedWith`: also report jobs that failed with this code.
 */
export interface RedriveRequest {
  jobIds: string[]
  tenant: string | null
  failedWith: string | null
}

/**
 * - `sent`: published under a new dispatch number.
 * - `waiting`: in the backlog, which publishes it when there is room.
 * - `running`: its run gives signs of life.
 * - `ended`: it stays as it is; create another job instead.
 * - `unknown`: there is no such job.
 */
export type RedriveOutcome = 'sent' | 'waiting' | 'running' | 'ended' | 'unknown'

export interface Redriven {
  jobId: string
  tenant: string | null
  outcome: RedriveOutcome
  status: JobStatus | null
  errorCode: string | null
  dispatch: number | null
}

interface RedriveDeps {
  ledger: JobLedger
  queue: ApiQueue
  presence: WorkerPresence
  dispatcher: Dispatcher
  leaseMs: number
}

/** Sends open jobs without a run to the queue again. */
export async function redrive (deps: RedriveDeps, request: RedriveRequest): Promise<Redriven[]> {
  const found = await select(deps.ledger, request)
  const known = new Set(found.map(({ jobId }) => jobId))
  const done: Redriven[] = []
  // Computed once, because a job that enters the queue while this runs has just been sent.
  const waiting = new Set(found.filter(({ jobId }) => deps.ledger.isInOutbox(jobId)))
  for (const record of found) done.push(await one(deps, record, waiting.has(record)))
  for (const jobId of request.jobIds) {
    if (!known.has(jobId)) {
      done.push({ jobId, tenant: null, outcome: 'unknown', status: null, errorCode: null, dispatch: null })
    }
  }
  return done
}

async function select (ledger: JobLedger, { jobIds, tenant, failedWith }: RedriveRequest): Promise<JobRecord[]> {
  const wanted = new Set(jobIds)
  const isWanted = (record: JobRecord) =>
    (wanted.size === 0 || wanted.has(record.jobId)) && (tenant === null || record.tenant === tenant) &&
    (failedWith === null || record.errorCode === failedWith)
  // Ended jobs are read only when the request asks for them.
  const found: JobRecord[] = []
  for await (const record of inPortions(wanted.size > 0 || failedWith !== null ? ledger.every() : ledger.open())) {
    if (isWanted(record)) found.push(record)
  }
  return found
}

async function one ({ ledger, queue, presence, dispatcher, leaseMs }: RedriveDeps, record: JobRecord,
  isWaiting: boolean): Promise<Redriven> {
  const { jobId, tenant, status, errorCode, dispatch, run, streamSequence } = record
  const outcome = (what: RedriveOutcome, at = dispatch): Redriven => ({
    jobId,
    tenant,
    outcome: what,
    status,
    errorCode,
    dispatch: at
  })
  if (isTerminal(record)) return outcome('ended')
  if (isWaiting) return outcome('waiting')
  if (run !== null && presence.isRunAlive(run, leaseMs)) return outcome('running')
  const again = await ledger.redispatch(tenant, jobId)
  if (again === undefined) return outcome('ended')
  // A worker that got the old message in the meantime is refused, because its dispatch number is outdated.
  if (streamSequence !== null && queue.connected) await queue.deleteJobMessage(streamSequence)
  dispatcher.add(again)
  return outcome('sent', again.dispatch)
}
