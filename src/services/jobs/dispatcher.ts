import type { Logger } from 'pino'
import type { JobSize } from '../../domain/job.ts'
import type { Config } from '../../platform/config.ts'
import { TabcastError } from '../../platform/errors.ts'
import { jobFacts } from '../../platform/log/job-facts.ts'
import { QueueError, type ApiQueue } from '../../platform/queue/index.ts'
import { sandboxTenant } from '../keys/scopes.ts'
import { FairBacklog } from './fair-backlog.ts'
import type { JobLedger } from './job-ledger.ts'
import { jobMessage, type FindConnection } from './job-message.ts'
import { jobCostMs } from './job-size.ts'
import { storedInput, type JobRecord } from './job-record.ts'
import { largeSlots, SandboxSlots } from './sandbox-slots.ts'
import type { Sent } from './sent-messages.ts'
import { SmallRuns } from './small-runs.ts'
import type { WorkerPresence } from './worker-presence.ts'

const sizes: readonly JobSize[] = ['small', 'large']
/**
 * Waiting messages in JetStream for each slot: enough that a worker never waits for the api, few enough that turns stay
 * fair.
 */
const messagesPerSlot = 2
/**
 * Published large jobs of one tenant that have not ended, for each slot: some compute, and as many again each read
 * sources or store results, and wait.
 */
const largePerSlot = 3
const retryMs = 500
/** What a job takes for turns if nobody knows, because its file was too large to check; and the most that counts. */
const unknownMs = 10_000
/** Time on the event loop in one pass. A message may need to read a list of thousands of objects. */
const publishingMs = 5

/**
 * How long a message may be in the queue before the record says so. A job that is claimed sooner needs one write less,
 * because the claim's own write says it.
 */
const noteMs = 250

interface SentJob {
  size: JobSize
  tenant: string
  jobId: string
  sent: Sent
}

interface DispatcherDeps {
  ledger: JobLedger
  queue: ApiQueue
  presence: WorkerPresence
  config: Config
  log: Logger
  findConnection: FindConnection
  /** The job no longer waits. */
  onSettled: (record: JobRecord) => void
  /** The job failed here, without a run. */
  onFailed: (record: JobRecord) => void
  /** Stops the run of a sandbox job; the job waits again. */
  preempt: (jobId: string) => Promise<void>
  /** Stops the run of a small job that has taken too long; the job waits again, as a large one. */
  outgrow: (record: JobRecord) => Promise<void>
}

/**
 * Moves jobs from the outbox to the JOBS stream. The outbox in LMDB is the backlog; this class keeps its order in
 * memory. It publishes only as many jobs as the workers will start soon, so that turns between tenants are decided
 * late.
 */
export class Dispatcher {
  readonly #ledger: JobLedger
  readonly #queue: ApiQueue
  readonly #presence: WorkerPresence
  readonly #config: Config
  readonly #log: Logger
  readonly #findConnection: FindConnection
  readonly #onSettled: (record: JobRecord) => void
  readonly #onFailed: (record: JobRecord) => void
  readonly #preempt: (jobId: string) => Promise<void>
  readonly #sandboxSlots: SandboxSlots
  readonly #backlogs: Record<JobSize, FairBacklog>

  /** Published jobs, in this order, that no worker has claimed: job id -> tenant. */
  readonly #unclaimed: Record<JobSize, Map<string, string>> = { small: new Map(), large: new Map() }
  /**
   * Those of them that a run gave back, and that the queue holds for a while before it delivers them again. So it does
   * with those that were on their way to a worker when the connection broke.
   */
  readonly #resting: Record<JobSize, Set<string>> = { small: new Set(), large: new Set() }
  /** Tenant -> its claimed jobs that have not ended. */
  readonly #claimed: Record<JobSize, Map<string, Set<string>>> = { small: new Map(), large: new Map() }
  readonly #smallRuns: SmallRuns
  /** Job that has not ended -> its estimated cost. */
  readonly #expectedMs = new Map<string, number>()
  /** Job that runs -> when its run began. */
  readonly #beganMs = new Map<string, number>()
  /** Changes in progress. */
  #underWay = 0
  #isPreempting = false
  #retry: NodeJS.Timeout | undefined
  #unnoted: SentJob[] = []
  #noting: NodeJS.Timeout | undefined
  #open = false
  /** Time spent on messages in this pass of the event loop, which ends with `#pass`. */
  #publishedMs = 0
  #pass: NodeJS.Immediate | undefined

