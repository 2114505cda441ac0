import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { ulid } from 'ulid'
import { buildApp } from '../../src/api/app.ts'
import { createServices } from '../../src/commands/compose.ts'
import { recordTables } from '../../src/commands/record-tables.ts'
import type { JobResult } from '../../src/domain/job-result.ts'
import type { JobSize } from '../../src/domain/job.ts'
import { messageVersion } from '../../src/domain/message-version.ts'
import { ServiceMetrics } from '../../src/operations/metrics/service-metrics.ts'
import { dataPaths, loadConfig, type Config } from '../../src/platform/config.ts'
import type { DiskSpace } from '../../src/platform/disk/disk-space.ts'
import { EventLoopWatch } from '../../src/platform/event-loop/event-loop-watch.ts'
import { createLog } from '../../src/platform/log/log.ts'
import type { MetadataStore } from '../../src/platform/metadata/metadata-store.ts'
import { openMetadata } from '../../src/platform/metadata/open-metadata.ts'
import { encodeResult, type JobHandle, type Queue } from '../../src/platform/queue/index.ts'
import type { JobMessage } from '../../src/platform/queue/job-messages.ts'
import type { QuickCheckReply, QuickCheckRequest, QuickPreviewReply, QuickPreviewRequest, QuickProfileReply,
  QuickProfileRequest } from '../../src/platform/queue/quick-messages.ts'
import type { WorkerMessage } from '../../src/platform/queue/worker-message.ts'
import { outputKey, resultKey } from '../../src/platform/store/keys.ts'
import type { ObjectStore } from '../../src/platform/store/object-store.ts'
import { openStore } from '../../src/platform/store/open-store.ts'
import { openVault } from '../../src/platform/vault/open-vault.ts'
import { AuditLog } from '../../src/services/audit/audit-log.ts'
import type { RunningJobService } from '../../src/services/jobs/create-job-service.ts'
import { openKeyService, type KeyService } from '../../src/services/keys/key-service.ts'
import { loadSecrets, type Secrets } from '../../src/services/keys/secrets.ts'
import type { RunningObjectService } from '../../src/services/objects/create-object-service.ts'
import { setup as setupNats, type TestNats } from './nats.ts'
import { until } from './until.ts'

/**
 * The HTTP interface over the real record, store, keys, queue and job service, in this process. The test plays the
 * worker over the queue: it announces itself, answers content checks and finishes jobs when it is told to.
 */
export interface ApiStage {
  app: FastifyInstance
  config: Config
  keys: KeyService
  jobs: RunningJobService
  objects: RunningObjectService
  store: ObjectStore
  room: DiskSpace
  metadata: MetadataStore
  metrics: ServiceMetrics
  secrets: Secrets
  folder: string
  /** What the service has logged, at every level. */
  log: () => Array<Record<string, unknown>>
  /** A key of the tenant `acme` with the default scopes. */
  key: string
  worker: Queue
  /** Lines of the log, as JSON. */
  logged: string[]
  /** What the worker announces, where that differs from one of two slots that are free. */
  announces: Partial<WorkerMessage>
  /** What the worker says to content checks. */
  checkReply: QuickCheckReply
  /** Runs before the worker answers a content check; what it gives is said instead of `checkReply`. */
  beforeCheck: (request: QuickCheckRequest) => QuickCheckReply | void | Promise<QuickCheckReply | void>
  /** What the worker says to previews. */
  preview: (request: QuickPreviewRequest) => QuickPreviewReply
  /** What the worker says to profiles. */
  profile: (request: QuickProfileRequest) => QuickProfileReply
  /** Takes the next job and ends it with this table, or as failed. */
  finishNext(files: Record<string, string>, changes?: Partial<JobResult>, size?: JobSize): Promise<void>
  takeNext(size?: JobSize): Promise<JobHandle>
  /** What a run has made is stored and announced. */
  publishEnd(message: JobMessage, run: string, files: Record<string, string>,
    changes?: Partial<JobResult>): Promise<void>
  /** Stops announcing, until the api takes the worker for gone. */
  silenceWorker(): Promise<void>
  /** Another app over the same services. */
  buildAnother(settings: Record<string, string>): FastifyInstance
}

const contentTypes: Record<string, string> = {
  csv: 'text/csv',
  parquet: 'application/octet-stream',
  json: 'application/json',
  html: 'text/html; charset=utf-8',
  svg: 'image/svg+xml'
}

