import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import type { ErrorCode } from '../../domain/error-codes.ts'
import { maxReadResultBytes, type JobResult } from '../../domain/job-result.ts'
import { isTabular } from '../../domain/job.ts'
import { messageVersion } from '../../domain/message-version.ts'
import { jobFacts } from '../../platform/log/job-facts.ts'
import { decodeResult, type ApiQueue } from '../../platform/queue/index.ts'
import type { EventMessage, GivenBack } from '../../platform/queue/job-messages.ts'
import { covariatesKey, jobPrefix, resultKey, runPrefix, shardsPrefix } from '../../platform/store/keys.ts'
import type { ObjectStore } from '../../platform/store/object-store.ts'
import { StoreError } from '../../platform/store/store-error.ts'
import type { ClaimDesk } from './claim-desk.ts'
import type { Dispatcher } from './dispatcher.ts'
import type { AppliedResult, JobLedger } from './job-ledger.ts'
import { isTerminal, type JobRecord } from './job-record.ts'
import type { JobWatchers } from './job-watchers.ts'

/** Results that one transaction applies, since it blocks one pass of the event loop. */
const maxAppliedBytes = 512 * 1024
/** Results that are read side by side. */
const readsAtOnce = 8
/**
 * A result is small; a store that takes longer for it must not hold up the ends of other jobs. One that takes some
 * seconds for everything still works.
 */
const readMs = 15_000
/** By then a cancelled run has stopped writing. */
const sweepDelayMs = 5_000

interface EventDeskDeps {
  ledger: JobLedger
  store: ObjectStore
  queue: ApiQueue
  dispatcher: Dispatcher
  claims: ClaimDesk
  watchers: JobWatchers
  log: Logger
}

/** Turns the ends of runs into the ends of jobs. An event is acknowledged only once its effect is on disk. */
export class EventDesk {
  readonly #deps: EventDeskDeps

  constructor (deps: EventDeskDeps) {
    this.#deps = deps
  }

  /** Returns the events whose results cannot be read now. */
  async handle (events: EventMessage[], givenBack: GivenBack[]): Promise<EventMessage[]> {
    for (const run of givenBack) await this.#deps.claims.takeBack(run)
    const unread: EventMessage[] = []
    let ended: Array<{ tenant: string, result: JobResult }> = []
    let bytes = 0
    for await (const [event, found] of this.#results(events)) {
      if (found === 'unread') {
        unread.push(event)
        continue
      }
      if (found === undefined) {
        await this.#redispatch(event)
        continue
      }
      ended.push({ tenant: event.tenant, result: found.result })
      bytes += found.bytes
      if (bytes < maxAppliedBytes) continue
      await this.apply(ended)
      ended = []
      bytes = 0
    }
    await this.apply(ended)
    return unread
  }

  async *#results (events: EventMessage[]): AsyncGenerator<[EventMessage, Found], void, undefined> {
    for (let from = 0; from < events.length; from += readsAtOnce) {
      const some = events.slice(from, from + readsAtOnce)
      yield* await Promise.all(
        some.map(async (event): Promise<[EventMessage, Found]> => [event, await this.#readResultOf(event)])
      )
    }
  }

  async #readResultOf (event: EventMessage): Promise<Found> {
    try {
      return await this.#resultOf(event)
    } catch (err) {
      const { jobId, run, code, error } = event
      this.#deps.log.warn({ jobId, run, err }, 'the result of a run cannot be read now')
      return code === null ? 'unread' : failure(event, code, error)
    }
  }

  /** Applies results. The reconciler also calls it for results without their event. */
  async apply (ended: Array<{ tenant: string, result: JobResult }>): Promise<void> {
    for (let rest = ended; rest.length > 0;) {
      const applied = await this.#deps.ledger.applyResults(rest)
      for (const [index, one] of applied.entries()) await this.#settle(rest[index]!.tenant, rest[index]!.result, one)
      rest = rest.slice(applied.length)
    }
  }

