import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { ulid } from 'ulid'
import type { Config } from '../../platform/config.ts'
import type { DiskSpace } from '../../platform/disk/disk-space.ts'
import { jobFacts } from '../../platform/log/job-facts.ts'
import type { MetadataStore } from '../../platform/metadata/metadata-store.ts'
import type { ApiQueue } from '../../platform/queue/index.ts'
import type { WorkerMessage } from '../../platform/queue/worker-message.ts'
import { jobPrefix } from '../../platform/store/keys.ts'
import type { ObjectStore } from '../../platform/store/object-store.ts'
import { repeatSweep } from '../../platform/time/repeat-sweep.ts'
import { repeat } from '../../platform/time/repeat.ts'
import { inPortions } from '../../platform/turns/in-portions.ts'
import { CpuBudgets } from '../quotas/cpu-budgets.ts'
import type { Quotas } from '../quotas/quotas.ts'
import { Admission } from './admission.ts'
import { checkContent } from './check-content.ts'
import { CheckLine } from './check-line.ts'
import { ClaimDesk } from './claim-desk.ts'
import { CsvConversions } from './csv-conversions.ts'
import { Dispatcher } from './dispatcher.ts'
import { Downloads } from './downloads.ts'
import { EventDesk } from './event-desk.ts'
import { Intake, type AssertObject, type FindModelFile } from './intake.ts'
import { JobLedger, type JobFollower } from './job-ledger.ts'
import type { FindConnection } from './job-message.ts'
import type { JobObserver } from './job-observer.ts'
import { isJobId, isTerminal, type JobRecord } from './job-record.ts'
import type { JobService } from './job-service.ts'
import { JobWatchers } from './job-watchers.ts'
import { listJobs } from './list-jobs.ts'
import { LongPolls } from './long-polls.ts'
import { compareWithQueue } from './queue-comparison.ts'
import { Reconciler } from './reconciler.ts'
import { redrive } from './redrive.ts'
import { ResultReads } from './result-reads.ts'
import { Sweeper, type KeptKey } from './sweeper.ts'
import { tenantBounds } from './tenant-bounds.ts'
import { WorkerPresence } from './worker-presence.ts'
import { defined } from '../../platform/defined.ts'

export interface JobServiceDeps {
  config: Config
  metadata: MetadataStore
  store: ObjectStore
  queue: ApiQueue
  engineVersion: string
  log: Logger
  /** Default: unlimited. */
  room?: Pick<DiskSpace, 'check' | 'arriving'>
  /** Default: none. */
  quotas?: Pick<Quotas, 'check' | 'arriving'> | undefined
  /** For processor time; default: none. */
  budgets?: Pick<CpuBudgets, 'checkTurn' | 'spend'>
  /** Default: there are no connections. */
  findConnection?: FindConnection
  /** Default: stored objects are never deleted. */
  assertObject?: AssertObject
  /** Default: there are no fine-tuned models. */
  models?: { find: FindModelFile, keptKey: KeptKey }
  /** Services whose records follow the life of jobs. */
  followers?: readonly JobFollower[]
  observer?: JobObserver | undefined
}

export interface RunningJobService extends JobService {
  /**
   * Resolves when the open jobs of earlier processes are known; serve no request before that. Rejects when one of them
   * cannot be read.
   */
  restored: Promise<void>
  /** Leaves the protocol, after finishing work in progress. */
  stop(): Promise<void>
  /** The last announcements of all workers that can be heard, including those that are stopping. */
  workers(): WorkerMessage[]
}

/** Maximum bytes of the EVENTS stream. A terminal event has a few hundred, so about a hundred thousand fit. */
const maxEventBytes = 64 * 1024 * 1024
const orphanSweepMs = 3_600_000

/**
 * The api's side of the job contract. Reads work at once. The rest follows the connection to the queue: each connection
 * ensures the streams and drains events, and after one lease the reconciler and the sweeps start.
 */
