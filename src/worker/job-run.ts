import { dirname } from 'node:path'
import type { Logger } from 'pino'
import { isDivisible, isTabular } from '../domain/job.ts'
import { messageVersion } from '../domain/message-version.ts'
import { jobFacts } from '../platform/log/job-facts.ts'
import { newUlid } from '../platform/new-ulid.ts'
import type { JobHandle } from '../platform/queue/index.ts'
import type { ClaimRequest, EventMessage, GivenBackReason, SlotDeathCause } from '../platform/queue/job-messages.ts'
import { covariatesKey, runPrefix } from '../platform/store/keys.ts'
import type { ObjectStore } from '../platform/store/object-store.ts'
import { isRemoteStore } from '../platform/store/store-config.ts'
import { retry } from '../platform/time/retry.ts'
import { untilAborted } from '../platform/time/until-aborted.ts'
import { Attempt, type AttemptEnd, type AttemptSlot, type Sharding } from './attempt.ts'
import { findEarlierResult } from './earlier-result.ts'
import type { LoneEnd } from './lone-messages.ts'
import { LoneWorker } from './lone-worker.ts'
import { News } from './news.ts'
import { publishOutcome, toEvent, type RunOutcome } from './publish-result.ts'
import { assertResultSpace, ComputedInVain, NoResultSpace } from './result-space.ts'
import type { RunContext } from './run-context.ts'
import { sweepDead } from './scratch.ts'
import { removePlans } from './shards/stored-plans.ts'
import type { Slot, SlotPool } from './slot-pool.ts'
import { NoSourceSpace, SourceSpace } from './source-space.ts'
import type { StopReason } from './stop-reason.ts'
import { isPassing } from './store-failure.ts'

type LoneRunEnd = { type: 'settled' } | Extract<LoneEnd, { type: 'died' }>

/** How long a message waits before it is tried again, if the failure was ours. */
const troubleDelayMs = 2_000
/** The wait grows with each run, up to this. */
const longestTroubleDelayMs = 30_000

/** Other tasks of this worker need the memory. */
class CrowdedOut extends Error {
  constructor () {
    super('the slots have no memory left for this run')
  }
}

function givenBackFor (err: unknown): GivenBackReason {
  if (err instanceof ComputedInVain) return 'in_vain'
  const hasToWait = err instanceof CrowdedOut || err instanceof NoResultSpace || err instanceof NoSourceSpace
  return hasToWait ? 'stopping' : 'trouble'
}

/**
 * The event reports a failure, and its result object is only a second copy. So a store that is away delays the event no
 * longer than this.
 */
const failureStoreMs = 5_000

/** Connects a run in a process of its own with the worker that holds its message. */
export interface GrantedRun {
  /** The run id that the worker was granted. */
  granted: string
  /** The slot died. The worker claims the next run, which gets a process and a lane of its own. */
  onDeath: (cause: SlotDeathCause) => void
  /** The run begins to read a customer's store. */
  onReading: () => void
  /**
   * Resolves when the worker holds a slot for the computation; rejects with the signal's reason when the signal aborts.
   */
  mayCompute: (signal: AbortSignal) => Promise<void>
}

/**
 * One job message in this worker's hands, from claim to acknowledgement. Each attempt is a run with its own id. If a
 * slot dies, another attempt starts. Everything visible outside carries the run's id.
 */
export class JobRun {
  run: string
  readonly jobId: string
  readonly #context: RunContext
  /** For work that goes on after the run has been stopped. */
  readonly #store: ObjectStore
  readonly #pool: SlotPool
  readonly #log: Logger
  /**
   * While this is set, another worker may already have found and announced this run's result, so its outputs may be the
   * job's.
   */
  #isPublishing = false
  #isReading = false
  /** The api has granted the run, so it knows that it has started. */
  #isClaimed = false
  readonly #stop = new AbortController()
  readonly #own: GrantedRun | undefined
  #handle: JobHandle
  #slot: Slot | undefined
  /** How many runs the job has had, this one included, as far as the api has said. */
  #attempts = 1
  /** The shards that all workers can compute at a time, if the job may be computed in shards, as the api has said. */
  #shardSlots = 0
  /** A slot has died with this message. */
  #hasDied = false

