import type { IncomingMessage } from 'node:http'
import t from 'tap'
import { findFreePort } from '../../src/commands/demo/private-service.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { openNetwork, type Host } from '../support/hosts.ts'
import { setup as setupNats } from '../support/nats.ts'
import { parsePrometheus, valueOf } from '../support/prometheus-text.ts'
import { startS3, whyNoS3, type TestS3 } from '../support/s3.ts'
import { Client, panelCsv, startService } from '../support/service.ts'
import { until } from '../support/until.ts'

/* Three hosts with a worker each, which share nothing but a queue and a bucket. */

const settings = {
  TABCAST_SLOTS: '1',
  TABCAST_SLOT_THREADS: '1',
  TABCAST_SHARD_SECONDS: '0.005',
  TABCAST_LEASE_MS: '3000',
  TABCAST_HEARTBEAT_MS: '300',
  TABCAST_RATE_LIMITS: 'false'
}
/** Jobs with analyses are large, whatever they cost. */
const fields = {
  prediction_length: '12',
  presets: 'fast',
  explainability: '{"enabled":true,"feature_importance":true}'
}
const panel = panelCsv(400, 120)

async function keysOf (s3: TestS3): Promise<string[]> {
  const { objects } = await s3.client.listObjectsV2Query('forecasts', '', '', '', 1000, '')
  return objects.map(({ name }) => name ?? '')
}

/** Whether a line of the host's log is about the job. */
function says (host: Host, text: string, jobId = ''): boolean {
  return host.log().split('\n').some((line) => line.includes(text) && line.includes(jobId))
}