export function createJobService (deps: JobServiceDeps): RunningJobService {
  const { config, metadata, store, queue, engineVersion, log } = deps
  const assertObject = deps.assertObject ?? (() => undefined)
  const models = deps.models ?? { find: () => undefined, keptKey: () => undefined }
  const leaseMs = config.LEASE_MS
  const ledger = new JobLedger(metadata, {
    attempts: { slotDeaths: config.MAX_SLOT_DEATHS, lostWorkers: config.MAX_LOST_WORKERS },
    retentionMs: (tenant) => tenantBounds(config, tenant).retentionSeconds * 1000,
    now: () => Date.now(),
    ...defined({ followers: deps.followers }),
    observer: deps.observer
  })
  const listenerFailed = (error: unknown): void =>
    log.warn({ err: error }, 'a listener that waits for a job has failed')
  const watchers = new JobWatchers(listenerFailed)
  const presence = new WorkerPresence(3 * config.HEARTBEAT_MS)
  const admission = new Admission({ config, queue, presence, room: deps.room, quotas: deps.quotas })
  const budgets = deps.budgets ?? new CpuBudgets({ perMinuteMs: Infinity })
  const checks = new CheckLine({ config, presence, budgets })
  const dispatcher: Dispatcher = new Dispatcher({
    ledger,
    queue,
    presence,
    config,
    log,
    findConnection: deps.findConnection ?? (() => undefined),
    onSettled: (record) => admission.leave(record),
    onFailed: (record) => watchers.notify(record.jobId),
    preempt: (jobId) => claims.preempt(jobId),
    outgrow: (record) => claims.outgrow(record)
  })
  const claims = new ClaimDesk({ ledger, queue, presence, dispatcher, watchers, log, leaseMs })
  const events = new EventDesk({ ledger, store, queue, dispatcher, claims, watchers, log })
  const reconciler = new Reconciler({ metadata, ledger, queue, store, presence, dispatcher, events, log, leaseMs })
  const intake = new Intake({
    config,
    ledger,
    store,
    queue,
    admission,
    checks,
    budgets,
    dispatcher,
    findModel: models.find,
    assertObject,
    engineVersion,
    log
  })
  const reads = new ResultReads({ store, ledger })
  const conversions = new CsvConversions({ config, ledger, store, queue, room: deps.room, quotas: deps.quotas, log })
  const downloads = new Downloads({ store, reads, conversions, signedUrlSeconds: config.SIGNED_URL_SECONDS })

  /** Call it after the tombstone. Ends everything that belongs to the job. */
  const onGone = async (record: JobRecord): Promise<void> => {
    reads.cut(record.jobId)
    dispatcher.settle(record)
    claims.forget(record.jobId)
    watchers.notify(record.jobId)
    if (!queue.connected) return
    queue.publishCancel(record.jobId, 'deleted')
    if (isTerminal(record)) return
    if (record.streamSequence !== null) await queue.deleteJobMessage(record.streamSequence)
  }
  const sweeper = new Sweeper({ ledger, store, keptKey: models.keptKey, onGone, log })

  const stopping = new AbortController()
  let tasks: Array<{ stop: () => Promise<void> }> | undefined

  const restored = restore()

  /** Takes up the open jobs of earlier processes. Their records may be large, so requests are served in between. */
  async function restore (): Promise<void> {
    for await (const record of inPortions(ledger.open())) {
      if (stopping.signal.aborted) return
      deps.observer?.found(record)
      if (record.status === 'pending') admission.restore(record.tenant, record.jobId)
      if (ledger.isInOutbox(record.jobId)) dispatcher.add(record)
      else if (record.status === 'pending' || record.givenBack === record.run) dispatcher.markUnclaimed(record)
      else dispatcher.claimed(record)
    }
  }

  const subscriptions = [
    queue.onWorkers((message) => {
      presence.announce(message)
      claims.announced(message)
      dispatcher.pump()
      checks.pump()
    }),
    queue.serveClaims(async (request) => {
      await restored
      return await claims.claim(request)
    }),
    queue.onNews((news) => {
      restored.then(() => claims.news(news)).catch((error: unknown) =>
        log.warn({ err: error, jobId: news.jobId }, 'news not recorded')
      )
    }),
    queue.consumeEvents(async (ends, givenBack) => {
      await restored
      await events.handle(ends, givenBack)
    }),
    queue.onConnection((connected) => {
      if (connected) void connect()
      else dispatcher.setOpen(false)
    })
  ]

  /** The queue may be new, so streams and their jobs are restored from the record. */
  async function connect (): Promise<void> {
    while (queue.connected && !stopping.signal.aborted) {
      try {
        await restored
        const { jobsCreated } = await queue.ensureStreams({ maxJobs: config.MAX_QUEUED, maxEventBytes, leaseMs })
        await queue.drainEventsTo(await queue.eventsLastSequence())
        await reconciler.checkStream(jobsCreated)
        // A stop may have closed the record in the meantime, and publishing a job reads it.
        if (stopping.signal.aborted) return
        dispatcher.setOpen(true)
        startPeriodicTasks()
        return
      } catch (error) {
        log.warn({ err: error }, 'the queue is not ready yet')
        await sleep(500)
      }
    }
  }

  function startPeriodicTasks (): void {
    if (tasks !== undefined || stopping.signal.aborted) return
    tasks = []
    const start = setTimeout(() => {
      tasks?.push(
        repeat('reconcile', config.RECONCILE_MS, log, async () => {
          await reconciler.run()
          presence.prune(10 * leaseMs)
        })
      )
    }, leaseMs)
    tasks.push({ stop: async () => clearTimeout(start) })
  }
  // Expiry and the deletion of objects do not need the queue.
  const sweeps = [
    repeatSweep('sweep', config.SWEEP_MS, log, () => sweeper.run()),
    repeatSweep('orphans', orphanSweepMs, log, () => sweeper.sweepOrphans(orphanSweepMs))
  ]

  const find = (tenant: string, jobId: string) => isJobId(jobId) ? ledger.get(tenant, jobId) : undefined
  const polls = new LongPolls({ maxPerTenant: config.LONG_POLLS_PER_TENANT, find, watchers }, listenerFailed)

  return {
    restored,
    admit: (tenant, count) => admission.check(tenant, count),
    stage: (tenant, upload) => intake.stage(tenant, upload),
    unstage: (tenant, staged) => intake.unstage(tenant, staged),
    async submit (tenant, submission, within) {
      const [record] = await intake.submit(tenant, [submission], (tx, records) => {
        for (const one of records) within?.(tx, one)
      })
      return record as JobRecord
    },
    submitAll: (tenant, submissions, within) => intake.submit(tenant, submissions, within),
    takeTurn: (tenant, read) => checks.run(tenant, `read_${ulid()}`, read),
    async amend (tenant, jobId, change) {
      const record = await ledger.amend(tenant, jobId, change)
      if (record !== undefined) watchers.notify(jobId)
      return record
    },
    get: find,
    entry: (tenant, jobId) => isJobId(jobId) ? ledger.entry(tenant, jobId) : undefined,
    bytes: (tenant, jobId) => isJobId(jobId) ? ledger.bytes(tenant, jobId) : undefined,
    follow: (jobId, listener) => watchers.subscribe(jobId, listener, { ofProgress: true }),
    list: (tenant, query) => listJobs(ledger, tenant, query),
    download: (record, format, baseUrl) => downloads.open(record, format, baseUrl),
    artifact: (record, name) => downloads.artifact(record, name),
    isReadable: (key) => reads.isReadable(key),
    openFile: (key, range) => reads.open(key, range),

    progress (record) {
      if (isTerminal(record)) return null
      const stage = claims.stage(record)
      const queuePosition = dispatcher.position(record) ?? null
      return { stage: stage?.stage ?? 'queue', fraction: stage?.fraction ?? 0, queuePosition }
    },

    wait: (...poll) => polls.wait(...poll),

    async delete (tenant, jobId, within) {
      const record = isJobId(jobId) ? await ledger.delete(tenant, jobId, within) : undefined
      if (record === undefined) return false
      reads.cut(jobId)
      // In parallel, so that a slow store does not delay the cancellation of runs.
      for (const end of await Promise.allSettled([onGone(record), sweeper.sweep(jobPrefix(tenant, jobId), null)])) {
        // The tombstone holds. The scheduled sweep and the claim of a late worker finish the rest.
        if (end.status === 'rejected') {
          log.warn({ ...jobFacts(record), err: end.reason as unknown },
            'job deleted; its objects or its message are removed later')
        }
      }
      return true
    },

    async check (tenant, input, spec, place = { data: ['body', 'object_id'], options: ['body'] }) {
      const assertThere = (): void => {
        if (input.objectId !== undefined) assertObject(tenant, input.objectId)
      }
      return await checks.run(tenant, `estimate_${ulid()}`,
        () => checkContent({ config, queue, budgets }, { tenant, input, spec, depth: 'full', place, assertThere }))
    },

    state () {
      const workers = presence.available()
      const sum = (count: (worker: WorkerMessage) => number) =>
        workers.reduce((total, worker) => total + count(worker), 0)
      return {
        connected: queue.connected,
        workers: workers.length,
        waiting: admission.waitingOfTenants,
        slots: sum(({ slots }) => slots),
        freeSlots: sum(({ freeAny, freeSmall }) => freeAny + freeSmall)
      }
    },

    redrive: (request) => redrive({ ledger, queue, presence, dispatcher, leaseMs }, request),
    compareWithQueue: () => compareWithQueue({ ledger, queue, presence, leaseMs }),
    workers: () => presence.heard(),

    async stop () {
      stopping.abort()
      polls.endAll()
      await restored
      for (const unsubscribe of subscriptions) unsubscribe()
      dispatcher.stop()
      for (const task of [...sweeps, ...tasks ?? []]) await task.stop()
      await dispatcher.idle()
    }
  }
}