  constructor (deps: DispatcherDeps) {
    this.#ledger = deps.ledger
    this.#queue = deps.queue
    this.#presence = deps.presence
    this.#config = deps.config
    this.#log = deps.log
    this.#findConnection = deps.findConnection
    this.#onSettled = deps.onSettled
    this.#onFailed = deps.onFailed
    this.#preempt = deps.preempt
    this.#smallRuns = new SmallRuns(deps.config.SMALL_JOB_MS, (record) => this.#outgrow(record, deps.outgrow))
    const slots = new SandboxSlots({ presence: deps.presence, heartbeatMs: deps.config.HEARTBEAT_MS })
    this.#sandboxSlots = slots
    this.#backlogs = {
      small: new FairBacklog(undefined, (jobId) => this.#expected(jobId)),
      large: new FairBacklog({
        tenant: sandboxTenant,
        mayHaveTurn: () => {
          const inFlight = this.#inFlightOf('large', sandboxTenant)
          return slots.mayHaveTurn({ inFlight, othersWait: this.#tenantsWait('large') })
        },
        waitsForAll: () => slots.isBorrower
      }, (jobId) => this.#expected(jobId))
    }
  }

  get waiting (): number {
    return this.#backlogs.small.size + this.#backlogs.large.size
  }

  add (record: JobRecord): void {
    this.#dropWaiting(record)
    this.#dropClaimed(record.tenant, record.jobId)
    const { profile, spec, model } = record
    this.#expectedMs.set(record.jobId, jobCostMs(profile, spec, model, storedInput(record)?.bytes))
    this.#backlogs[record.size].add(record.tenant, record.jobId, record.dispatch > 1)
    this.pump()
  }

  /** Call it when the job has ended or was deleted. It no longer waits, neither here nor in the stream. */
  settle (record: JobRecord): void {
    const wasClaimed = this.#dropClaimed(record.tenant, record.jobId, record.status !== 'completed')
    for (const size of sizes) this.#backlogs[size].forget(record.jobId)
    this.#expectedMs.delete(record.jobId)
    if (wasClaimed && record.tenant === sandboxTenant && record.status === 'completed') this.#sandboxSlots.completed()
    if (this.#leave(record) || wasClaimed) this.pump()
  }

  /** Call it when a run has the job. */
  claimed (record: JobRecord): void {
    const claimed = this.#claimed[record.size]
    const own = claimed.get(record.tenant) ?? new Set()
    claimed.set(record.tenant, own.add(record.jobId))
    this.#beganMs.set(record.jobId, performance.now())
    this.#smallRuns.began(record)
    if (this.#leave(record)) this.pump()
  }

  #leave (record: JobRecord): boolean {
    this.#onSettled(record)
    return this.#dropWaiting(record)
  }

  /** Looks in both sizes, because a small job may have become large. Returns whether it was published. */
  #dropWaiting ({ tenant, jobId }: Pick<JobRecord, 'tenant' | 'jobId'>): boolean {
    return sizes.map((size) => {
      this.#backlogs[size].delete(tenant, jobId)
      this.#resting[size].delete(jobId)
      return this.#unclaimed[size].delete(jobId)
    }).includes(true)
  }

  #dropClaimed (tenant: string, jobId: string, isCut = true): boolean {
    this.#smallRuns.ended(jobId)
    const tookMs = performance.now() - (this.#beganMs.get(jobId) ?? Infinity)
    this.#beganMs.delete(jobId)
    return sizes.map((size) => {
      const own = this.#claimed[size].get(tenant)
      const had = own?.delete(jobId) === true
      if (had) this.#backlogs[size].ended(tenant, jobId, tookMs, isCut)
      if (own?.size === 0) this.#claimed[size].delete(tenant)
      return had
    }).includes(true)
  }

  /** Marks a published job without a run: found at start, or given back by its run. */
  markUnclaimed (record: JobRecord): void {
    this.#dropClaimed(record.tenant, record.jobId)
    this.#unclaimed[record.size].set(record.jobId, record.tenant)
    if (record.run !== null && record.givenBack === record.run) this.#resting[record.size].add(record.jobId)
  }

  /** Jobs of the same size that start before this one; undefined once it is claimed. */
  position (record: JobRecord): number | undefined {
    const unclaimed = this.#unclaimed[record.size]
    let ahead = 0
    for (const jobId of unclaimed.keys()) {
      if (jobId === record.jobId) return ahead
      if (!this.#resting[record.size].has(jobId)) ahead++
    }
    const position = this.#backlogs[record.size].position(record.tenant, record.jobId)
    return position === undefined ? undefined : ahead + position
  }

  /** Opens when the streams are ready, and closes while the connection is down. */
  setOpen (open: boolean): void {
    this.#open = open
    if (!open) { for (const size of sizes) this.#resting[size] = new Set(this.#unclaimed[size].keys()) }
    this.pump()
  }

  /**
   * Publishes as many jobs as fit, for a few milliseconds in each pass of the event loop. Called whenever a job or a
   * slot appears.
   */
  pump (): void {
    if (!this.#open || this.#retry !== undefined) return
    for (const size of sizes) {
      let room = this.#room(size)
      while (room-- > 0 && this.#publishedMs < publishingMs) {
        const next = this.#next(size)
        if (next === undefined) break
        this.#unclaimed[size].set(next.jobId, next.tenant)
        this.#underWay++
        const startMs = performance.now()
        void this.#publish(size, next.tenant, next.jobId)
        this.#publishedMs += performance.now() - startMs
        this.#pass ??= setImmediate(() => this.#nextPass())
      }
    }
    this.#clearTheWay()
  }

  #nextPass (): void {
    const hadTime = this.#publishedMs < publishingMs
    this.#pass = undefined
    this.#publishedMs = 0
    if (!hadTime) this.pump()
  }

  /** Stops a sandbox run that a tenant's job waits for. */
  #clearTheWay (): void {
    const [jobId] = this.#claimed.large.get(sandboxTenant) ?? []
    if (jobId === undefined || this.#isPreempting) return
    const waiting = { small: this.#tenantsWait('small'), large: this.#tenantsWait('large') }
    const claimed = [...this.#claimed.large.values()].reduce((sum, { size }) => sum + size, 0)
    if (!this.#sandboxSlots.isInTheWay({ waiting, claimed })) return
    this.#sandboxSlots.preempted()
    this.#isPreempting = true
    this.#underWay++
    const failed = (err: unknown): void => this.#log.error({ jobId, err }, 'cannot stop a run of the sandbox')
    this.#preempt(jobId).catch(failed).finally(() => {
      this.#isPreempting = false
      this.#underWay--
    })
  }

  /** Stops the run of a job that was estimated to be small, because it holds a slot for small jobs. */
  #outgrow (record: JobRecord, outgrow: DispatcherDeps['outgrow']): void {
    this.#underWay++
    const failed = (err: unknown): void =>
      this.#log.error({ ...jobFacts(record), err }, 'cannot stop a run that takes too long for a small job')
    outgrow(record).catch(failed).finally(() => {
      this.#underWay--
    })
  }

  stop (): void {
    this.#open = false
    this.#smallRuns.stop()
    clearTimeout(this.#retry)
    clearImmediate(this.#pass)
    this.#note()
  }

  /**
   * Tenants with less than their share (all slots but one) go first, because a large job may take an hour, and a
   * misjudged small job takes its time too. Tenants whose small jobs take long never have more, all of them together:
   * otherwise two of them would hold two slots. No tenant's messages fill the stream, so that another's job gets there
   * at once: a tenant's large jobs take at most half of the room, its small ones, which are soon gone, all but one
   * place. Small jobs of tenants whose last one was not soon gone have one place less than there are slots, all of them
   * together. All sandbox jobs are large and come last (`sandbox-slots.ts`).
   */
  #next (size: JobSize): { tenant: string, jobId: string } | undefined {
    const slots = this.#slots(size)
    const share = Math.max(1, slots - 1)
    const [messages, jobs] = size === 'small' ? [messagesPerSlot * slots - 1, Infinity] : [slots, largePerSlot * slots]
    const isSlow = (tenant: string): boolean => size === 'small' && this.#smallRuns.isSlow(tenant)
    const slowInFlight = size === 'small' ? this.#slowInFlight() : 0
    const mayBeHeavy = size === 'large' || this.#heavyUnclaimed() < share
    const mayWait = (tenant: string): boolean => mayBeHeavy || !this.#smallRuns.isHeavy(tenant)
    return this.#backlogs[size].take(
      (tenant) =>
        this.#inFlightOf(size, tenant) < share && mayWait(tenant) && (slowInFlight < share || !isSlow(tenant)),
      (tenant) => {
        if (isSlow(tenant) || !mayWait(tenant)) return false
        return this.#unclaimedOf(size, tenant) < messages && this.#inFlightOf(size, tenant) < jobs
      }
    )
  }

  /** Messages of small jobs in the stream that delay what is behind them. */
  #heavyUnclaimed (): number {
    const { small: resting } = this.#resting
    return [...this.#unclaimed.small]
      .filter(([jobId, tenant]) => !resting.has(jobId) && this.#smallRuns.isHeavy(tenant)).length
  }

  #expected (jobId: string): number {
    return Math.min(this.#expectedMs.get(jobId) ?? unknownMs, unknownMs)
  }

  #inFlightOf (size: JobSize, tenant: string): number {
    return this.#unclaimedOf(size, tenant) + (this.#claimed[size].get(tenant)?.size ?? 0)
  }

  /** Small jobs under way of tenants whose small jobs take long. */
  #slowInFlight (): number {
    const tenants = new Set([...this.#unclaimed.small.values(), ...this.#claimed.small.keys()])
    return [...tenants].filter((tenant) => this.#smallRuns.isSlow(tenant))
      .reduce((sum, tenant) => sum + this.#inFlightOf('small', tenant), 0)
  }

  #unclaimedOf (size: JobSize, tenant: string): number {
    return [...this.#unclaimed[size].values()].filter((owner) => owner === tenant).length
  }

  /** Whether published jobs of tenants wait for a worker, which could take them now. */
  #tenantsWait (size: JobSize): boolean {
    const resting = this.#resting[size]
    return [...this.#unclaimed[size]].some(([jobId, owner]) => owner !== sandboxTenant && !resting.has(jobId))
  }

  #slots (size: JobSize): number {
    return this.#presence.available().reduce((sum, { slots }) => sum + (size === 'small' ? slots : largeSlots(slots)),
      0)
  }

  /** Jobs that rest take no room. Otherwise one tenant's could fill it, and nothing would be published. */
  #room (size: JobSize): number {
    return messagesPerSlot * this.#slots(size) - (this.#unclaimed[size].size - this.#resting[size].size)
  }

  /** The job is not in the stream after all. */
  #withdraw (size: JobSize, jobId: string): void {
    this.#unclaimed[size].delete(jobId)
    this.#resting[size].delete(jobId)
  }

  async #publish (size: JobSize, tenant: string, jobId: string): Promise<void> {
    const record = this.#ledger.get(tenant, jobId)
    try {
      if (record === undefined) {
        this.#withdraw(size, jobId)
        return
      }
      const message = jobMessage(record, this.#config, this.#findConnection)
      if (message === undefined) {
        await this.#giveUp(tenant, jobId,
          new TabcastError('connection_not_found',
            'The data connection of this job was deleted before the job could start.'))
        return
      }
      const { seq: sequence } = await this.#queue.publishJob(size, message)
      const sent = { dispatch: record.dispatch, sequence }
      this.#ledger.sent.note(jobId, sent)
      this.#unnoted.push({ size, tenant, jobId, sent })
      if (this.#open) this.#noting ??= setTimeout(() => this.#note(), noteMs)
      else this.#note()
    } catch (error) {
      // A retry would not help, because the source cannot be used any more.
      if (error instanceof TabcastError) return await this.#giveUp(tenant, jobId, error)
      if (error instanceof QueueError && error.code === 'too_large') {
        return await this.#giveUp(tenant, jobId,
          new TabcastError('pipeline_failed',
            'The specification of this job is larger than the largest message of the queue.', { cause: error }))
      }
      // The job is still in the outbox, and the same message id makes a second publish harmless.
      this.#withdraw(size, jobId)
      if (record !== undefined) this.#backlogs[size].add(tenant, jobId)
      const expected = error instanceof QueueError && error.code !== 'protocol'
      this.#log[expected ? 'warn' : 'error']({ ...jobFacts(record ?? { jobId }), err: error }, 'job not published yet')
      this.#retry ??= setTimeout(() => {
        this.#retry = undefined
        this.pump()
      }, retryMs)
    } finally {
      this.#underWay--
      this.pump()
    }
  }

  /** Writes down which messages were sent. A claim has done so for most of them. */
  #note (): void {
    clearTimeout(this.#noting)
    this.#noting = undefined
    const unnoted = this.#unnoted
    this.#unnoted = []
    for (const one of unnoted.filter(({ jobId }) => this.#ledger.sent.has(jobId))) {
      this.#underWay++
      this.#noteSent(one).catch((err: unknown) => this.#log.warn({ jobId: one.jobId, err }, 'job sent and not noted'))
        .finally(() => {
          this.#underWay--
        })
    }
  }

  async #noteSent ({ size, tenant, jobId, sent }: SentJob): Promise<void> {
    if (await this.#ledger.published(tenant, jobId, sent)) return
    this.#withdraw(size, jobId)
    await this.#queue.deleteJobMessage(sent.sequence)
  }

  async #giveUp (tenant: string, jobId: string, { code, message }: TabcastError): Promise<void> {
    const failed = await this.#ledger.fail(tenant, jobId, code, message)
    if (failed === undefined) {
      this.#dropWaiting({ tenant, jobId })
      return
    }
    this.settle(failed)
    this.#onFailed(failed)
  }

  /** Resolves once no change is in progress. */
  async idle (): Promise<void> {
    while (this.#underWay > 0) await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