await t.test('three hosts, a queue and a bucket', { skip: whyNoS3('minio') }, async (t) => {
  const s3 = await startS3(t)
  await s3.createBucket('forecasts')
  const proxy = await startFaultProxy(t, s3.endpoint)
  const nats = await setupNats()
  t.teardown(nats.cleanup)
  const { server: { url, token } } = nats
  const ofStore = s3.settings('forecasts', { TABCAST_S3_ENDPOINT: proxy.endpoint })
  const network = await openNetwork(t, { port: Number(new URL(url).port), token }, Number(new URL(proxy.endpoint).port),
    { ...settings, ...ofStore })
  let hosts = [await network.startHost()]
  if (!hosts[0]!.isSeparate) {
    t.comment('NOT SEPARATE: this machine allows no network namespaces, so the hosts have folders of their own only')
  }
  const metricsPort = await findFreePort()
  const service = await startService({
    ...settings,
    ...ofStore,
    TABCAST_WORKERS: '0',
    TABCAST_NATS_URL: url,
    TABCAST_NATS_TOKEN: token,
    TABCAST_METRICS_PORT: String(metricsPort)
  })
  t.teardown(() => service.cleanup())
  const client = new Client(service.baseUrl, await service.createKey('acme'))
  const run = async (): Promise<{ id: string, table: string }> => {
    const { job_id: id } = await client.submitted(panel, fields)
    t.match(await client.ended(id), { status: 'completed', error: null })
    return { id, table: await client.table(id) }
  }
  const metric = async (name: string, labels: Record<string, string>): Promise<number> => {
    const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
    return Number(valueOf(parsePrometheus(await answer.text()), name, labels))
  }
  const workers = async (count: number): Promise<void> => {
    await until(`${count} workers`, async () => await metric('tabcast_workers', { state: 'available' }) === count)
  }
  const nothingLeft = async (): Promise<void> => {
    await until('nothing left', async () => !(await keysOf(s3)).some((key) => key.includes('/shards/')))
  }
  const partOf = async (id: string): Promise<void> => {
    await until('a part', async () => (await keysOf(s3)).some((key) => key.includes(id) && key.endsWith('part.cbor')))
  }
  /** The host whose worker has the job, and one that helps it. */
  const rolesOf = async (id: string): Promise<{ coordinator: Host, helper: Host }> =>
    await until('a helper', () => {
      const coordinator = hosts.find((host) => says(host, 'forecast in shards', id))
      const helper = hosts.find((host) => host !== coordinator && says(host, 'part of a shard stored', id))
      return coordinator && helper && { coordinator, helper }
    })

  const { table: alone } = await run()
  t.notOk(says(hosts[0]!, 'forecast in shards'), 'with one slot it is computed in one piece')
  hosts.push(await network.startHost(), await network.startHost())
  await workers(3)

  await t.test('all three compute shards of one job, with the same bytes', async (t) => {
    await until('such a job', async () => {
      const { id, table } = await run()
      t.equal(table, alone)
      return hosts.every((host) => says(host, 'forecast in shards', id) || says(host, 'part of a shard stored', id))
    }, 120_000)
    await nothingLeft()
    await until('no shard in the queue', async () => await metric('tabcast_shards', { state: 'waiting' }) === 0)
    t.equal(await metric('tabcast_shards', { state: 'taken' }), 0)
  })

  await t.test('a host that helps is lost', async (t) => {
    const { job_id: id } = await client.submitted(panel, fields)
    const { helper } = await rolesOf(id)
    await helper.kill()
    t.match(await client.ended(id), { status: 'completed', attempt: 1 })
    t.equal(await client.table(id), alone)
    await nothingLeft()
    hosts = [...hosts.filter((host) => host !== helper), await network.startHost()]
    await workers(3)
  })

  await t.test('the host that has the job is lost, and another one goes on', async (t) => {
    const { job_id: id } = await client.submitted(panel, fields)
    const { coordinator } = await rolesOf(id)
    await coordinator.kill()
    hosts = hosts.filter((host) => host !== coordinator)
    t.match(await client.ended(id), { status: 'completed' })
    t.equal(await client.table(id), alone)
    await nothingLeft()
    hosts.push(await network.startHost())
    await workers(3)
  })

  await t.test('a host is taken away for maintenance while it helps', async (t) => {
    const { job_id: id } = await client.submitted(panel, fields)
    const { helper } = await rolesOf(id)
    t.equal(await helper.stop(), 0)
    t.ok(says(helper, 'worker stopped'))
    t.match(await client.ended(id), { status: 'completed', attempt: 1 })
    t.equal(await client.table(id), alone)
    hosts = [...hosts.filter((host) => host !== helper), await network.startHost()]
    await workers(3)
  })

  await t.test('the store is away while shards are computed', async (t) => {
    const { job_id: id } = await client.submitted(panel, fields)
    await partOf(id)
    await s3.stop()
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    await s3.restart()
    t.match(await client.ended(id), { status: 'completed', attempt: 1 })
    t.equal(await client.table(id), alone)
    await nothingLeft()
  })

  await t.test('a job is deleted while they compute its shards', async (t) => {
    const { job_id: id } = await client.submitted(panel, fields)
    await partOf(id)
    t.equal((await client.request('DELETE', `/jobs/${id}`)).status, 204)
    const left = async () => (await keysOf(s3)).filter((key) => key.includes(id))
    await until('nothing left', async () => (await left()).length === 0)
    t.equal((await run()).table, alone, 'the next job is unaffected')
    t.strictSame(await left(), [], 'and nothing comes back')
  })

  await t.test('a store that writes a key twice: no other worker gets a shard', async (t) => {
    let writes = 0
    const isSecond = ({ method, url = '' }: IncomingMessage): boolean =>
      method === 'PUT' && url.includes('/shards/plan.bin') && writes++ > 0
    proxy.inject({ kind: 'status', status: 200, headers: { etag: '"0"' } }, isSecond)
    t.equal((await run()).table, alone)
    t.ok(proxy.faults > 0)
    t.ok(hosts.some((host) => says(host, 'TABCAST_SHARDS: the object store ignores If-None-Match, so no other worker')))
    proxy.heal()
  })

  await t.test('a worker that starts without such a store computes no shards', async (t) => {
    for (const host of hosts.splice(1)) await host.stop()
    let writes = 0
    const isSecond = ({ method, url = '' }: IncomingMessage): boolean =>
      method === 'PUT' && url.includes('/doctor/') && writes++ > 0
    proxy.inject({ kind: 'status', status: 200, headers: { etag: '"0"' } }, isSecond)
    const host = await network.startHost()
    await until('it says so',
      () => says(host, 'TABCAST_SHARDS: the object store ignores If-None-Match, so this worker'))
    proxy.heal()
    await workers(2)
    const { id, table } = await run()
    t.equal(table, alone)
    t.notOk([...hosts, host].some((one) => says(one, 'forecast in shards', id)), 'one worker alone cannot share')
    await host.stop()
  })

  await t.test('a worker that starts while the store is away computes shards later', async (t) => {
    proxy.inject({ kind: 'reset' }, ({ url = '' }) => url.includes('/doctor/'))
    const host = await network.startHost()
    await until('it waits', () => says(host, 'no shards yet, because the object store cannot be tried'))
    proxy.heal()
    await until('it helps, or is helped', async () => {
      const { id, table } = await run()
      t.equal(table, alone)
      return says(host, 'forecast in shards', id) || says(host, 'part of a shard stored', id)
    }, 120_000)
    t.strictSame((await keysOf(s3)).filter((key) => key.startsWith('doctor/')), [], 'probes are deleted')
  })
})