  constructor (context: RunContext, pool: SlotPool, handle: JobHandle, slot: Slot, own?: GrantedRun) {
    // Every log line about this run carries its ids.
    this.#log = context.log.child(jobFacts(handle.message))
    this.#store = context.store
    this.#context = { ...context, log: this.#log, store: context.store.within(this.#stop.signal) }
    this.#pool = pool
    this.#handle = handle
    this.#slot = slot
    this.jobId = handle.message.jobId
    this.run = own?.granted ?? newUlid()
    this.#own = own
  }

  /** True while the run has left its slot and reads a customer's store, or waits to. */
  get isReading (): boolean {
    return this.#isReading
  }

  /** The number of the dispatch whose message this run holds. */
  get dispatch (): number {
    return this.#handle.message.dispatch
  }

  /** A stopped run gives up its message when it ends. */
  get isStopped (): boolean {
    return this.#stop.signal.aborted
  }

  /**
   * The lease ran out while the queue was away, and the message came to this worker again. The run goes on under the
   * new lease.
   */
  adopt (handle: JobHandle): void {
    this.#handle = handle
    handle.working()
  }

  stop (reason: StopReason): void {
    this.#stop.abort(reason)
  }

  /** Never rejects: a failure ends in an event, or the message goes back. */
  async finish (): Promise<void> {
    const { queue } = this.#context
    const beat = setInterval(() => this.#handle.working(), this.#handle.leaseMs / 3)
    const unsubscribe = queue.onCancel(this.jobId, (_isDeleted, run) => {
      // A cancel of the whole job stops the run, whether the job was deleted or has ended. A cancel of one run only
      // frees its slot, and a run that is publishing has already left it.
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
        // The run that ended the job may have died before it could delete them.
        if (reply.reason === 'terminal') await this.#removePlans()
        return
      }
      if (reply === undefined && died !== undefined && deaths >= config.MAX_SLOT_DEATHS) {
        const error = `The process that computed the job died ${deaths} times.`
        return await this.#publish({ code: 'pipeline_failed', error }, performance.now())
      }
      this.#isClaimed = reply !== undefined
      // Without a reply the numbers of the last reply stay.
      if (reply !== undefined) {
        this.#attempts = reply.attempt
        this.#shardSlots = reply.shardSlots ?? 0
        isApart = reply.alone === true && this.#context.isAlone !== true
      }
      if (!isApart && deaths === 0 && (redelivered || dispatch > 1) && await this.#announceEarlier()) return
      const end = isApart ? await this.#runApart() : await this.#attempt()
      if (end.type === 'settled') return
      if (end.type === 'outcome') return await this.#publish(end.outcome, end.budgetEndMs)
      if (end.cause === 'crowded') throw new CrowdedOut()
      if (this.#own !== undefined) return this.#own.onDeath(end.cause)
      died = { run: this.run, cause: end.cause }
      this.#hasDied = true
      this.#log.warn({ run: this.run, cause: end.cause, deaths: deaths + 1 },
        isApart ? 'worker of a single job died' : 'slot process died')
      this.run = newUlid()
    }
  }

  /**
   * Two workers were lost with this job, so its next run gets a process where nothing else can be lost. The process
   * computes in a slot of its own; the slot that this worker holds stays empty meanwhile.
   */
  async #runApart (): Promise<LoneRunEnd> {
    const { tenant, input } = this.#handle.message
    if ('key' in input) return await this.#runLone(() => undefined)
    // Leave the slot before starting the process, because the wait for a lane may be long. Until the run has a slot
    // again, the lanes bound how many such processes there are.
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
      // The process has started: it is being stopped, and reports when it has ended.
      if (lone.end === undefined) throw error
      return true
    })
    if (lone.end === undefined || isStarted === undefined) throw new Error('too many jobs that run apart read sources')
    return await lone.end
  }

  /** `onSlot` is called when the run has read its source and holds a slot again. */
  async #runLone (onSlot: () => void): Promise<LoneRunEnd> {
    const { message, seq, redelivered, deliveries, leaseMs } = this.#handle
    const { run, jobId } = this
    const { workerId, config, scratchSpace } = this.#context
    this.#log.warn({ run, jobId }, 'job runs in a worker of its own')
    const { signal } = this.#stop
    const over = new AbortController()
    const room = new SourceSpace(scratchSpace, message.tenant)
    const lone = new LoneWorker({ message, seq, redelivered, deliveries, leaseMs, workerId, run }, config.LEASE_MS, {
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
    // Without space the computation would be for nothing.
    assertResultSpace(this.#context.config, this.#handle.message)
    await this.#pool.revive(slot)
    const news = new News(this.#context, this.#handle.message, this.run)
    if (!this.#isClaimed) news.started()
    const attempt = new Attempt(this.#context, this.#handle.message, this.run, this.#ownSlot(), news, this.#sharding())
    return await attempt.run(this.#stop.signal)
  }

  #sharding (): Sharding | undefined {
    // A job that is alone must not reach other workers.
    if (!this.#context.config.SHARDS || this.#context.isAlone === true || !this.#mayHavePlans) return undefined
    return { shardSlots: this.#shardSlots, mayGoOn: this.#isAgain }
  }

  /** The job had runs before. */
  get #isAgain (): boolean {
    return this.#handle.redelivered || this.dispatch > 1 || this.#attempts > 1 || this.#hasDied
  }

  /** This run or an earlier one may have planned shards. */
  get #mayHavePlans (): boolean {
    return isDivisible(this.#handle.message.spec) && (this.#shardSlots > 1 || this.#isAgain)
  }

  /** Plans and parts of the job, which no run needs any more. */
  async #removePlans (): Promise<void> {
    if (!this.#mayHavePlans) return
    await removePlans(this.#store, this.#handle.message.outputPrefix).catch((err: unknown) =>
      this.#log.warn({ err }, 'shards of an ended job not deleted')
    )
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
    // The size of data in a tenant's own store is unknown until it is read, so it counts as large.
    const slot = await this.#pool.takeWhenFree('large', signal)
    if (signal.aborted) {
      this.#pool.release(slot)
      signal.throwIfAborted()
    }
    this.#slot = slot
    this.#isReading = false
  }

  /** An earlier worker may have finished the job and died before it could announce the result. */
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
    await Promise.all([this.#announce(toEvent(message, run, code, error, sha256)), this.#removePlans()])
    return true
  }

  /** The slot computes the next job while this result is stored and reported. */
  async #publish (outcome: RunOutcome, budgetEndMs: number): Promise<void> {
    this.#releaseSlot()
    await this.#assertSpace(outcome)
    this.#isPublishing = true
    const untilMs = outcome.code === null ? budgetEndMs : performance.now() + failureStoreMs
    const { run } = this
    const { message } = this.#handle
    const cleanUp = async (): Promise<void> => {
      if (outcome.code === null) await outcome.cleanUp()
    }
    let published = outcome
    let sha256: string | null = null
    try {
      sha256 = await this.#tryUntil(untilMs, 'result not stored yet', () =>
        publishOutcome(this.#context.store, message, run, outcome))
    } catch (err) {
      if (this.#stop.signal.aborted) await cleanUp()
      this.#stop.signal.throwIfAborted()
      this.#log.error({ err, run }, 'result not stored')
      if (outcome.code === null) {
        published = { code: 'storage_error', error: 'The object store did not take the result.' }
      }
    }
    const error = published.code === null ? null : published.error
    // Whoever waits for the job need not wait until its folder is gone.
    await Promise.all([cleanUp(), this.#announce(toEvent(message, run, published.code, error, sha256))])
    this.#log.info({ run, code: published.code }, 'run ended')
    await this.#removePlans()
  }

  /**
   * The files are on the disk already, and the local store shares their bytes. If they take what is kept free for
   * others, they go, and are computed again later. A bucket takes them off this disk.
   */
  async #assertSpace (outcome: RunOutcome): Promise<void> {
    if (outcome.code !== null || isRemoteStore(this.#context.config)) return
    try {
      assertResultSpace(this.#context.config, this.#handle.message)
    } catch (cause) {
      await outcome.cleanUp()
      throw new ComputedInVain('the result finds no space on the disk', { cause })
    }
  }

  async #tryUntil<T> (deadlineMs: number, text: string, work: () => Promise<T>): Promise<T> {
    return await retry(work, {
      signal: this.#stop.signal,
      deadlineMs,
      isRetryable: isPassing,
      onRetry: (err, attempt, pauseMs) => this.#log.warn({ err, attempt, pauseMs }, text)
    })
  }

  /** Retries without limit: the lease is kept meanwhile, and a restart of the queue must not lose the result. */
  async #announce (event: EventMessage): Promise<void> {
    await retry(() => this.#context.queue.reportEnd(event, this.#context.config.CLAIM_TIMEOUT_MS), {
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
      // Let go of slot and message first, because the store may be slow to delete. If this process dies meanwhile, the
      // api sweeps what is left.
      this.#releaseSlot()
      this.#handle.ack()
      if (!this.#isPublishing || await this.#isDeleted()) await this.#sweepOutputs()
      // Also where this run has ended the job, and did not hear that its end was stored.
      await Promise.all([this.#removePlans(), this.#sweepCovariates()])
    } else if (reason === 'abandoned') {
      this.#log.info({ run: this.run }, 'run given back')
      await this.#giveBack('stopping')
      this.#handle.nak()
    } else {
      // 'trouble' is counted, and fails the job in the end. Memory or disk that others use must not fail it.
      const givenBack = givenBackFor(err)
      const level = givenBack === 'trouble' ? 'error' : 'warn'
      // They take the disk that the result did not find.
      if (givenBack === 'in_vain' && !isRemoteStore(this.#context.config)) await this.#removePlans()
      this.#log[level]({ err, run: this.run }, 'run not possible, message given back')
      await this.#giveBack(givenBack)
      this.#handle.nak(Math.min(longestTroubleDelayMs, troubleDelayMs * this.#attempts))
    }
  }

  /**
   * Call it before the message goes back: the api must know that no worker was lost before the next worker claims the
   * job.
   */
  async #giveBack (givenBack: GivenBackReason): Promise<void> {
    const { queue, config, workerId } = this.#context
    const { tenant, dispatch } = this.#handle.message
    const request = { v: messageVersion, jobId: this.jobId, tenant, dispatch, workerId, run: this.run, givenBack }
    try {
      // If the api is away, it reads the message when it is back.
      if (await queue.claim(request, config.CLAIM_TIMEOUT_MS) === undefined) await queue.publishGivenBack(request)
    } catch (err) {
      this.#log.warn({ err }, 'run given back, and the api does not know')
    }
    // An api of an earlier release takes the claim above for a sign of life.
    new News(this.#context, this.#handle.message, this.run).abandoned()
  }

  /**
   * Whether the job is deleted. If this run's result may have won, the api sweeps: it keeps the winner's outputs and
   * deletes the others.
   */
  async #isDeleted (): Promise<boolean> {
    const { queue, config, workerId } = this.#context
    const { tenant, dispatch } = this.#handle.message
    const reply = await queue.claim({ v: messageVersion, jobId: this.jobId, tenant, dispatch, workerId, run: this.run },
      config.CLAIM_TIMEOUT_MS).catch(() => undefined)
    return reply?.go === false && reply.reason === 'deleted'
  }

  /**
   * Nobody needs what a cancelled run stored. One attempt is enough, because the api sweeps the job's prefix as well.
   */
  async #sweepOutputs (): Promise<void> {
    const prefix = runPrefix(this.#handle.message.outputPrefix, this.run)
    await this.#store.deletePrefix(prefix).catch((err: unknown) =>
      this.#log.warn({ err }, 'outputs of a cancelled run not deleted')
    )
  }

  /** Deletes the stored covariates only if the job is deleted; otherwise other runs of the job need them. */
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
