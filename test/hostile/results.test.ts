import { createHash } from 'node:crypto'
import { join } from 'node:path'
import t from 'tap'
import { holdDataFolder } from '../../src/commands/data-folder.ts'
import { dataPaths, loadConfig } from '../../src/platform/config.ts'
import { jobPrefix, outputKey } from '../../src/platform/store/keys.ts'
import { openStore } from '../../src/platform/store/open-store.ts'
import type { JobRecord } from '../../src/services/jobs/job-record.ts'
import { csv, series } from '../support/csv.ts'
import { expectError, suggestionOf } from '../support/expect-error.ts'
import { expectHealthy, objectsOf, spooled } from '../support/leftovers.ts'
import { holdSlot, oneSlot } from '../support/long-job.ts'
import { Client, startService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { readZip } from '../support/zip.ts'

/* Results and queues at their edges: items 60 and 62 of the bad inputs. */
const service = await startService({ TABCAST_RATE_LIMITS: 'false' })
t.teardown(service.cleanup)
const client = new Client(service.baseUrl, await service.createKey('acme'))
const capacity = 3
const config = loadConfig({ TABCAST_DATA_DIR: join(service.folder, 'data') })

/** Gives a completed job one more result file, as a release with artefacts writes them. The service must not run. */
async function addArtefact (jobId: string, name: string, text: string): Promise<void> {
  const folder = await holdDataFolder(config)
  try {
    const jobs = folder.metadata.table<JobRecord>('jobs')
    const found = jobs.get(['acme', jobId])
    if (found?.value.winner == null) throw new Error(`${jobId} has no result`)
    const { value: record, revision } = found
    const store = await openStore({
      driver: 'local',
      root: dataPaths(config).objects,
      signingSecret: folder.secrets.urlKey
    })
    const bytes = Buffer.from(text)
    await store.putBytes(outputKey(jobPrefix('acme', jobId), record.winner ?? '', name), bytes)
    const file = {
      name,
      contentType: 'text/csv',
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex')
    }
    const isWritten = await folder.metadata.transact((tx) =>
      tx.putIfRevision(jobs, ['acme', jobId], { ...record, files: [...record.files, file] }, revision)
    )
    if (!isWritten) throw new Error(`${jobId} was changed meanwhile`)
  } finally {
    await folder.release()
  }
}

t.test('60: presign on a result of several files is a 400 naming zip, and no format at all is the zip', async (t) => {
  const { job_id: jobId } = await client.submitted(csv(series()), { prediction_length: '3', presets: 'fast' })
  t.equal((await client.ended(jobId)).status, 'completed')
  const table = await client.table(jobId)
  await service.stop()
  await addArtefact(jobId, 'shap_values.csv', 'feature,value\nlag_1,0.5\n')
  // What the next test needs already.
  await service.restart({ TABCAST_MAX_QUEUED: String(capacity), ...oneSlot })

  const envelope = await expectError(t, await client.request('GET', `/jobs/${jobId}/download?format=presign`), 400,
    'validation_error')
  t.match(JSON.stringify(envelope.detail), /zip/)
  t.match(suggestionOf(envelope), /zip/)

  const answers = await Promise.all(
    ['', '?format=zip'].map(async (format) => await client.request('GET', `/jobs/${jobId}/download${format}`))
  )
  for (const answer of answers) {
    t.equal(answer.status, 200)
    t.match(answer.headers.get('content-type') ?? '', /^application\/zip/)
    t.match(answer.headers.get('content-disposition') ?? '', `results_${jobId}.zip`)
    const entries = readZip(Buffer.from(await answer.arrayBuffer()))
    t.equal(entries.get('shap_values.csv')?.toString(), 'feature,value\nlag_1,0.5\n')
    t.equal(entries.get('forecast.csv')?.toString(), table)
  }
  t.equal(await client.table(jobId), table, 'csv is still the table')
  t.equal((await client.request('GET', `/jobs/${jobId}/download?format=parquet`)).status, 200)
})

t.test('62: a queue at its capacity answers 503 server_overloaded and stores nothing', async (t) => {
  const long = await holdSlot(t, client)

  const small = csv(series())
  const waiting = await Promise.all(Array.from({ length: capacity }, async () => await client.submitted(small)))
  const before = await objectsOf(service, 'acme')
  const refused = await Promise.all(Array.from({ length: 10 }, async () => await client.submit(small)))
  for (const answer of refused) await expectError(t, answer, 503, 'server_overloaded')
  t.strictSame(await objectsOf(service, 'acme'), before, 'no object more')
  await until('an empty spool', async () => (await spooled(service)).length === 0)
  t.equal((await client.job(long.job_id)).status, 'running', 'the slot was held all the time')
  await expectHealthy(t, service)
  t.equal((await client.request('GET', '/jobs')).status, 200, 'reads go on')

  t.equal((await client.request('DELETE', `/jobs/${waiting[0]?.job_id}`)).status, 204)
  const taken = await client.submitted(small)
  await expectError(t, await client.submit(small), 503, 'server_overloaded')

  t.equal((await client.request('DELETE', `/jobs/${long.job_id}`)).status, 204)
  for (const { job_id: jobId } of [...waiting.slice(1), taken]) t.equal((await client.ended(jobId)).status, 'completed')
  t.strictSame(await objectsOf(service, 'acme', long.job_id), [], 'the long job left nothing')
})

t.test('62: the share of one tenant in the queue is bounded, and others are still served', async (t) => {
  await service.restart({ TABCAST_MAX_QUEUED_PER_TENANT: '1', ...oneSlot })
  const neighbour = new Client(service.baseUrl, await service.createKey('neighbour'))
  const long = await holdSlot(t, client)
  const small = csv(series())
  const { job_id: waiting } = await client.submitted(small)
  await expectError(t, await client.submit(small), 503, 'server_overloaded')
  const { job_id: others } = await neighbour.submitted(small)
  t.equal((await client.request('DELETE', `/jobs/${long.job_id}`)).status, 204)
  t.equal((await neighbour.ended(others)).status, 'completed')
  t.equal((await client.ended(waiting)).status, 'completed')
})

t.test('62: without a worker an upload is refused with 503 compute_unavailable, and reads go on', async (t) => {
  const { job_id: jobId } = await client.submitted(csv(series()), { prediction_length: '3', presets: 'fast' })
  t.equal((await client.ended(jobId)).status, 'completed')
  const before = await objectsOf(service, 'acme')
  for (const pid of service.pids('worker')) process.kill(pid, 'SIGSTOP')
  t.teardown(() => {
    for (const pid of service.pids('worker')) process.kill(pid, 'SIGCONT')
  })
  const state = await until('the worker to be missed', async () => {
    const health = await (await fetch(`${service.baseUrl}/health`)).json() as { status: string,
      checks: Record<string, string> }
    return health.status === 'degraded' ? health : undefined
  })
  t.not(state.checks['workers'], 'ok')
  await expectError(t, await client.submit(csv(series())), 503, 'compute_unavailable')
  t.strictSame(await objectsOf(service, 'acme'), before)
  t.equal((await client.job(jobId)).status, 'completed')
  t.equal((await client.request('GET', `/jobs/${jobId}/download?format=csv`)).status, 200)
  for (const pid of service.pids('worker')) process.kill(pid, 'SIGCONT')
  await until('the worker to be back',
    async () => (await (await fetch(`${service.baseUrl}/health`)).json() as { status: string }).status === 'ok')
  t.equal((await client.submitted(csv(series()))).status, 'pending')
})
