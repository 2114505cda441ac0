import { readFileSync, readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { startFaultProxy, type FaultProxy } from '../support/fault-proxy.ts'
import { openJobsStream } from '../support/jobs-stream.ts'
import { holdSlot, oneSlot } from '../support/long-job.ts'
import { signal } from '../support/processes.ts'
import { openProviderServer } from '../support/provider-server.ts'
import { startS3, whyNoS3 } from '../support/s3.ts'
import { Client, panelCsv, startService, type Job, type TestService } from '../support/service.ts'
import { TenantStore } from '../support/tenant-store.ts'
import { until } from '../support/until.ts'

/* A job that is deleted ends within two seconds wherever it is, and whatever it waits for. */

const limitMs = 2_000
const fields = { prediction_length: '6', presets: 'fast' }
const small = panelCsv(3, 40)
/** Long enough ago for prices to be there. */
const hourly = 'item_id,timestamp,target\n' +
  Array.from({ length: 240 }, (_, hour) => `a,${new Date(Date.UTC(2025, 0, 1, hour)).toISOString()},${hour % 24}\n`)
    .join('')

/** Names of what runs, deliveries and conversions have on disk. */
function scratch ({ folder }: TestService): string[] {
  const root = join(folder, 'data', 'scratch')
  return readdirSync(root).flatMap((worker) => readdirSync(join(root, worker)))
}

/** Ticks of the processor that the slots have used. */
function slotTicks (service: TestService): Map<number, number> {
  return new Map(service.pids('slot').map((pid) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [user, system] = stat.slice(stat.lastIndexOf(')') + 2).split(' ').slice(11, 13).map(Number)
    return [pid, (user ?? 0) + (system ?? 0)]
  }))
}

async function isCalm (service: TestService): Promise<boolean> {
  const before = slotTicks(service)
  await sleep(100)
  // A computing slot uses up to ten ticks meanwhile.
  return [...slotTicks(service)].every(([pid, ticks]) => before.has(pid) && ticks - before.get(pid)! <= 3)
}

t.test('deletion', { skip: whyNoS3('minio') }, async (t) => {
  const s3 = await startS3(t)
  for (const bucket of ['forecasts', 'customer']) await s3.createBucket(bucket)
  const proxy = await startFaultProxy(t, s3.endpoint)
  const provider = await openProviderServer(t, () => undefined)
  const providers = join(t.testdir({}), 'providers.json')
  await writeFile(providers, JSON.stringify({
    providers: [{ id: 'prices', type: 'energy_charts', base_url: provider.url, timeout_ms: 60_000 }]
  }))
  const service = await startService({
    ...oneSlot,
    ...s3.settings('forecasts', { TABCAST_S3_ENDPOINT: proxy.endpoint }),
    TABCAST_COVARIATES_FILE: providers,
    TABCAST_CONNECTOR_ALLOW_CIDRS: '127.0.0.0/8',
    TABCAST_WORKERS: '1',
    TABCAST_RATE_LIMITS: 'false'
  })
  t.teardown(() => service.cleanup())
  const client = new Client(service.baseUrl, await service.createKey('acme'))
  const jobMessages = await openJobsStream(t, service)

  /** Deletes the job, and measures how long anything of it goes on. */
  async function expectEnd (t: Test, jobId: string): Promise<void> {
    const startMs = performance.now()
    t.equal((await client.request('DELETE', `/jobs/${jobId}`)).status, 204)
    await until('its message is acknowledged, and nothing of it is on disk',
      async () => await jobMessages() === 0 && scratch(service).length === 0)
    const endMs = performance.now() - startMs
    t.ok(endMs < limitMs, `ended after ${Math.round(endMs)} ms`)
    await until('no slot computes', async () => await isCalm(service))
    t.ok(performance.now() - startMs < limitMs + 500, 'a slot that was killed has been replaced, or nearly')
    proxy.heal()
    t.match(await client.ended((await client.submitted(small, fields)).job_id), { status: 'completed' },
      'the slot is free')
    await until('nothing is under way', async () => await jobMessages() === 0 && scratch(service).length === 0)
  }

  /** A request of the job meets a server that says nothing. */
  const silence = (faulty: FaultProxy, part: string, method: 'GET' | 'PUT'): void => {
    faulty.inject({ kind: 'silent' },
      (request: IncomingMessage) => request.method === method && request.url?.includes(part) === true)
  }

  await t.test('while it waits in the queue', async (t) => {
    const holder = await holdSlot(t, client)
    const { job_id: id } = await client.submitted(small, fields)
    await until('its message', async () => await jobMessages() === 2)
    const startMs = performance.now()
    t.equal((await client.request('DELETE', `/jobs/${id}`)).status, 204)
    await until('its message is gone', async () => await jobMessages() === 1)
    t.ok(performance.now() - startMs < limitMs)
    await expectEnd(t, holder.job_id)
  })

  await t.test('while it computes', async (t) => {
    await expectEnd(t, (await holdSlot(t, client)).job_id)
  })

  await t.test('while its slot is stopped', async (t) => {
    const { job_id: id } = await holdSlot(t, client)
    const ticks = await until('a slot that computes', () => [...slotTicks(service)].find(([, used]) => used > 100))
    signal(ticks[0], 'SIGSTOP')
    await expectEnd(t, id)
  })

  await t.test('while its input is fetched', async (t) => {
    const holder = await holdSlot(t, client)
    const { job_id: id } = await client.submitted(small, fields)
    silence(proxy, `${id}/input`, 'GET')
    t.equal((await client.request('DELETE', `/jobs/${holder.job_id}`)).status, 204)
    await until('the store is asked for the input', () => proxy.faults > 0)
    await expectEnd(t, id)
  })

  await t.test('while a provider of covariates is asked', async (t) => {
    const external = { electricity: { enabled: true, bidding_zone: 'DE-LU' } }
    const { job_id: id } = await client.submitted(hourly, { ...fields, external_covariates: JSON.stringify(external) })
    await until('the provider is asked', () => provider.asked.length > 0)
    await expectEnd(t, id)
  })

  await t.test('while its result is stored', async (t) => {
    silence(proxy, 'forecast.parquet', 'PUT')
    const faults = proxy.faults
    const { job_id: id } = await client.submitted(small, fields)
    await until('the result is sent', () => proxy.faults > faults)
    await expectEnd(t, id)
    const left = await s3.client.listObjectsV2Query('forecasts', `acme/${id}/`, '', '', 10, '')
    t.strictSame(left.objects.map(({ name }) => name), [])
  })

  await t.test("while its table is written to a customer's store", async (t) => {
    const theirs = await startFaultProxy(t, s3.endpoint)
    const tenant = new TenantStore(client, s3, theirs.endpoint)
    await s3.client.putObject('customer', 'history/data.csv', small)
    const connection = await tenant.connect({ bucket: 'customer', prefix: 'history/' })
    silence(theirs, 'service-forecasts', 'PUT')
    const { job_id: id } = await tenant.post<Job>(`/data-connections/${connection}/forecast`, {
      prediction_length: 3,
      presets: 'fast',
      output: {}
    })
    await until('the table is sent', () => theirs.faults > 0)
    t.ok(scratch(service).some((name) => name.startsWith('deliver-')))
    await expectEnd(t, id)
    t.strictSame(await tenant.keys('customer', 'service-forecasts/'), [])
    t.notMatch(service.log(), /could not be made or noted/, 'nobody tries again')
  })
})
