import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { TabcastError } from '../errors.ts'
import { QueueError, type ApiQueue } from '../queue/index.ts'
import type { JobSize } from '../queue/messages.ts'
import { FairBacklog } from './fair-backlog.ts'
import type { JobLedger } from './job-ledger.ts'
import { jobMessage, type FindConnection } from './job-message.ts'
import type { JobRecord } from './job-record.ts'
import type { WorkerPresence } from './worker-presence.ts'
import { jobFacts } from '../job-facts.ts'

const sizes: readonly JobSize[] = ['small', 'large']
/** Messages per slot that wait in JetStream: enough that a worker never waits for the api, few enough that turns stay fair. */
const messagesPerSlot = 2
const retryMs = 500

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
}

/**
 * Moves jobs from the outbox to the JOBS stream. The outbox in LMDB is the backlog; this is its order in memory. Only as
 * many jobs are published as the workers will start soon, so that turns between tenants are decided late.
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
  readonly #backlogs: Record<JobSize, FairBacklog> = { small: new FairBacklog(), large: new FairBacklog() }
  /** Published, in this order, and no worker has claimed them yet. */
  readonly #unclaimed: Record<JobSize, Set<string>> = { small: new Set(), large: new Set() }
  #publishing = 0
  #retry: NodeJS.Timeout | undefined
  #open = false

  constructor (deps: DispatcherDeps) {
    this.#ledger = deps.ledger
    this.#queue = deps.queue
    this.#presence = deps.presence
    this.#config = deps.config
    this.#log = deps.log
    this.#findConnection = deps.findConnection
    this.#onSettled = deps.onSettled
    this.#onFailed = deps.onFailed
  }

  get waiting (): number {
    return this.#backlogs.small.size + this.#backlogs.large.size
  }

  add (record: JobRecord): void {
    this.#unclaimed[record.size].delete(record.jobId)
    this.#backlogs[record.size].add(record.tenant, record.jobId, record.dispatch > 1)
    this.pump()
  }

  /** The job was claimed, ended or deleted: it waits no longer, neither here nor in the stream. */
  settle (record: JobRecord): void {
    this.#onSettled(record)
    this.#backlogs[record.size].delete(record.tenant, record.jobId)
    if (this.#unclaimed[record.size].delete(record.jobId)) this.pump()
  }

  /** A published job that nobody has claimed, as found at start. */
  markUnclaimed (record: JobRecord): void {
    this.#unclaimed[record.size].add(record.jobId)
  }

  /** Jobs of its size that start before this one; undefined once it is claimed. */
  position (record: JobRecord): number | undefined {
    const unclaimed = this.#unclaimed[record.size]
    let ahead = 0
    for (const jobId of unclaimed) {
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

  /** Publishes what there is room for. Called whenever a job or a slot appears. */
  pump (): void {
    if (!this.#open || this.#retry !== undefined) return
    for (const size of sizes) {
      let room = this.#room(size)
      while (room-- > 0) {
        const next = this.#backlogs[size].take()
        if (next === undefined) break
        this.#unclaimed[size].add(next.jobId)
        this.#publishing++
        void this.#publish(size, next.tenant, next.jobId)
      }
    }
  }

  stop (): void {
    this.#open = false
    clearTimeout(this.#retry)
  }

  #room (size: JobSize): number {
    const slots = this.#presence.available().reduce((sum, { slots }) => sum + (size === 'small' ? slots : Math.max(1, slots - 1)), 0)
    return messagesPerSlot * slots - this.#unclaimed[size].size
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
        await this.#giveUp(tenant, jobId, new TabcastError('connection_not_found', 'The data connection of this job was deleted before the job could start.'))
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
      this.#publishing--
      this.pump()
    }
  }

  async #giveUp (tenant: string, jobId: string, { code, message }: TabcastError): Promise<void> {
    const failed = await this.#ledger.fail(tenant, jobId, code, message)
    if (failed === undefined) return
    this.settle(failed)
    this.#onFailed(failed)
  }

  /** Resolves when no publish is under way. */
  async idle (): Promise<void> {
    while (this.#publishing > 0) await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
