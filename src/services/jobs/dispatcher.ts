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
import type { JobRecord } from './job-record.ts'
import { largeSlots, SandboxSlots } from './sandbox-slots.ts'
import { SmallRuns } from './small-runs.ts'
import type { WorkerPresence } from './worker-presence.ts'

const sizes: readonly JobSize[] = ['small', 'large']
/**
 * Messages per slot that wait in JetStream: enough that a worker never waits for the api, few enough that turns stay
 * fair.
 */
const messagesPerSlot = 2
/**
 * Large jobs of a tenant that are published and have not ended: those that compute, and as many again that read sources
 * or are being stored, and that wait.
 */
const largePerSlot = 3
const retryMs = 500
/** Of the event loop's time, in one turn: a message may have a list of thousands of objects that has to be read. */
const publishingMs = 5

interface DispatcherDeps {
  ledger: JobLedger
  queue: ApiQueue
  presence: WorkerPresence
  config: Config
  log: Logger
  findConnection: FindConnection
  /** The job waits no longer. */
  onSettled: (record: JobRecord) => void
  /** The job ended here, without a run. */
  onFailed: (record: JobRecord) => void
  /** Stops the run of this job of the sandbox; the job waits again. */
  preempt: (jobId: string) => Promise<void>
  /** Stops the run of this small job, which has taken too long for one; the job waits again, as a large one. */
  outgrow: (record: JobRecord) => Promise<void>
}