  async #settle (tenant: string, result: JobResult, { record, decided }: AppliedResult): Promise<void> {
    const { ledger, queue, dispatcher, claims, watchers, log } = this.#deps
    const { jobId, run } = result
    const prefix = jobPrefix(tenant, jobId)
    if (record === undefined) {
      // The job was deleted during the run. The tombstone wins, and the run's outputs are deleted too.
      queue.publishCancel(jobId, 'deleted')
      await ledger.scheduleSweep(Date.now(), prefix, null)
    } else if (decided) {
      dispatcher.settle(record)
      const isSharded = claims.stage(record)?.shards !== undefined || record.attempt > 1
      claims.forget(jobId)
      watchers.notify(jobId)
      // The run deletes them itself. A worker that was killed meanwhile, or while it stored a part, may leave some.
      if (isSharded) await ledger.scheduleSweep(Date.now() + sweepDelayMs, shardsPrefix(prefix, run), null)
      log.info({ ...jobFacts(record), run, status: record.status, code: record.errorCode, attempt: record.attempt },
        'job ended')
      if (hasCovariateValues(record)) {
        // An earlier run may still store its values.
        const delayMs = record.attempt > 1 ? sweepDelayMs : 0
        await ledger.scheduleSweep(Date.now() + delayMs, covariatesKey(prefix), null)
      }
      if (record.attempt > 1) {
        queue.publishCancel(jobId, 'over')
        await ledger.scheduleSweep(Date.now() + sweepDelayMs, prefix, run)
      }
    } else if (!isTerminal(record) || record.winner !== run) {
      await ledger.scheduleSweep(Date.now(), runPrefix(prefix, run), null)
    }
  }

  async #redispatch ({ tenant, jobId, run }: EventMessage): Promise<void> {
    const { ledger, log } = this.#deps
    const record = await ledger.loseResult(tenant, jobId, run)
    if (record !== undefined) {
      log.warn({ ...jobFacts(record), run, count: record.lostResults }, 'the announced result is not in the store')
      await this.runAgain(record)
    } else if (ledger.get(tenant, jobId) === undefined) {
      // The deletion removed the result before its event came. This sweep removes what the run stored later.
      log.debug({ jobId, run }, 'the job was deleted when its run ended')
      await ledger.scheduleSweep(Date.now(), jobPrefix(tenant, jobId), null)
    }
  }

  /** Call it when the result of the job's run was lost: the job runs again, or has failed. */
  async runAgain (record: JobRecord): Promise<void> {
    const { ledger, queue, dispatcher, claims, watchers } = this.#deps
    const { tenant, jobId, run } = record
    claims.forget(jobId)
    if (!isTerminal(record)) return dispatcher.add(record)
    dispatcher.settle(record)
    watchers.notify(jobId)
    queue.publishCancel(jobId, 'over')
    await ledger.scheduleSweep(Date.now() + sweepDelayMs, jobPrefix(tenant, jobId), run)
  }

  /** undefined when the run completed, but its result is missing or differs from what it announced. */
  async #resultOf (event: EventMessage): Promise<ReadResult | undefined> {
    const { tenant, jobId, run, code, error, resultSha256 } = event
    if (resultSha256 !== null) {
      const store = this.#deps.store.within(AbortSignal.timeout(readMs))
      const found = await readResult(store, resultKey(jobPrefix(tenant, jobId), run), resultSha256)
      if (found === 'too_large' && code === null) {
        return failure(event, 'pipeline_failed',
          `What the run told of its result has more than ${maxReadResultBytes} bytes.`)
      }
      if (found !== undefined && found !== 'too_large') return found
    }
    return code === null ? undefined : failure(event, code, error)
  }
}

/** undefined: the job runs again. `unread`: the store does not give the result now. */
type Found = ReadResult | 'unread' | undefined

/** `bytes`: the stored size. */
interface ReadResult {
  result: JobResult
  bytes: number
}

/**
 * undefined when the result is missing or differs from the announced hash. Without a hash any well-formed result is
 * accepted.
 */
export async function readResult (store: ObjectStore, key: string,
  sha256: string | null): Promise<ReadResult | 'too_large' | undefined> {
  try {
    const bytes = await store.getBytes(key, maxReadResultBytes)
    if (sha256 !== null && createHash('sha256').update(bytes).digest('hex') !== sha256) return undefined
    return { result: decodeResult(bytes), bytes: bytes.length }
  } catch (error) {
    if (error instanceof StoreError && error.code === 'not_found') return undefined
    if (error instanceof StoreError && error.code === 'too_large') return 'too_large'
    throw error
  }
}

/** The result of a run as far as the event tells it. */
function failure ({ jobId, run }: EventMessage, code: ErrorCode, error: string | null): ReadResult {
  return {
    result: {
      v: messageVersion,
      jobId,
      run,
      code,
      error,
      files: [],
      numItems: null,
      datasetHash: null,
      timings: {},
      warnings: []
    },
    bytes: 0
  }
}

/** Runs of the job stored values of covariates from outside, for later runs. */
function hasCovariateValues ({ spec }: JobRecord): boolean {
  return !isTabular(spec) && spec.externalCovariates !== undefined
}
