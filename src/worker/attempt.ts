import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ConnectedSource } from '../domain/connection.ts'
import type { SourceRead } from '../domain/job-result.ts'
import { isTabular } from '../domain/job.ts'
import type { TaskFailure } from '../domain/task-failure.ts'
import { freeBytes } from '../platform/disk/free-bytes.ts'
import type { JobMessage } from '../platform/queue/job-messages.ts'
import { removeFolder } from '../platform/store/remove-folder.ts'
import { untilAborted } from '../platform/time/until-aborted.ts'
import { contentFailure } from '../sources/connectors/content-failure.ts'
import { answerRelayed } from '../sources/covariates/http/answer-relayed.ts'
import type { Relay } from '../sources/covariates/http/relayed-source.ts'
import type { FetchedModel } from './check-model.ts'
import { fetchExternalValues, type ExternalValues } from './external-values.ts'
import { fetchConnected, fetchModel, fetchStored, type FetchedInput } from './fetch-input.ts'
import type { News } from './news.ts'
import type { RunOutcome } from './publish-result.ts'
import { rephraseExplanation } from './rephrase-explanation.ts'
import { ComputedInVain, keptFree } from './result-space.ts'
import type { RunContext } from './run-context.ts'
import { runTask } from './run-task.ts'
import { earlierPlan, ShardedForecast, type EarlierPlan } from './shards/sharded-forecast.ts'
import type { RunInSlot, SlotWatch } from './shards/run-in-slot.ts'
import type { GatherTask, PipelineResult, RunTask, StageTask } from './slot-messages.ts'
import type { SlotEnd, SlotProcess } from './slot-process.ts'
import { SourceSpace } from './source-space.ts'
import { defined } from '../platform/defined.ts'

/** The slot of a run. The run leaves it to others while it only waits for a store outside the service. */
export interface AttemptSlot {
  /** Use it only while the slot is held. */
  readonly process: SlotProcess
  leave: () => void
  /** Rejects with the signal's reason when the signal aborts. */
  enter: (signal: AbortSignal) => Promise<void>
}

/** The input of a run in its scratch folder. `source`: set when the input came from a tenant's own store. */
interface Fetched extends FetchedInput {
  seconds: number
  model?: FetchedModel
}

/** How a run may be computed in shards. */
export interface Sharding {
  /** The shards that all workers can compute at a time; others compute some if there is more than one. */
  shardSlots: number
  /** The job had runs before, which may have left a plan and parts. */
  mayGoOn: boolean
}

type Died = Extract<SlotEnd<RunTask['kind']>, { type: 'died' }>

export type AttemptEnd =
  /** The run is decided; `budgetEndMs` is on the clock of performance.now. */
  | { type: 'outcome', outcome: RunOutcome, budgetEndMs: number }
  | Died

/** The share of the remaining time budget that providers of covariates may take. */
const shareOfTime = 0.5
const patientMs = 60_000
const noSpace = 'the disk has no space for what the run writes'

/**
 * One run of one job: fetches the input and computes in the slot, within the time budget. It publishes nothing;
 * `JobRun` does that.
 */
export class Attempt {
  readonly #context: RunContext
  readonly #job: JobMessage
  readonly #slot: AttemptSlot
  readonly #news: News
  readonly #folder: string
  readonly #room: SourceSpace
  readonly #run: string
  /** Undefined: the job is computed in one piece. */
  readonly #sharding: Sharding | undefined
  /** Aborts when what the run writes fills the disk. */
  readonly #full = new AbortController()

  constructor (context: RunContext, job: JobMessage, run: string, slot: AttemptSlot, news: News, sharding?: Sharding) {
    this.#run = run
    this.#sharding = sharding
    this.#context = context
    this.#job = job
    this.#slot = slot
    this.#news = news
    this.#folder = join(context.scratch, run)
    this.#room = new SourceSpace(context.scratchSpace, job.tenant)
  }

