import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Test } from 'tap'
import { ulid } from 'ulid'
import type { JobResult } from '../../src/domain/job-result.ts'
import type { JobSize } from '../../src/domain/job.ts'
import { messageVersion } from '../../src/domain/message-version.ts'
import { loadConfig, type Config } from '../../src/platform/config.ts'
import { DiskSpace } from '../../src/platform/disk/disk-space.ts'
import type { MetadataStore } from '../../src/platform/metadata/metadata-store.ts'
import { openMetadata } from '../../src/platform/metadata/open-metadata.ts'
import { encodeResult, QueueError, type JobHandle, type Queue } from '../../src/platform/queue/index.ts'
import type { ClaimReply, JobMessage, SlotDeathCause } from '../../src/platform/queue/job-messages.ts'
import type { QuickCheckReply, QuickCheckRequest } from '../../src/platform/queue/quick-messages.ts'
import type { WorkerMessage } from '../../src/platform/queue/worker-message.ts'
import { jobPrefix, outputKey, resultKey } from '../../src/platform/store/keys.ts'
import type { ObjectStore } from '../../src/platform/store/object-store.ts'
import { openStore } from '../../src/platform/store/open-store.ts'
import { createJobService, type RunningJobService } from '../../src/services/jobs/create-job-service.ts'
import type { JobRecord } from '../../src/services/jobs/job-record.ts'
import { jobTables } from '../../src/services/jobs/tables.ts'
import { testSpec } from './job-message.ts'
import { setup as setupNats, type TestNats } from './nats.ts'
import { until } from './until.ts'

export const tenant = 'acme'
const noRows = 'item_id,timestamp,target\n'
const settings = {
  TABCAST_LEASE_MS: '1000',
  TABCAST_RECONCILE_MS: '100',
  TABCAST_SWEEP_MS: '100',
  TABCAST_HEARTBEAT_MS: '1000',
  TABCAST_QUICK_TIMEOUT_MS: '2000',
  TABCAST_CHECK_SLOTS: '1'
}

/** The api's side with real queue, metadata and store. The test itself plays the worker, one step at a time. */
export class Stage {
  readonly nats: TestNats
  readonly config: Config
  readonly store: ObjectStore
  readonly folder: string
  readonly worker: Queue
  metadata!: MetadataStore
  jobs!: RunningJobService
  room!: DiskSpace
  #api!: Queue
  #heartbeat: NodeJS.Timeout | undefined
  /** What the worker says to content checks. */
  checkReply: QuickCheckReply = {
    v: messageVersion,
    ok: true,
    profile: { rows: 6, series: 2, minLength: 3, maxLength: 3, freq: 'MS' },
    warnings: []
  }

  /** How it comes to say so. */
  answerCheck: (request: QuickCheckRequest) => Promise<QuickCheckReply> = async () => this.checkReply

  running: WorkerMessage['running'] = []
  /** What else the worker announces. */
  announced: Partial<WorkerMessage> = {}

  private constructor (nats: TestNats, config: Config, store: ObjectStore, folder: string, worker: Queue) {
    this.nats = nats
    this.config = config
    this.store = store
    this.folder = folder
    this.worker = worker
  }

  static async open (t: Test, changes: Record<string, string> = {}): Promise<Stage> {
    const folder = t.testdir()
    const nats = await setupNats()
    const store = await openStore({
      driver: 'local',
      root: join(folder, 'objects'),
      signingSecret: Buffer.alloc(32, 7)
    })
    const stage = new Stage(nats, loadConfig({ ...settings, ...changes, TABCAST_DATA_DIR: folder }), store, folder,
      await nats.connect('worker'))
    await stage.startApi()
    stage.worker.serveQuick((request) => stage.answerCheck(request))
    stage.startHeartbeat()
    await until('a worker is seen', () => stage.jobs.state().workers === 1 && stage.jobs.state().connected)
    t.teardown(() => stage.close())
    return stage
  }

  startHeartbeat (): void {
    const announce = () =>
      this.worker.announce({
        v: messageVersion,
        workerId: 'w1',
        version: '0',
        slots: 2,
        freeAny: 1,
        freeSmall: 1,
        quick: this.config.CHECK_SLOTS,
        capabilities: ['forecast'],
        running: this.running,
        draining: false,
        ...this.announced
      })
    announce()
    this.#heartbeat = setInterval(announce, 100)
  }