/** `extend` adds routes and hooks of the test before the app is ready. */
export async function openApi (t: Test, settings: Record<string, string> = {},
  extend: (app: FastifyInstance) => void = () => undefined): Promise<ApiStage> {
  const folder = t.testdir({})
  const environment = {
    TABCAST_LEASE_MS: '1000',
    TABCAST_RECONCILE_MS: '500',
    TABCAST_ENVIRONMENT: 'test',
    TABCAST_DATA_DIR: folder,
    ...settings
  }
  const config = loadConfig(environment)
  const paths = dataPaths(config)
  await mkdir(paths.spool, { recursive: true })
  const nats: TestNats = await setupNats()
  const secrets = loadSecrets(paths.secrets)
  const lines: string[] = []
  const log = createLog('trace', { role: 'api' }, {
    write (line) {
      lines.push(line)
      if (process.env['TEST_LOG']) process.stderr.write(line)
    }
  })
  const metadata = await openMetadata({ path: paths.metadata, tables: recordTables })
  const store = await openStore({ driver: 'local', root: paths.objects, signingSecret: secrets.urlKey })
  const metrics = new ServiceMetrics()
  const keys = openKeyService({
    metadata,
    pepper: secrets.pepper,
    environment: config.ENVIRONMENT,
    staticKeysFile: config.STATIC_KEYS_FILE,
    audit: new AuditLog(metadata, { maxRecords: config.AUDIT_MAX_RECORDS }),
    onError: (error) => t.error(error)
  })
  const queue = await nats.connect('api')
  const services = createServices({
    config,
    metadata,
    keys,
    secrets,
    vault: openVault(paths.keyring),
    store,
    queue,
    engineVersion: '0.1.0',
    observers: metrics.observers,
    log
  })
  metrics.watch(config, { ...services, queue }, new EventLoopWatch())
  const { jobs, objects } = services
  const app = buildApp(config, services, metrics.requests)
  const worker = await nats.connect('worker')
  const apps = [app]
  extend(app)
  await app.ready()

  const announce = () =>
    worker.announce({
      v: messageVersion,
      workerId: 'w1',
      version: '0',
      slots: 2,
      freeAny: 1,
      freeSmall: 1,
      quick: 1,
      capabilities: ['forecast'],
      running: [],
      draining: false,
      ...stage.announces
    })
  const stage: ApiStage = {
    app,
    config,
    keys,
    jobs,
    objects,
    store,
    room: services.room,
    metadata,
    metrics,
    secrets,
    folder,
    logged: lines,
    log: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    worker,
    key: (await keys.create({ tenant: 'acme' })).key,
    announces: {},
    checkReply: {
      v: messageVersion,
      ok: true,
      profile: { rows: 6, series: 2, minLength: 3, maxLength: 3, freq: 'MS' },
      warnings: []
    },
    beforeCheck: () => undefined,
    preview: () => ({ v: messageVersion, ok: false, failed: 'compute_unavailable' }),
    profile: () => ({ v: messageVersion, ok: false, failed: 'compute_unavailable' }),
    takeNext: (size = 'small') => until('a job message', () => worker.nextJob(size, 1000)),
    async finishNext (files, changes = {}, size = 'small') {
      const handle = await stage.takeNext(size)
      const { jobId, tenant, dispatch } = handle.message
      const run = ulid()
      const reply = await worker.claim({ v: messageVersion, jobId, tenant, dispatch, workerId: 'w1', run }, 5000)
      t.equal(reply?.go, true)
      await stage.publishEnd(handle.message, run, files, changes)
      handle.ack()
    },
    async publishEnd ({ jobId, tenant, outputPrefix }, run, files, changes = {}) {
      for (const [name, content] of Object.entries(files)) {
        await store.putBytes(outputKey(outputPrefix, run, name), Buffer.from(content))
      }
      const result: JobResult = {
        v: messageVersion,
        jobId,
        run,
        code: null,
        error: null,
        files: Object.entries(files).map(([name, content]) => ({
          name,
          contentType: contentTypes[name.split('.')[1] ?? ''] ?? 'text/plain',
          bytes: Buffer.byteLength(content),
          sha256: createHash('sha256').update(content).digest('hex')
        })),
        numItems: 2,
        datasetHash: 'd'.repeat(64),
        timings: { fit: 0.001, total: 0.002 },
        warnings: [],
        ...changes
      }
      const bytes = encodeResult(result)
      await store.putBytes(resultKey(outputPrefix, run), bytes)
      await worker.publishEvent({
        v: messageVersion,
        jobId,
        tenant,
        run,
        code: result.code,
        error: result.error,
        resultSha256: createHash('sha256').update(bytes).digest('hex')
      })
    },
    async silenceWorker () {
      clearInterval(heartbeat)
      await until('the worker is taken for gone', () => jobs.state().workers === 0)
    },
    buildAnother (changes) {
      const another = buildApp(loadConfig({ ...environment, ...changes }), services)
      apps.push(another)
      return another
    }
  }
  const heartbeat = setInterval(announce, 100)
  worker.serveQuick(async (request) => await stage.beforeCheck(request) ?? stage.checkReply)
  worker.serveQuickPreview(async (request) => stage.preview(request))
  worker.serveQuickProfile(async (request) => stage.profile(request))
  t.teardown(async () => {
    clearInterval(heartbeat)
    await Promise.all(apps.map((one) => one.close()))
    await services.stop()
    await keys.close()
    await metadata.close()
    await nats.cleanup()
  })
  await until('the worker is seen', () => jobs.state().workers === 1 && jobs.state().connected)
  return stage
}
