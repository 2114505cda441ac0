import { dirname } from 'node:path'
import type { Logger } from 'pino'
import { ulid } from 'ulid'
import { isTabular } from '../domain/job.ts'
import { messageVersion } from '../domain/message-version.ts'
import { jobFacts } from '../platform/log/job-facts.ts'
import type { JobHandle } from '../platform/queue/index.ts'
import type { ClaimRequest, EventMessage, GivenBackReason, SlotDeathCause } from '../platform/queue/job-messages.ts'
import { covariatesKey, runPrefix } from '../platform/store/keys.ts'
import type { ObjectStore } from '../platform/store/object-store.ts'
import { retry } from '../platform/time/retry.ts'
import { untilAborted } from '../platform/time/until-aborted.ts'
import { Attempt, type AttemptEnd, type AttemptSlot } from './attempt.ts'
import { findEarlierResult } from './earlier-result.ts'
import type { LoneEnd } from './lone-messages.ts'
import { LoneWorker } from './lone-worker.ts'
import { News } from './news.ts'
import { publishOutcome, toEvent, type RunOutcome } from './publish-result.ts'
import type { RunContext } from './run-context.ts'
import { sweepDead } from './scratch.ts'
import type { Slot, SlotPool } from './slot-pool.ts'
import { SourceRoom } from './source-room.ts'
import type { StopReason } from './stop-reason.ts'
import { isPassing } from './store-failure.ts'

type LoneRunEnd = { type: 'settled' } | Extract<LoneEnd, { type: 'died' }>

/** A message that could not be handled for a reason of ours waits this long before somebody tries again. */
const troubleDelayMs = 2_000
/** And longer each time, up to this. */
const longestTroubleDelayMs = 30_000
/**
 * A failure is told by its event; its result object is only a second copy, so a store that is away does not hold it up
 * for long.
 */
const failureStoreMs = 5_000

/** For a run in a process of its own: what the worker that has its message is told. */
export interface GrantedRun {
  /** The run that the worker was granted. */
  granted: string
  /** Its slot died: the worker asks for the next run, in a process of its own and with a lane of its own. */
  onDeath: (cause: SlotDeathCause) => void
  /** It begins to read a customer's store. */
  onReading: () => void
  /** Resolves when the worker has a slot for what it computes; rejects with the signal's reason when it is aborted. */
  mayCompute: (signal: AbortSignal) => Promise<void>
}

/**
 * One job message in this worker's hands, from its claim to its acknowledgement. Each attempt is a run with an id of
 * its own; a slot that dies starts another one, and everything that is visible outside carries the run's id.
 */
export class JobRun {
  run: string
  readonly jobId: string
  readonly #context: RunContext
  /** For what goes on when the run has been stopped. */
  readonly #store: ObjectStore
  readonly #pool: SlotPool
  readonly #log: Logger
  /** Another attempt may have found what this run stores, and announced it: then these are the outputs of the job. */
  #isPublishing = false
  #isReading = false
  readonly #stop = new AbortController()
  readonly #own: GrantedRun | undefined
  #handle: JobHandle
  #slot: Slot | undefined
  /** Runs of the job, this one included, as far as the api has said. */
  #attempts = 1

  constructor (context: RunContext, pool: SlotPool, handle: JobHandle, slot: Slot, own?: GrantedRun) {
    // Whatever works for this run says so in its lines.
    this.#log = context.log.child(jobFacts(handle.message))
    this.#store = context.store
    this.#context = { ...context, log: this.#log, store: context.store.within(this.#stop.signal) }
    this.#pool = pool
    this.#handle = handle
    this.#slot = slot
    this.jobId = handle.message.jobId
    this.run = own?.granted ?? ulid()
    this.#own = own
  }

  /** It has left its slot to others while it waits for a customer's store. */
  get isReading (): boolean {
    return this.#isReading
  }

  /** The number of the message that it has. */
  get dispatch (): number {
    return this.#handle.message.dispatch
  }

  /** It ends, and with it what it knows of its message. */
  get isStopped (): boolean {
    return this.#stop.signal.aborted
  }

  /**
   * The lease ran out while the queue was away, and the message came to this worker again: the run goes on under the
   * new one.
   */
  adopt (handle: JobHandle): void {
    this.#handle = handle
    handle.working()
  }

