import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join, resolve } from 'node:path'
import t, { type Test } from 'tap'
import { launcher } from '../support/command.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { startS3, whyNoS3, type TestS3 } from '../support/s3.ts'
import { Client, panelCsv, startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/* Workers that share nothing but the queue and a bucket. */

const settings = {
  TABCAST_WORKERS: '1',
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

/** A worker of another host: its own data folder, the address of the queue, the bucket. */
async function startHost (t: Test, service: TestService, s3: Record<string, string>): Promise<{ log: () => string }> {
  const { port, token } = JSON.parse(readFileSync(join(service.folder, 'data', 'nats', 'server.json'), 'utf8')) as {
    port: number
    token: string
  }
  const folder = t.testdir({})
  mkdirSync(join(folder, 'data'))
  const [program, ...first] = launcher
  const worker = spawn(program, [...first, process.execPath, resolve('dist/cli.js'), 'worker'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      ...{ ...settings, ...s3, TABCAST_DATA_DIR: join(folder, 'data') },
      ...{ TABCAST_NATS_URL: `nats://127.0.0.1:${port}`, TABCAST_NATS_TOKEN: token }
    }
  })
  let log = ''
  worker.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text
  })
  const ended = new Promise((resolve) => worker.once('exit', resolve))
  t.teardown(async () => {
    worker.kill('SIGKILL')
    await ended
  })
  await until('the worker of the other host', () => log.includes('worker started'))
  return { log: () => log }
}

async function keysOf (s3: TestS3): Promise<string[]> {
  const { objects } = await s3.client.listObjectsV2Query('forecasts', '', '', '', 1000, '')
  return objects.map(({ name }) => name ?? '')
}

await t.test('workers of two hosts, a queue and a bucket', { skip: whyNoS3('minio') }, async (t) => {
  const s3 = await startS3(t)
  await s3.createBucket('forecasts')
  const proxy = await startFaultProxy(t, s3.endpoint)
  const ofStore = s3.settings('forecasts', { TABCAST_S3_ENDPOINT: proxy.endpoint })
  const service = await startService({ ...settings, ...ofStore })
  t.teardown(() => service.cleanup())
  const client = new Client(service.baseUrl, await service.createKey('acme'))
  const run = async (): Promise<string> => {
    const job = await client.ended((await client.submitted(panel, fields)).job_id)
    t.equal(job.status, 'completed', job.error ?? '')
    return await client.table(job.job_id)
  }
  const alone = await run()
  t.notOk(service.log().includes('forecast in shards'), 'with one slot it is computed in one piece')

  const host = await startHost(t, service, ofStore)
  await until('the api to see both', async () => {
    const answer = await client.request('GET', '/health')
    return answer.ok && host.log().includes('queue connected')
  })
  await t.test('both compute shards, with the same bytes', async (t) => {
    await until('a job in shards', async () => {
      t.equal(await run(), alone)
      return /part of a shard stored/.test(service.log() + host.log())
    }, 120_000)
    await until('nothing left', async () => !(await keysOf(s3)).some((key) => key.includes('/shards/')))
  })

  await t.test('the store is away while shards are computed', async (t) => {
    const { job_id: id } = await client.submitted(panel, fields)
    await until('a part', async () => (await keysOf(s3)).some((key) => key.endsWith('part.cbor')))
    await s3.stop()
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    await s3.restart()
    t.match(await client.ended(id), { status: 'completed', attempt: 1 })
    t.equal(await client.table(id), alone)
    await until('nothing left', async () => !(await keysOf(s3)).some((key) => key.includes('/shards/')))
  })

  await t.test('a job is deleted while both compute its shards', async (t) => {
    const { job_id: id } = await client.submitted(panel, fields)
    await until('a part', async () => (await keysOf(s3)).some((key) => key.includes(id) && key.endsWith('part.cbor')))
    t.equal((await client.request('DELETE', `/jobs/${id}`)).status, 204)
    const left = async () => (await keysOf(s3)).filter((key) => key.includes(id))
    await until('nothing left', async () => (await left()).length === 0)
    t.equal(await run(), alone, 'the next job is unaffected')
    t.strictSame(await left(), [], 'and nothing comes back')
  })

  await t.test('a store that writes a key twice: no other worker gets a shard', async (t) => {
    let writes = 0
    const isSecond = ({ method, url = '' }: IncomingMessage): boolean =>
      method === 'PUT' && url.includes('/shards/plan.bin') && writes++ > 0
    proxy.inject({ kind: 'status', status: 200, headers: { etag: '"0"' } }, isSecond)
    t.equal(await run(), alone)
    t.ok(proxy.faults > 0)
    t.match(service.log() + host.log(), /TABCAST_SHARDS: the object store ignores If-None-Match/)
    proxy.heal()
  })
})