/**
 * Moves jobs from the outbox to the JOBS stream. The outbox in LMDB is the backlog; this is its order in memory. Only
 * as many jobs are published as the workers will start soon, so that turns between tenants are decided late.
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

  /** Published, in this order, and no worker has claimed them yet; with their tenants. */
  readonly #unclaimed: Record<JobSize, Map<string, string>> = { small: new Map(), large: new Map() }
  /** Tenant -> its jobs that were claimed and have not ended. */
  readonly #claimed: Record<JobSize, Map<string, Set<string>>> = { small: new Map(), large: new Map() }
  readonly #smallRuns: SmallRuns
  /** Changes under way. */
  #underWay = 0
  #isPreempting = false
  #retry: NodeJS.Timeout | undefined
  #open = false
  /** Spent on messages in this turn of the event loop, which ends with `#turn`. */
  #publishedMs = 0
  #turn: NodeJS.Immediate | undefined

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
      small: new FairBacklog(),
      large: new FairBacklog({
        tenant: sandboxTenant,
        mayHaveTurn: () => {
          const inFlight = this.#inFlightOf('large', sandboxTenant)
          return slots.mayHaveTurn({ inFlight, othersWait: this.#tenantsWait('large') })
        },
        waitsForAll: () => slots.isBorrower
      })
    }
  }

  get waiting (): number {
    return this.#backlogs.small.size + this.#backlogs.large.size
  }

  add (record: JobRecord): void {
    this.#dropWaiting(record)
    this.#dropClaimed(record.tenant, record.jobId)
    this.#backlogs[record.size].add(record.tenant, record.jobId, record.dispatch > 1)
    this.pump()
  }

  /** The job ended or was deleted: it waits no longer, neither here nor in the stream. */
  settle (record: JobRecord): void {
    const wasClaimed = this.#dropClaimed(record.tenant, record.jobId)
    if (wasClaimed && record.tenant === sandboxTenant && record.status === 'completed') this.#sandboxSlots.completed()
    if (this.#leave(record) || wasClaimed) this.pump()
  }

  /** A run has the job. */
  claimed (record: JobRecord): void {
    const claimed = this.#claimed[record.size]
    const own = claimed.get(record.tenant) ?? new Set()
    claimed.set(record.tenant, own.add(record.jobId))
    this.#smallRuns.began(record)
    if (this.#leave(record)) this.pump()
  }

  #leave (record: JobRecord): boolean {
    this.#onSettled(record)
    return this.#dropWaiting(record)
  }

  /** Of either size: a small job may have become large since. True: it was published. */
  #dropWaiting ({ tenant, jobId }: Pick<JobRecord, 'tenant' | 'jobId'>): boolean {
    return sizes.map((size) => {
      this.#backlogs[size].delete(tenant, jobId)
      return this.#unclaimed[size].delete(jobId)
    }).includes(true)
  }

  #dropClaimed (tenant: string, jobId: string): boolean {
    this.#smallRuns.ended(jobId)
    return sizes.map((size) => {
      const own = this.#claimed[size].get(tenant)
      const had = own?.delete(jobId) === true
      if (own?.size === 0) this.#claimed[size].delete(tenant)
      return had
    }).includes(true)
  }

  /** A published job that no run has: as found at start, or given back by the one that had it. */
  markUnclaimed (record: JobRecord): void {
    this.#dropClaimed(record.tenant, record.jobId)
    this.#unclaimed[record.size].set(record.jobId, record.tenant)
  }

  /** Jobs of its size that start before this one; undefined once it is claimed. */
  position (record: JobRecord): number | undefined {
    const unclaimed = this.#unclaimed[record.size]
    let ahead = 0
    for (const jobId of unclaimed.keys()) {
      if (jobId === record.jobId) return ahead
      ahead++
    }
    const position = this.#backlogs[record.size].position(record.tenant, record.jobId)
    return position === undefined ? undefined : ahead + position
  }

  /** The streams are there: publish. Closed again while the connection is away. */
  setOpen (open: boolean): void {
    this.#open = open
    this.pump()
  }

  /**
   * Publishes what there is room for; beyond some ms, in the next turn of the event loop. Called whenever a job or a
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
        this.#turn ??= setImmediate(() => this.#nextTurn())
      }
    }
    this.#clearTheWay()
  }

  #nextTurn (): void {
    const hadTime = this.#publishedMs < publishingMs
    this.#turn = undefined
    this.#publishedMs = 0
    if (!hadTime) this.pump()
  }

  /** A tenant's job does not wait for the end of a visitor's. */
  #clearTheWay (): void {
    const [jobId] = this.#claimed.large.get(sandboxTenant) ?? []
    if (jobId === undefined || this.#isPreempting) return
    const waiting = { small: this.#tenantsWait('small'), large: this.#tenantsWait('large') }
    const claimed = [...this.#claimed.large.values()].reduce((sum, { size }) => sum + size, 0)
    if (!this.#sandboxSlots.isInTheWay({ waiting, claimed })) return
    this.#sandboxSlots.preempted()
    this.#isPreempting = true
    this.#underWay++
    const failed = (err: unknown): void => this.#log.error({ jobId, err }, 'a job of the sandbox was not stopped')
    this.#preempt(jobId).catch(failed).finally(() => {
      this.#isPreempting = false
      this.#underWay--
    })
  }

  /** What was estimated to be small, and is not, holds no slot that small jobs wait for. */
  #outgrow (record: JobRecord, outgrow: DispatcherDeps['outgrow']): void {
    this.#underWay++
    const failed = (err: unknown): void => this.#log.error({ ...jobFacts(record), err }, 'a long run was not stopped')
    outgrow(record).catch(failed).finally(() => {
      this.#underWay--
    })
  }

  stop (): void {
    this.#open = false
    this.#smallRuns.stop()
    clearTimeout(this.#retry)
    clearImmediate(this.#turn)
  }

  /**
   * Tenants with less than their share of the slots, all but one, go first: a large job may take an hour, and what was
   * wrongly taken for small takes its time too. Nobody's messages fill the room in the stream, so that another's gets
   * there at once: large ones take half of it, small ones, which are gone before more could come, all but one place.
   * All jobs of the sandbox are large, and come last (`sandbox-slots.ts`).
   */
  #next (size: JobSize): { tenant: string, jobId: string } | undefined {
    const slots = this.#slots(size)
    const share = Math.max(1, slots - 1)
    const [messages, jobs] = size === 'small' ? [messagesPerSlot * slots - 1, Infinity] : [slots, largePerSlot * slots]
    return this.#backlogs[size].take(
      (tenant) => this.#inFlightOf(size, tenant) < share,
      (tenant) => this.#unclaimedOf(size, tenant) < messages && this.#inFlightOf(size, tenant) < jobs
    )
  }

  #inFlightOf (size: JobSize, tenant: string): number {
    return this.#unclaimedOf(size, tenant) + (this.#claimed[size].get(tenant)?.size ?? 0)
  }

  #unclaimedOf (size: JobSize, tenant: string): number {
    return [...this.#unclaimed[size].values()].filter((owner) => owner === tenant).length
  }

  /** Jobs of tenants are published, and no worker has claimed them. */
  #tenantsWait (size: JobSize): boolean {
    return [...this.#unclaimed[size].values()].some((owner) => owner !== sandboxTenant)
  }

  #slots (size: JobSize): number {
    return this.#presence.available().reduce((sum, { slots }) => sum + (size === 'small' ? slots : largeSlots(slots)),
      0)
  }

  #room (size: JobSize): number {
    return messagesPerSlot * this.#slots(size) - this.#unclaimed[size].size
  }

  async #publish (size: JobSize, tenant: string, jobId: string): Promise<void> {
    const record = this.#ledger.get(tenant, jobId)
    try {
      if (record === undefined) {
        this.#unclaimed[size].delete(jobId)
        return
      }
      const message = jobMessage(record, this.#config, this.#findConnection)
      if (message === undefined) {
        await this.#giveUp(tenant, jobId,
          new TabcastError('connection_not_found',
            'The data connection of this job was deleted before the job could start.'))
        return
      }
      const { seq } = await this.#queue.publishJob(size, message)
      if (!await this.#ledger.published(tenant, jobId, record.dispatch, seq)) {
        this.#unclaimed[size].delete(jobId)
        await this.#queue.deleteJobMessage(seq)
      }
    } catch (error) {
      // Its source cannot be used any more, which no later attempt would change.
      if (error instanceof TabcastError) return await this.#giveUp(tenant, jobId, error)
      if (error instanceof QueueError && error.code === 'too_large') {
        return await this.#giveUp(tenant, jobId,
          new TabcastError('pipeline_failed',
            'The specification of this job is larger than a message of the queue may be.', { cause: error }))
      }
      // The outbox still holds the job, and the same message id makes a second publish harmless.
      this.#unclaimed[size].delete(jobId)
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

  async #giveUp (tenant: string, jobId: string, { code, message }: TabcastError): Promise<void> {
    const failed = await this.#ledger.fail(tenant, jobId, code, message)
    if (failed === undefined) {
      this.#dropWaiting({ tenant, jobId })
      return
    }
    this.settle(failed)
    this.#onFailed(failed)
  }

  /** Resolves when nothing is under way. */
  async idle (): Promise<void> {
    while (this.#underWay > 0) await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