  stop (reason: StopReason): void {
    this.#stop.abort(reason)
  }

  /** Never rejects: what goes wrong ends in an event, or the message goes back. */
  async finish (): Promise<void> {
    const { queue } = this.#context
    const beat = setInterval(() => this.#handle.working(), this.#handle.leaseMs / 3)
    const unsubscribe = queue.onCancel(this.jobId, (_isDeleted, run) => {
      // One that is being stored has left its slot, which is all that a cancel of one run is for.
      if (run === undefined || (run === this.run && !this.#isPublishing)) this.stop('cancelled')
    })
    try {
      await this.#runUntilDecided()
      this.#handle.ack()
    } catch (err) {
      await this.#giveUp(err)
    } finally {
      clearInterval(beat)
      unsubscribe()
      this.#releaseSlot()
    }
  }

  async #runUntilDecided (): Promise<void> {
    const { queue, config } = this.#context
    const { message, redelivered } = this.#handle
    let died: ClaimRequest['died']
    let isApart = false
    for (let deaths = 0;; deaths++) {
      this.#stop.signal.throwIfAborted()
      const { run, jobId } = this
      const { tenant, dispatch } = message
      const request: ClaimRequest = {
        v: messageVersion,
        jobId,
        tenant,
        dispatch,
        workerId: this.#context.workerId,
        run,
        ...(died ? { died } : {})
      }
      const reply = await queue.claim(request, config.CLAIM_TIMEOUT_MS)
      this.#stop.signal.throwIfAborted()
      if (reply?.go === false) {
        this.#log.info({ run, reason: reply.reason }, 'job dropped')
        return
      }
      if (reply === undefined && died !== undefined && deaths >= config.MAX_SLOT_DEATHS) {
        const error = `The process that computed the job died ${deaths} times.`
        return await this.#publish({ code: 'pipeline_failed', error }, performance.now())
      }
      // An api that is away takes nothing back.
      if (reply !== undefined) {
        this.#attempts = reply.attempt
        isApart = reply.alone === true && this.#context.isAlone !== true
      }
      if (!isApart && deaths === 0 && (redelivered || dispatch > 1) && await this.#announceEarlier()) return
      const end = isApart ? await this.#runApart() : await this.#attempt()
      if (end.type === 'settled') return
      if (end.type === 'outcome') return await this.#publish(end.outcome, end.budgetEndMs)
      if (end.cause === 'crowded') throw new Error('the slots have no memory left for this run')
      if (this.#own !== undefined) return this.#own.onDeath(end.cause)
      died = { run: this.run, cause: end.cause }
      this.#log.warn({ run: this.run, cause: end.cause, deaths: deaths + 1 },
        isApart ? 'worker of a single job died' : 'slot process died')
      this.run = ulid()
    }
  }

  /**
   * Two workers were lost with this job: the next one has nothing else to lose. Its slot here is not used while it
   * computes.
   */
  async #runApart (): Promise<LoneRunEnd> {
    const { tenant, input } = this.#handle.message
    if ('key' in input) return await this.#runLone(() => undefined)
    // Before its process is started, which may have to wait: until it has a slot again, its lane bounds how many there
    // are.
    this.#leaveSlot()
    const { signal } = this.#stop
    const lone: { end?: Promise<LoneRunEnd> } = {}
    const lane = this.#context.apart.take(tenant, async () => {
      signal.throwIfAborted()
      await new Promise<void>((resolve) => {
        lone.end = this.#runLone(resolve).finally(resolve)
      })
      return true
    })
    const isStarted = await untilAborted(lane, signal).catch((error: unknown) => {
      // Otherwise it is being stopped, and says when it has.
      if (lone.end === undefined) throw error
      return true
    })
    if (lone.end === undefined || isStarted === undefined) throw new Error('too many jobs that run apart read sources')
    return await lone.end
  }

