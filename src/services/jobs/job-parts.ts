import type { Logger } from 'pino'
import type { Config } from '../../platform/config.ts'
import { defined } from '../../platform/defined.ts'
import type { DiskSpace } from '../../platform/disk/disk-space.ts'
import type { MetadataStore } from '../../platform/metadata/metadata-store.ts'
import type { ApiQueue } from '../../platform/queue/index.ts'
import type { ObjectStore } from '../../platform/store/object-store.ts'
import { CpuBudgets } from '../quotas/cpu-budgets.ts'
import type { Quotas } from '../quotas/quotas.ts'
import { Admission } from './admission.ts'
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
import { JobWatchers } from './job-watchers.ts'
import { Reconciler } from './reconciler.ts'
import { ResultReads } from './result-reads.ts'
import { ResultSpace } from './result-space.ts'
import type { KeptKey } from './sweeper.ts'
import { tenantBounds } from './tenant-bounds.ts'
import { WorkerPresence } from './worker-presence.ts'

export interface JobServiceDeps {
  config: Config
  metadata: MetadataStore
  store: ObjectStore
  queue: ApiQueue
  engineVersion: string
  log: Logger
  /** Default: unlimited. */
  room?: Pick<DiskSpace, 'check' | 'arriving' | 'promise' | 'promiseAgain' | 'endPromise'>
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

/** The parts of the job service, connected with each other and not yet with the queue. */
export type JobParts = ReturnType<typeof connectParts>

export function connectParts (deps: JobServiceDeps) {
  const { config, metadata, store, queue, log } = deps
  const resultSpace = new ResultSpace(config, deps.room)
  const ledger = new JobLedger(metadata, {
    attempts: { slotDeaths: config.MAX_SLOT_DEATHS, lostWorkers: config.MAX_LOST_WORKERS },
    retentionMs: (tenant) => tenantBounds(config, tenant).retentionSeconds * 1000,
    now: () => Date.now(),
    ...defined({ followers: deps.followers }),
    observer: deps.observer,
    onClosed: (record) => resultSpace.end(record)
  })
  const listenerFailed = (error: unknown): void =>
    log.warn({ err: error }, 'a listener that waits for a job has failed')
  const watchers = new JobWatchers(listenerFailed)
  const presence = new WorkerPresence(3 * config.HEARTBEAT_MS)
  const admission = new Admission({ config, queue, presence, room: deps.room, quotas: deps.quotas })
  const budgets = deps.budgets ?? new CpuBudgets({ perMinuteMs: Infinity })
  const checks = new CheckLine({ config, presence, budgets })
  const runs = connectRuns(deps, { ledger, watchers, presence, admission })
  const intake = new Intake({
    config,
    ledger,
    store,
    queue,
    admission,
    resultSpace,
    checks,
    budgets,
    dispatcher: runs.dispatcher,
    findModel: deps.models?.find ?? (() => undefined),
    assertObject: deps.assertObject ?? (() => undefined),
    engineVersion: deps.engineVersion,
    log
  })
  const reads = new ResultReads({ store, ledger })
  const conversions = new CsvConversions({ config, ledger, store, queue, room: deps.room, quotas: deps.quotas, log })
  const downloads = new Downloads({ store, reads, conversions, signedUrlSeconds: config.SIGNED_URL_SECONDS })
  const parts = { ledger, listenerFailed, watchers, presence, admission, resultSpace, budgets, checks }
  return { ...parts, ...runs, intake, reads, downloads }
}

interface RunsDeps {
  ledger: JobLedger
  watchers: JobWatchers
  presence: WorkerPresence
  admission: Admission
}

/** The parts that send jobs to workers and hear about their runs. */
function connectRuns ({ config, metadata, store, queue, log, findConnection = () => undefined }: JobServiceDeps,
  { ledger, watchers, presence, admission }: RunsDeps) {
  const leaseMs = config.LEASE_MS
  const dispatcher: Dispatcher = new Dispatcher({
    ledger,
    queue,
    presence,
    config,
    log,
    findConnection,
    onSettled: (record) => admission.leave(record),
    onFailed: (record) => watchers.notify(record.jobId),
    preempt: (jobId) => claims.preempt(jobId),
    outgrow: (record) => claims.outgrow(record)
  })
  const claims = new ClaimDesk({ ledger, queue, presence, dispatcher, watchers, log, leaseMs })
  const events = new EventDesk({ ledger, store, queue, dispatcher, claims, watchers, log })
  const reconciler = new Reconciler({ metadata, ledger, queue, store, presence, dispatcher, events, log, leaseMs })
  return { dispatcher, claims, events, reconciler }
}