  stopHeartbeat (): void {
    clearInterval(this.#heartbeat)
  }

  async startApi (): Promise<void> {
    this.metadata = await openMetadata({ path: join(this.folder, 'metadata'), tables: jobTables })
    this.#api = await this.nats.connect('api')
    const log = pino({ level: process.env['TEST_LOG'] ? 'debug' : 'silent' })
    this.room = new DiskSpace({
      folder: this.folder,
      maxBytes: this.config.DATA_DIR_MAX_BYTES,
      minFreeBytes: this.config.DATA_DIR_MIN_FREE_BYTES,
      log
    })
    this.jobs = createJobService({
      config: this.config,
      metadata: this.metadata,
      store: this.store,
      queue: this.#api,
      engineVersion: '0.1.0',
      room: this.room,
      log
    })
  }

  /** As after a crash: nothing is handed over, only LMDB, the queue and the store remain. */
  async stopApi (): Promise<void> {
    await this.jobs.stop()
    await this.room.stop()
    await this.#api.close()
    await this.metadata.close()
  }

  async close (): Promise<void> {
    this.stopHeartbeat()
    await this.stopApi()
    await this.nats.cleanup()
  }

  async upload (text = noRows) {
    const path = join(this.folder, `spool-${ulid()}`)
    await writeFile(path, text)
    return { path, bytes: text.length, sha256: createHash('sha256').update(text).digest('hex'), format: 'csv' as const }
  }

  async submit (owner = tenant, spec = testSpec, text = noRows): Promise<JobRecord> {
    return await this.jobs.submit(owner, {
      keyId: 'k',
      requestId: 'r',
      source: { kind: 'upload', upload: await this.upload(text) },
      spec,
      name: null,
      metadata: null,
      callbackUrl: null
    })
  }

  /** Asks again while the api has not made the streams yet, as a worker does. */
  async next (size: JobSize = 'small'): Promise<JobHandle> {
    return await until('a job message', async () => {
      try {
        return await this.worker.nextJob(size, 1_000)
      } catch (error) {
        if (error instanceof QueueError && error.code === 'unavailable') return undefined
        throw error
      }
    })
  }

  async claim (message: JobMessage, run: string, died?: { run: string, cause: SlotDeathCause }): Promise<ClaimReply> {
    const { jobId, tenant, dispatch } = message
    const reply = await this.worker.claim({
      v: messageVersion,
      jobId,
      tenant,
      dispatch,
      workerId: 'w1',
      run,
      ...(died === undefined ? {} : { died })
    }, 2_000)
    if (reply === undefined) throw new Error('the api did not answer the claim')
    return reply
  }

  /** As a worker that stops. */
  async giveBack (handle: JobHandle, run: string): Promise<ClaimReply | undefined> {
    const { jobId, tenant, dispatch } = handle.message
    const reply = await this.worker.claim({
      v: messageVersion,
      jobId,
      tenant,
      dispatch,
      workerId: 'w1',
      run,
      givenBack: 'stopping'
    }, 2_000)
    handle.nak()
    return reply
  }

  /** Outputs and result.cbor of a run, without saying so. */
  async publishOutputs ({ jobId, outputPrefix }: JobMessage, run: string,
    changes: Partial<JobResult> = {}): Promise<string> {
    const table = Buffer.from('item_id,timestamp,mean\n')
    await this.store.putBytes(outputKey(outputPrefix, run, 'forecast.csv'), table)
    const result: JobResult = {
      v: messageVersion,
      jobId,
      run,
      code: null,
      error: null,
      files: [{ name: 'forecast.csv', contentType: 'text/csv', bytes: table.length, sha256: 'x' }],
      numItems: 2,
      datasetHash: 'd',
      timings: { fit: 0.001 },
      warnings: [],
      ...changes
    }
    const bytes = encodeResult(result)
    await this.store.putBytes(resultKey(outputPrefix, run), bytes)
    return createHash('sha256').update(bytes).digest('hex')
  }

  async announceEnd ({ jobId, tenant }: JobMessage, run: string, resultSha256: string | null,
    code: JobResult['code'] = null): Promise<void> {
    await this.worker.publishEvent({
      v: messageVersion,
      jobId,
      tenant,
      run,
      code,
      resultSha256,
      error: code === null ? null : 'it failed'
    })
  }

  async ended (jobId: string): Promise<JobRecord> {
    return await until('the job ends', () => {
      const record = this.jobs.get(tenant, jobId)
      return record !== undefined && (record.status === 'completed' || record.status === 'failed') ? record : undefined
    })
  }

  async objects (jobId: string): Promise<string[]> {
    const keys: string[] = []
    for await (const { key } of this.store.list(jobPrefix(tenant, jobId))) keys.push(key)
    return keys
  }
}
