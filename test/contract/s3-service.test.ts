import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { recordTables } from '../../src/commands/record-tables.ts'
import { openMetadata } from '../../src/platform/metadata/open-metadata.ts'
import { openStore } from '../../src/platform/store/open-store.ts'
import { JobLedger } from '../../src/services/jobs/job-ledger.ts'
import { Sweeper } from '../../src/services/jobs/sweeper.ts'
import { launcher } from '../support/command.ts'
import { filesIn, spooled } from '../support/leftovers.ts'
import { holdSlot, oneSlot } from '../support/long-job.ts'
import { setup as setupNats } from '../support/nats.ts'
import { s3StoreConfig, startS3, whyNoS3, type TestS3 } from '../support/s3.ts'
import { Client, panelCsv, startService, type Job, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { zipEntries } from '../support/zip.ts'

/* The whole service with its objects in a bucket: everything a client does has the bytes that it has with a folder. */

const settings = { TABCAST_RATE_LIMITS: 'false', TABCAST_SWEEP_MS: '300', TABCAST_WORKERS: '1' }
const fields = { prediction_length: '12', presets: 'fast' }
const panel = panelCsv(4, 60)

async function open (t: Test, s3: TestS3, bucket: string,
  changes: Record<string, string> = {}
): Promise<{ service: TestService, client: Client, keys: () => Promise<string[]> }> {
  await s3.createBucket(bucket)
  const service = await startService({ ...settings, ...s3.settings(bucket), ...changes })
  t.teardown(service.cleanup)
  const keys = async () =>
    (await s3.client.listObjectsV2Query(bucket, '', '', '', 1000, '')).objects.map(({ name }) => name ?? '')
  return { service, client: new Client(service.baseUrl, await service.createKey('acme')), keys }
}

async function completed (client: Client): Promise<Job> {
  const job = await client.ended((await client.submitted(panel, fields)).job_id)
  if (job.status !== 'completed') throw new Error(`${job.error_code}: ${job.error}`)
  return job
}

async function bytesOf (answer: Response): Promise<Buffer> {
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`)
  return Buffer.from(await answer.arrayBuffer())
}

t.test('the service on S3', { skip: whyNoS3('minio') }, async (t) => {
  const s3 = await startS3(t)
  const local = await startService(settings)
  t.teardown(local.cleanup)
  const localClient = new Client(local.baseUrl, await local.createKey('acme'))
  const expected = await localClient.table((await completed(localClient)).job_id)
  const { service, client, keys } = await open(t, s3, 'forecasts', oneSlot)

  await t.test('a forecast by upload is downloaded in every form, and gone from the bucket when it is deleted', async (t) => {
    const job = await completed(client)
    const path = `/jobs/${job.job_id}/download`
    t.equal((await keys()).length, 6, 'input, table in two formats, report as data and as a page, and result')
    t.ok((await keys()).every((key) => key.startsWith(`acme/${job.job_id}/`)))
    t.strictSame(await filesIn(`${service.folder}/data/objects`), [], 'nothing lies in the data folder')
    t.strictSame(await spooled(service), [])

    t.equal((await bytesOf(await client.request('GET', `${path}?format=csv`))).toString(), expected)
    const parquet = await bytesOf(await client.request('GET', `${path}?format=parquet`))
    t.equal(parquet.subarray(0, 4).toString(), 'PAR1')
    const entries = zipEntries(await bytesOf(await client.request('GET', `${path}?format=zip`)))
    t.strictSame(entries.map(({ name }) => name), ['forecast.csv', 'forecast.parquet', 'report.html', 'report.json'])

    for (const form of ['', '?format=presign']) {
      const redirect = await client.request('GET', path + form)
      t.equal(redirect.status, 307)
      const address = redirect.headers.get('location') ?? ''
      t.ok(address.startsWith(`${s3.endpoint}/forecasts/acme/${job.job_id}/`), 'the store itself serves it')
      t.notMatch(address, s3.secretAccessKey)
      const answer = await fetch(address)
      t.match(answer.headers.get('content-disposition'), `attachment; filename="forecast_${job.job_id}.csv"`)
      t.match(answer.headers.get('content-type'), 'text/csv')
      t.equal((await bytesOf(answer)).toString(), expected)
      t.equal(await fetch(address, { headers: { range: 'bytes=0-6' } }).then(async (part) => await part.text()),
        'item_id')
    }

    const address = (await client.request('GET', path)).headers.get('location') ?? ''
    t.equal((await client.request('DELETE', `/jobs/${job.job_id}`)).status, 204)
    t.equal((await fetch(address)).status, 404, 'a signed address that is still valid gives nothing')
    t.strictSame(await keys(), [])
  })

  await t.test('a CSV that is made at its first download has the same bytes', async (t) => {
    const { client, keys } = await open(t, s3, 'late-csv', { TABCAST_MAX_CSV_BYTES: '100' })
    const { job_id: id } = await completed(client)
    t.notOk((await keys()).some((key) => key.endsWith('.csv')))
    t.equal(await client.table(id), expected)
    t.ok((await keys()).some((key) => key.endsWith('/forecast.csv')))
    t.equal(await client.table(id), expected)
  })

  await t.test('expired jobs and refused uploads leave nothing in the bucket', async (t) => {
    const { client, keys } = await open(t, s3, 'retention', { TABCAST_JOB_RETENTION_SECONDS: '1' })
    await completed(client)
    t.equal((await client.submit('item_id,timestamp,target\na,not a date,1\n', fields)).status, 422)
    await until('an empty bucket', async () => (await keys()).length === 0)
  })

  await t.test("slot processes and the queue do not know the store's credentials, and no log has them", async (t) => {
    await holdSlot(t, client)
    const knows = (pid: number) => readFileSync(`/proc/${pid}/environ`, 'utf8').includes(s3.secretAccessKey)
    t.ok(service.pids('worker').every(knows), 'the worker needs them')
    for (const role of ['slot', 'nats'] as const) {
      t.ok(service.pids(role).length > 0)
      t.notOk(service.pids(role).some(knows), role)
    }
    await s3.stop()
    await client.submit(panel, fields)
    await sleep(500)
    await s3.restart()
    t.notMatch(service.log(), s3.secretAccessKey)
    t.notMatch(service.log(), 'X-Amz-Signature')
  })

  await t.test('the sweep of uploads whose record was never written finds them in the bucket', async (t) => {
    await until('an empty bucket', async () => (await keys()).length === 0)
    await completed(client)
    const kept = await keys()
    await s3.client.putObject('forecasts', 'acme/job_01JCZXW8000000000000000000/input', 'orphan')
    await service.stop()
    const metadata = await openMetadata({ path: `${service.folder}/data/metadata`, tables: recordTables })
    t.teardown(() => metadata.close())
    const ledger = new JobLedger(metadata, {
      attempts: { slotDeaths: 3, lostWorkers: 10 },
      retentionMs: () => 3_600_000,
      now: Date.now
    })
    const store = await openStore(s3StoreConfig(s3, 'forecasts'))
    const sweeper = new Sweeper({
      keptKey: () => undefined,
      ledger,
      store,
      onGone: async () => undefined,
      log: pino({ level: 'silent' })
    })
    await sweeper.sweepOrphans(3_600_000)
    t.equal((await keys()).length, kept.length + 1, 'a young one may be of an upload under way')
    // Servers give whole seconds, and theirs may be a little ahead.
    await sweeper.sweepOrphans(-5_000)
    t.strictSame(await keys(), kept)
  })

  await t.test('a worker with a data folder of its own runs jobs, because nothing of a job is on a shared disk', async (t) => {
    const nats = await setupNats()
    t.teardown(() => nats.cleanup())
    await s3.createBucket('scale-out')
    const shared = {
      ...settings,
      ...s3.settings('scale-out'),
      TABCAST_NATS_URL: nats.server.url,
      TABCAST_NATS_TOKEN: nats.server.token
    }
    const [program, ...args] = launcher
    const worker = spawn(program, [...args, process.execPath, 'dist/cli.js', 'worker'], {
      env: { PATH: process.env['PATH'], ...shared, TABCAST_DATA_DIR: t.testdir({}) },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc']
    })
    t.teardown(() => {
      worker.kill('SIGKILL')
    })
    const service = await startService({ ...shared, TABCAST_WORKERS: '0' })
    t.teardown(service.cleanup)
    const client = new Client(service.baseUrl, await service.createKey('acme'))
    t.strictSame(service.pids('worker'), [])
    t.equal(await client.table((await completed(client)).job_id), expected)
  })
})