  /**
   * Rejects with the signal's reason when the signal aborts; by then the slot has stopped and the scratch folder is
   * gone.
   */
  async run (stopSignal: AbortSignal): Promise<AttemptEnd> {
    const signal = AbortSignal.any([stopSignal, this.#full.signal])
    const earlier = this.#sharding?.mayGoOn === true
      ? await earlierPlan({ context: this.#context, job: this.#job, signal })
      : undefined
    const end = earlier === undefined ? 'unusable' : await this.#once(signal, earlier)
    return end === 'unusable' ? await this.#once(signal, undefined) as AttemptEnd : end
  }

  /** `unusable`: the run cannot go on from the earlier plan. */
  async #once (signal: AbortSignal, earlier: EarlierPlan | undefined): Promise<AttemptEnd | 'unusable'> {
    let budgetEndMs = performance.now() + this.#job.budgetMs
    let kept = false
    let isUnusable = false
    let unwatch = (): void => undefined
    try {
      mkdirSync(this.#folder, { mode: 0o700 })
      const fetched = await this.#fetch(signal, budgetEndMs, earlier)
      if ('code' in fetched) return { type: 'outcome', outcome: fetched, budgetEndMs }
      // The budget starts after the fetch, less the time spent reading: waiting for a turn does not count.
      budgetEndMs = performance.now() + this.#job.budgetMs - fetched.seconds * 1000
      unwatch = await this.#watch()
      const values = earlier === undefined ? await this.#fetchValues(fetched, signal, budgetEndMs) : undefined
      if (values !== undefined && 'code' in values) return { type: 'outcome', outcome: values, budgetEndMs }
      if (values !== undefined && 'type' in values) return values
      const end = await this.#compute(fetched, values?.path, signal, budgetEndMs, earlier)
      signal.throwIfAborted()
      unwatch()
      isUnusable = end === 'unusable'
      if (end === 'unusable') return end
      if (end === 'timeout') return { type: 'outcome', outcome: this.#timedOut(), budgetEndMs }
      if (end.type === 'died') return end
      if (end.type === 'cancelled') throw new Error('the slot reports a cancel that nobody asked for')
      if (end.type === 'failed') {
        return { type: 'outcome', outcome: this.#failed(end.failure, fetched.source), budgetEndMs }
      }
      const result = withValues(await this.#inWords(end.result, signal), values)
      kept = true
      return { type: 'outcome', outcome: this.#completed(result, fetched), budgetEndMs }
    } finally {
      try {
        if (isUnusable) await removeFolder(this.#folder)
        else if (!kept) await this.#cleanUp()
      } finally {
        unwatch()
      }
    }
  }

  /** Ends the slot's work if what the run writes fills the disk. */
  async #watch (): Promise<() => void> {
    return await this.#context.results.watch({
      tenant: this.#job.tenant,
      folder: this.#folder,
      kept: keptFree(this.#context.config, this.#job),
      end: () => {
        this.#context.log.warn(`${noSpace}, and it is ended`)
        this.#full.abort(new ComputedInVain(noSpace))
      }
    })
  }

  /**
   * The outcome of a run whose slot reports a failure. On a full disk that failure is taken for the disk's: the run's
   * signal aborts, and this throws.
   */
  #failed (failure: TaskFailure, source: SourceRead | undefined): RunOutcome {
    const { config, log } = this.#context
    const isOfDisk = failure.code === 'pipeline_failed' || failure.code === 'storage_error'
    if (isOfDisk && freeBytes(this.#folder) < keptFree(config, this.#job)) {
      log.warn({ failure: failure.message }, noSpace)
      this.#full.abort(new ComputedInVain(noSpace))
      this.#full.signal.throwIfAborted()
    }
    return failedOutcome(failure, source)
  }

  /**
   * Fetches the input and the model; otherwise returns the outcome that ends the run. With an earlier plan the input
   * need not be read again.
   */
  async #fetch (signal: AbortSignal, deadlineMs: number,
    earlier: EarlierPlan | undefined): Promise<Fetched | RunOutcome> {
    const { input, model, jobId } = this.#job
    const startedMs = performance.now()
    const fetched = earlier !== undefined
      ? readBefore(earlier)
      : 'key' in input
      ? await fetchStored(this.#context, input, { jobId, path: join(this.#folder, 'input'), signal, deadlineMs })
      : await this.#fetchInTurn(input, signal)
    if ('code' in fetched) return fetched
    const { waitedMs, ...data } = { waitedMs: 0, ...fetched }
    const path = join(this.#folder, 'model')
    const fetchedModel = model === undefined
      ? undefined
      : await fetchModel(this.#context, model, { jobId, path, signal, deadlineMs: deadlineMs + waitedMs })
    if (fetchedModel !== undefined && 'code' in fetchedModel) return fetchedModel
    return { ...data, seconds: (performance.now() - startedMs - waitedMs) / 1000, ...defined({ model: fetchedModel }) }
  }

  /**
   * A tenant's own store may be slow, so the run leaves its slot while it reads from one. No tenant reads more than its
   * share of sources at a time. `waitedMs`: the time spent waiting, for the turn and for the slot.
   */
  async #fetchInTurn (source: ConnectedSource,
    signal: AbortSignal): Promise<RunOutcome | FetchedInput & { waitedMs: number }> {
    const { tenant, jobId, budgetMs } = this.#job
    this.#slot.leave()
    const startedMs = performance.now()
    let readMs = 0
    const read = async (): Promise<FetchedInput | RunOutcome> => {
      signal.throwIfAborted()
      const turnMs = performance.now()
      const end = await fetchConnected(this.#context, source, {
        jobId,
        folder: join(this.#folder, 'source'),
        signal,
        deadlineMs: turnMs + budgetMs,
        reserve: (bytes) => this.#room.reserve(bytes),
        spend: (cpuMs) => this.#news.spent(cpuMs)
      })
      readMs = performance.now() - turnMs
      return end
    }
    const fetched = await untilAborted(this.#context.sources.take(tenant, read), signal)
    if (fetched === undefined) throw new Error('too many sources are read at once')
    if ('code' in fetched) return fetched
    await this.#slot.enter(signal)
    return { ...fetched, waitedMs: performance.now() - startedMs - readMs }
  }

  /** Covariates from outside; undefined if the job asks for none. */
  async #fetchValues (fetched: Fetched, signal: AbortSignal,
    deadlineMs: number): Promise<ExternalValues | RunOutcome | Died | undefined> {
    const { spec, outputPrefix: prefix, limits } = this.#job
    if (isTabular(spec) || spec.externalCovariates === undefined) return undefined
    let died: Died | undefined
    const gather = async (valuesPath: string): Promise<RunOutcome | undefined> => {
      const { outputFolder, threads, budgetSeconds } = this.#taskOptions(deadlineMs)
      const { settings: covariates, spans } = this.#context.covariates
      // A provider that hangs costs the covariates, not the forecast.
      const patienceMs = Math.max(1, Math.floor((deadlineMs - performance.now()) * shareOfTime))
      // When the slot's task ends, requests that it no longer waits for must not keep their turn at a provider.
      const isOver = new AbortController()
      const task: GatherTask = {
        kind: 'gather',
        ...fetched.files,
        spec,
        limits,
        outputFolder,
        threads,
        budgetSeconds,
        covariates,
        spans,
        valuesPath,
        patienceMs
      }
      const end = await this.#runInSlot(task, signal, deadlineMs, this.#relay(AbortSignal.any([signal, isOver.signal])))
        .finally(() => isOver.abort())
      signal.throwIfAborted()
      if (end === 'timeout') return this.#timedOut()
      if (end.type === 'done') return undefined
      if (end.type === 'failed') return this.#failed(end.failure, fetched.source)
      if (end.type === 'cancelled') throw new Error('the slot reports a cancel that nobody asked for')
      died = end
      return { code: 'pipeline_failed', error: 'The process that found the covariates died.' }
    }
    const values = await fetchExternalValues(this.#context, {
      prefix,
      folder: this.#folder,
      gather,
      signal,
      deadlineMs
    })
    return died ?? values
  }

  /** Makes requests for the slot, which has neither network access nor API keys. */
  #relay (signal: AbortSignal): Relay {
    const { covariates: { network }, log } = this.#context
    let asked = 0
    return async (question) => {
      try {
        const path = join(this.#folder, `answer-${++asked}`)
        return await answerRelayed(network, question, { path, tenant: this.#job.tenant, signal })
      } catch (err) {
        if (!signal.aborted) log.error({ err }, 'answer of a provider of covariates not handed over')
        throw err
      }
    }
  }

  async #compute ({ files, model, source, warnings }: Fetched, valuesPath: string | undefined, signal: AbortSignal,
    budgetEndMs: number, earlier: EarlierPlan | undefined): Promise<SlotEnd<RunTask['kind']> | 'timeout' | 'unusable'> {
    const options = { ...files, ...this.#taskOptions(budgetEndMs), ...defined({ valuesPath }) }
    const task = runTask(this.#job, options, model)
    const { shardSlots } = this.#sharding ?? { shardSlots: 0 }
    if (task.kind !== 'forecast' || (earlier === undefined && shardSlots < 2)) {
      return await this.#runInSlot(task, signal, budgetEndMs)
    }
    const sharded = this.#sharded(signal, budgetEndMs, shardSlots)
    return earlier === undefined
      ? await sharded.compute(task, { source, warnings })
      : await sharded.resume(task, earlier)
  }

  #sharded (signal: AbortSignal, budgetEndMs: number, shardSlots: number): ShardedForecast {
    const runInSlot: RunInSlot = async (task, watch) =>
      await this.#runInSlot(task, signal, budgetEndMs, undefined, watch)
    return new ShardedForecast({
      ...{ context: this.#context, job: this.#job, run: this.#run, folder: this.#folder, news: this.#news },
      ...{ shardSlots, runInSlot, budgetEndMs, signal }
    })
  }

  #taskOptions (budgetEndMs: number) {
    const { config } = this.#context
    const { SLOT_THREADS: threads, ANALYSIS_ROLLING_REGRESSION: rollingRegressionAllowed } = config
    return {
      outputFolder: this.#folder,
      threads,
      rollingRegressionAllowed,
      shardSeconds: config.SHARD_SECONDS,
      budgetSeconds: Math.max(0, budgetEndMs - performance.now()) / 1000
    }
  }

  async #runInSlot<T extends RunTask | StageTask | GatherTask> (task: T, signal: AbortSignal, budgetEndMs: number,
    relay?: Relay, { onProgress, enough }: SlotWatch = {}): Promise<SlotEnd<T['kind']> | 'timeout'> {
    let isTimedOut = false
    const timer = setTimeout(() => {
      isTimedOut = true
      this.#slot.process.kill()
    }, Math.max(0, budgetEndMs - performance.now()))
    const stop = () => {
      // A cancelled job gives its slot a second to stop on its own; a worker that is stopping has no second to spare.
      if (signal.reason === 'cancelled') this.#slot.process.cancel()
      else this.#slot.process.kill()
    }
    // Nobody waits for this slot, so it has the time that it takes to notice.
    const cancel = () => this.#slot.process.cancel(patientMs)
    signal.addEventListener('abort', stop, { once: true })
    enough?.addEventListener('abort', cancel, { once: true })
    try {
      signal.throwIfAborted()
      const end = await this.#slot.process.run(task, onProgress ?? ((stage, fraction) =>
        this.#news.progress(stage, fraction)), relay)
      signal.throwIfAborted()
      return isTimedOut && end.type === 'died' ? 'timeout' : end
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      enough?.removeEventListener('abort', cancel)
    }
  }

  /** Rephrases the explanation if the operator has configured a language model. */
  async #inWords (result: PipelineResult, signal: AbortSignal): Promise<PipelineResult> {
    const { EXPLANATION_URL: url, EXPLANATION_MODEL: model, EXPLANATION_API_KEY: apiKey } = this.#context.config
    if (url === '' || result.explanation === undefined) return result
    const { explanation, reason } = await rephraseExplanation(result.explanation, { url, model, apiKey }, signal)
    if (reason !== null) this.#context.log.warn({ reason }, 'explanation not rephrased')
    return { ...result, explanation }
  }

  #completed (result: PipelineResult, { seconds, source, warnings = [] }: Fetched): RunOutcome {
    const timings = { ...result.timings, ingest: (result.timings['ingest'] ?? 0) + seconds }
    return {
      code: null,
      result: { ...result, timings, warnings: [...warnings, ...result.warnings] },
      ...defined({ source }),
      folder: this.#folder,
      cleanUp: () => this.#cleanUp()
    }
  }

  #timedOut (): RunOutcome {
    return {
      code: 'timeout',
      error: `The job exceeded its time budget of ${Math.round(this.#job.budgetMs / 100) / 10} s.`
    }
  }

  async #cleanUp (): Promise<void> {
    if (existsSync(this.#folder)) await removeFolder(this.#folder).finally(() => this.#room.end())
    else this.#room.end()
  }
}

function withValues (result: PipelineResult, values: ExternalValues | undefined): PipelineResult {
  if (values === undefined) return result
  return { ...result, timings: { ...result.timings, covariates: values.seconds } }
}

/** The input as the run that made the plan has read it. */
function readBefore ({ context: { source, warnings } }: EarlierPlan): FetchedInput {
  return { files: { inputPaths: [], format: 'csv', compression: null }, ...defined({ source, warnings }) }
}

/** If the data came from a tenant's own store, the outcome also says what is wrong there. */
function failedOutcome ({ code, message, content, suggestion }: TaskFailure,
  source: SourceRead | undefined): RunOutcome {
  const error = suggestion === undefined ? message : `${message} ${suggestion}`
  if (source === undefined) return { code, error }
  return { code, error, source, ...(content === null ? {} : { connectorCode: contentFailure(content) }) }
}
