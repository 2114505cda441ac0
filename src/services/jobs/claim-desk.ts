import type { Logger } from 'pino'
import { isDivisible } from '../../domain/job.ts'
import { messageVersion } from '../../domain/message-version.ts'
import { defined } from '../../platform/defined.ts'
import { jobFacts } from '../../platform/log/job-facts.ts'
import type { ApiQueue } from '../../platform/queue/index.ts'
import { abandonedStage, type ClaimReply, type ClaimRequest, type GivenBack,
  type NewsMessage } from '../../platform/queue/job-messages.ts'
import type { WorkerMessage } from '../../platform/queue/worker-message.ts'
import { sandboxTenant } from '../keys/scopes.ts'
import type { Dispatcher } from './dispatcher.ts'
import type { JobLedger } from './job-ledger.ts'
import { isTerminal, type JobRecord } from './job-record.ts'
import type { JobWatchers } from './job-watchers.ts'
import type { WorkerPresence } from './worker-presence.ts'

interface Stage {
  run: string
  stage: string
  fraction: number
  /** Set if the run is computed in shards. */
  shards?: { done: number, total: number }
}

/** Answers workers that want to start a run, and receives news of running ones. */
export class ClaimDesk {
  readonly #ledger: JobLedger
  readonly #queue: ApiQueue
  readonly #presence: WorkerPresence
  readonly #dispatcher: Dispatcher
  readonly #watchers: JobWatchers
  readonly #log: Logger
  /** A run with a younger sign of life still owns its job. It is shorter than the earliest end of a lease. */
  readonly #aliveMs: number
  readonly #stages = new Map<string, Stage>()

  constructor (deps: {
    ledger: JobLedger
    queue: ApiQueue
    presence: WorkerPresence
    dispatcher: Dispatcher
    watchers: JobWatchers
    log: Logger
    leaseMs: number
  }) {
    this.#ledger = deps.ledger
    this.#queue = deps.queue
    this.#presence = deps.presence
    this.#dispatcher = deps.dispatcher
    this.#watchers = deps.watchers
    this.#log = deps.log
    // A worker extends its lease every third of the lease, so a message is redelivered at the earliest two thirds after
    // the run's last sign of life.
    this.#aliveMs = deps.leaseMs * 0.6
  }

  /** The stage of the record's run; undefined until its claim is answered. */
  stage ({ jobId, run }: JobRecord): Stage | undefined {
    const stage = this.#stages.get(jobId)
    return run === null || stage?.run === run ? stage : undefined
  }

  forget (jobId: string): void {
    this.#stages.delete(jobId)
  }