  /** `onSlot`: it has read its source, and has a slot again. */
  async #runLone (onSlot: () => void): Promise<LoneRunEnd> {
    const { message, seq, redelivered, leaseMs } = this.#handle
    const { run, jobId } = this
    const { workerId, config, scratchRoom } = this.#context
    this.#log.warn({ run, jobId }, 'job runs in a worker of its own')
    const { signal } = this.#stop
    const over = new AbortController()
    const room = new SourceRoom(scratchRoom, message.tenant)
    const lone = new LoneWorker({ message, seq, redelivered, leaseMs, workerId, run }, config.LEASE_MS, {
      reads: () => this.#leaveSlot(),
      hasRead: () => {
        this.#takeSlot(AbortSignal.any([signal, over.signal])).then(() => {
          lone.compute()
          onSlot()
        }, () => {/* It ends, and with it the wait for a slot. */})
      },
      room: (bytes) => {
        if (bytes === null) return room.release()
        room.take(bytes).then((none) => lone.tellRoom(none ?? null), (err: unknown) => {
          this.#log.error({ err }, 'the room for a source cannot be told')
          lone.tellRoom('now')
        })
      }
    })
    const stop = (): void => lone.stop(signal.reason as StopReason)
    signal.addEventListener('abort', stop, { once: true })
    try {
      const end = await lone.ended
      await sweepDead(dirname(this.#context.scratch))
      signal.throwIfAborted()
      if (end.type === 'died') return end
      if (end.how === 'nak') throw new Error('the worker of its own gave the job back')
      return { type: 'settled' }
    } finally {
      over.abort()
      room.end()
      signal.removeEventListener('abort', stop)
    }
  }

  async #attempt (): Promise<AttemptEnd> {
    const slot = this.#slot
    if (slot === undefined) throw new Error('the slot was released before the attempt')
    await this.#pool.revive(slot)
    const news = new News(this.#context, this.#handle.message, this.run)
    const attempt = new Attempt(this.#context, this.#handle.message, this.run, this.#ownSlot(), news)
    return await attempt.run(this.#stop.signal)
  }

  #ownSlot (): AttemptSlot {
    const held = (): Slot => {
      if (this.#slot === undefined) throw new Error('the run has no slot')
      return this.#slot
    }
    return {
      get process () {
        return held().process
      },
      leave: () => {
        this.#leaveSlot()
        this.#own?.onReading()
      },
      enter: async (signal) => {
        await this.#own?.mayCompute(signal)
        await this.#takeSlot(signal)
        await this.#pool.revive(held())
      }
    }
  }

  #leaveSlot (): void {
    this.#isReading = true
    this.#releaseSlot()
  }

  async #takeSlot (signal: AbortSignal): Promise<void> {
    // What lies in a tenant's own store is large until it is read.
    const slot = await this.#pool.takeWhenFree('large', signal)
    if (signal.aborted) {
      this.#pool.release(slot)
      signal.throwIfAborted()
    }
    this.#slot = slot
    this.#isReading = false
  }

  /** A worker before this one may have finished the job and died before it could say so. */
  async #announceEarlier (): Promise<boolean> {
    const { store } = this.#context
    const { message } = this.#handle
    let earlier
    try {
      earlier = await findEarlierResult(store, message.outputPrefix)
    } catch (err) {
      this.#log.warn({ err }, 'earlier results not readable, computing')
      return false
    }
    if (earlier === undefined) return false
    const { result: { run, code, error }, sha256 } = earlier
    this.#log.info({ run, code }, 'result of an earlier run found')
    await this.#announce(toEvent(message, run, code, error, sha256))
    return true
  }

  /** The slot computes the next job while this one is written and reported. */
  async #publish (outcome: RunOutcome, budgetEndMs: number): Promise<void> {
    this.#releaseSlot()
    this.#isPublishing = true
    const untilMs = outcome.code === null ? budgetEndMs : performance.now() + failureStoreMs
    const { run } = this
    const { message } = this.#handle
    let published = outcome
    let sha256: string | null = null
    try {
      sha256 = await this.#tryUntil(untilMs, 'result not stored yet', () =>
        publishOutcome(this.#context.store, message, run, outcome))
    } catch (err) {
      this.#stop.signal.throwIfAborted()
      this.#log.error({ err, run }, 'result not stored')
      if (outcome.code === null) {
        published = { code: 'storage_error', error: 'The object store did not take the result.' }
      }
    } finally {
      if (outcome.code === null) await outcome.cleanUp()
    }
    const error = published.code === null ? null : published.error
    await this.#announce(toEvent(message, run, published.code, error, sha256))
    this.#log.info({ run, code: published.code }, 'run ended')
  }

  async #tryUntil<T> (deadlineMs: number, text: string, work: () => Promise<T>): Promise<T> {
    return await retry(work, {
      signal: this.#stop.signal,
      deadlineMs,
      isRetryable: isPassing,
      onRetry: (err, attempt, pauseMs) => this.#log.warn({ err, attempt, pauseMs }, text)
    })
  }

  /** Without limit: the lease is kept meanwhile, and the result must not be lost because the queue restarts. */
  async #announce (event: EventMessage): Promise<void> {
    await retry(() => this.#context.queue.publishEvent(event), {
      signal: this.#stop.signal,
      isRetryable: () => true,
      onRetry: (err, attempt, pauseMs) =>
        this.#log.warn({ err, attempt, pauseMs, run: event.run }, 'event not stored yet')
    })
  }

  async #giveUp (err: unknown): Promise<void> {
    const reason: unknown = this.#stop.signal.reason
    if (reason === 'cancelled') {
      this.#log.info({ run: this.run }, 'run cancelled')
      // Before a store that may be slow is asked to delete; what is left if this process dies meanwhile, the api
      // sweeps.
      this.#releaseSlot()
      this.#handle.ack()
      if (!this.#isPublishing || await this.#isDeleted()) await this.#sweepOutputs()
      await this.#sweepCovariates()
    } else if (reason === 'abandoned') {
      this.#log.info({ run: this.run }, 'run given back')
      await this.#giveBack('stopping')
      this.#handle.nak()
    } else {
      this.#log.error({ err, run: this.run }, 'run not possible, message given back')
      await this.#giveBack('trouble')
      this.#handle.nak(Math.min(longestTroubleDelayMs, troubleDelayMs * this.#attempts))
    }
  }

  /** Before the message goes back: whoever gets it next must find that nobody was lost. */
  async #giveBack (givenBack: GivenBackReason): Promise<void> {
    const { queue, config, workerId } = this.#context
    const { tenant, dispatch } = this.#handle.message
    const request = { v: messageVersion, jobId: this.jobId, tenant, dispatch, workerId, run: this.run, givenBack }
    try {
      // An api that is away reads it when it is back.
      if (await queue.claim(request, config.CLAIM_TIMEOUT_MS) === undefined) await queue.publishGivenBack(request)
    } catch (err) {
      this.#log.warn({ err }, 'run given back, and the api does not know')
    }
    // An api of before has taken that for a sign of life.
    new News(this.#context, this.#handle.message, this.run).abandoned()
  }

  /**
   * Whether the job is gone. A run whose result may have won leaves it to the api, which keeps the winner's outputs and
   * sweeps the others.
   */
  async #isDeleted (): Promise<boolean> {
    const { queue, config, workerId } = this.#context
    const { tenant, dispatch } = this.#handle.message
    const reply = await queue.claim({ v: messageVersion, jobId: this.jobId, tenant, dispatch, workerId, run: this.run },
      config.CLAIM_TIMEOUT_MS).catch(() => undefined)
    return reply?.go === false && reply.reason === 'deleted'
  }

  /**
   * What a cancelled run stored belongs to nobody; the api sweeps the job's prefix as well, so one attempt is enough.
   */
  async #sweepOutputs (): Promise<void> {
    const prefix = runPrefix(this.#handle.message.outputPrefix, this.run)
    await this.#store.deletePrefix(prefix).catch((err: unknown) =>
      this.#log.warn({ err }, 'outputs of a cancelled run not deleted')
    )
  }

  /** Other runs of the job need them, unless the job is gone. */
  async #sweepCovariates (): Promise<void> {
    const { spec, outputPrefix } = this.#handle.message
    if (isTabular(spec) || spec.externalCovariates === undefined || !await this.#isDeleted()) return
    await this.#store.deleteKey(covariatesKey(outputPrefix)).catch((err: unknown) =>
      this.#log.warn({ err }, 'covariates of a deleted job not deleted')
    )
  }

  #releaseSlot (): void {
    if (this.#slot !== undefined) this.#pool.release(this.#slot)
    this.#slot = undefined
  }
}