  async claim (request: ClaimRequest): Promise<ClaimReply> {
    const { jobId, givenBack } = request
    if (givenBack !== undefined) {
      await this.takeBack({ ...request, givenBack })
      // The worker has given this run back, so nothing is left to run.
      return { v: messageVersion, go: false, reason: 'superseded' }
    }
    // A run that claims is alive. Note it before the decision, so that a simultaneous claim sees it once this one is
    // granted.
    this.#presence.sawRun(request.run)
    const { reply, record } = await this.#ledger.claim(request, (run) => this.#presence.isRunAlive(run, this.#aliveMs))
    if (reply.go) {
      this.#stages.set(jobId, { run: request.run, stage: 'running', fraction: 0 })
    } else {
      this.#log.info({ ...jobFacts(record ?? { jobId }), run: request.run, reason: reply.reason }, 'claim refused')
      if (reply.reason === 'deleted') this.#queue.publishCancel(jobId, 'deleted')
    }
    // A claim of an earlier dispatch says nothing about a job that waits again.
    if (record !== undefined && (isTerminal(record) || request.dispatch >= record.dispatch)) {
      if (record.status === 'running') this.#dispatcher.claimed(record)
      else this.#dispatcher.settle(record)
      this.#watchers.notify(jobId)
    }
    return reply.go && record !== undefined ? { ...reply, ...defined({ shardSlots: this.#slotsFor(record) }) } : reply
  }

  /** The slots that may compute shards of the job; undefined if it may not be computed in shards. */
  #slotsFor ({ tenant, size, spec }: JobRecord): number | undefined {
    // The sandbox has few slots, and shards would take others.
    if (size !== 'large' || tenant === sandboxTenant || !isDivisible(spec)) return undefined
    return this.#presence.available().reduce((sum, { shardSlots = 0 }) => sum + shardSlots, 0)
  }

  /** On disk before the worker lets go of the message, so that the next claim does not count a lost worker. */
  async takeBack (request: GivenBack): Promise<void> {
    const { jobId, run, workerId, givenBack } = request
    const record = await this.#ledger.giveBack(request)
    this.#presence.forgetRun(run)
    if (record === undefined) return
    this.#log.info({ ...jobFacts(record), run, workerId, reason: givenBack }, 'run given back')
    this.forget(jobId)
    if (isTerminal(record)) this.#dispatcher.settle(record)
    else this.#dispatcher.markUnclaimed(record)
    this.#watchers.notify(jobId)
  }

  /** Stops the run of a sandbox job. The job waits again, or fails when this has happened too often. */
  async preempt (jobId: string): Promise<void> {
    const record = await this.#ledger.preempt(sandboxTenant, jobId)
    if (record?.givenBack === undefined) return
    const { givenBack: run, preemptions: count } = record
    this.#log.info({ ...jobFacts(record), run, count }, 'run of the sandbox preempted')
    this.#stopRun(record, run)
  }

  /**
   * Stops the run of a small job that has taken too long. The job waits again, as a large one. A silent run is left to
   * the lease, which tells whether it is lost.
   */
  async outgrow ({ tenant, jobId, run }: JobRecord): Promise<void> {
    if (run === null || !this.#presence.isRunAlive(run, this.#aliveMs)) return
    const record = await this.#ledger.outgrow(tenant, jobId, run)
    if (record === undefined) return
    this.#log.warn({ ...jobFacts(record), run },
      'run stopped: it takes too long for a small job; the job runs again as a large one')
    this.#stopRun(record, run)
  }

  #stopRun (record: JobRecord, run: string): void {
    const { jobId } = record
    this.#presence.forgetRun(run)
    this.forget(jobId)
    // Before the job is published again, and with the run's id, so that the next run is not cancelled.
    this.#queue.publishCancel(jobId, 'over', run)
    if (isTerminal(record)) this.#dispatcher.settle(record)
    else this.#dispatcher.add(record)
    this.#watchers.notify(jobId)
  }

  /** A worker that missed a cancellation still announces the run, so cancel it again. */
  announced ({ running, helping = [] }: WorkerMessage): void {
    for (const jobId of helping) if (this.#ledger.isBuried(jobId)) this.#queue.publishCancel(jobId, 'deleted')
    for (const { jobId, run } of running) {
      if (this.#ledger.isBuried(jobId)) this.#queue.publishCancel(jobId, 'deleted')
      else if (this.#ledger.find(jobId)?.stopped === run) this.#queue.publishCancel(jobId, 'over', run)
    }
  }

  async news (news: NewsMessage): Promise<void> {
    const { jobId, tenant, run, stage, fraction, shards } = news
    const record = this.#ledger.get(tenant, jobId)
    if (record === undefined) {
      if (this.#ledger.isBuried(jobId)) this.#queue.publishCancel(jobId, 'deleted')
      return
    }
    if (isTerminal(record)) return
    if (stage === abandonedStage) {
      this.#presence.forgetRun(run)
      return
    }
    this.#presence.sawRun(run)
    if (record.run === null || (record.run === run && record.givenBack !== run)) {
      this.#stages.set(jobId, { run, stage, fraction, ...defined({ shards }) })
    }
    if (record.status !== 'pending') {
      this.#watchers.notifyProgress(jobId)
      return
    }
    const started = await this.#ledger.started(tenant, jobId, run)
    if (started !== undefined) {
      this.#dispatcher.claimed(started)
      this.#watchers.notify(jobId)
    }
  }
}
