import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { connectedJobs } from '../support/connected-jobs.ts'
import type { StoreAddress } from '../support/connector.ts'
import { endlessFailure, startDrippingStore, startHostileStore } from '../support/hostile-store.ts'
import { childrenOf, signal } from '../support/processes.ts'
import { Client, panelCsv, startService, type Job } from '../support/service.ts'
import { until } from '../support/until.ts'

/* A customer's store that sends, or takes, as slowly as it may. */

const entry =
  '<Contents><Key>d/data.csv</Key><LastModified>2026-01-01T00:00:00Z</LastModified><ETag>"e"</ETag><Size>100000000</Size></Contents>'

t.test("jobs that read a slow source hold no slot: another tenant's large job completes beside them", async (t) => {
  // Fast enough to be no time-out, for as long as the test takes.
  const block = 's1,2020-01-01,1\n'.repeat(2_000)
  const slow = await startHostileStore(t, ({ url }, response) => {
    if (url?.includes('list-type')) {
      return response.end(`<ListBucketResult><IsTruncated>false</IsTruncated>${entry}</ListBucketResult>`)
    }
    response.writeHead(200, { etag: '"e"', 'content-length': '100000000' }).write('item_id,timestamp,target\n')
    const timer = setInterval(() => response.write(block), 500)
    response.on('close', () => clearInterval(timer))
  })
  const service = await startService({
    TABCAST_CONNECTOR_ALLOW_CIDRS: '127.0.0.0/8',
    TABCAST_SLOTS: '2',
    TABCAST_SLOT_THREADS: '1',
    TABCAST_WORKERS: '1',
    TABCAST_DRAIN_MS: '500'
  })
  t.teardown(service.cleanup)
  const evil = new Client(service.baseUrl, await service.createKey('evil'))
  const good = new Client(service.baseUrl, await service.createKey('good'))
  const start = await connectedJobs(evil, slow, 'd/data.csv')
  const jobs: Job[] = []
  for (let job = 0; job < 6; job++) jobs.push(await start())
  await until('sources that are read',
    () =>
      slow.requests.filter((request) => request.includes('/d/data.csv') && !request.includes('list-type')).length >= 3,
    60_000)
  const { job_id: jobId } = await good.submitted(panelCsv(150, 120), { prediction_length: '12', presets: 'balanced' })
  t.match(await good.ended(jobId), { status: 'completed' })
  const states = await Promise.all(jobs.map(async (job) => (await evil.job(job.job_id)).status))
  t.strictSame(states.sort(), ['pending', 'pending', 'pending', 'running', 'running', 'running'],
    'and a tenant has so many under way')
  for (const job of jobs) t.equal((await evil.request('DELETE', `/jobs/${job.job_id}`)).status, 204)
  await until('the store to be left alone', () => service.log().includes('run cancelled'))
})

t.test('a source whose store says neither ETag nor time is read, and its job says that nobody would notice a change', async (t) => {
  const data = Buffer.from(panelCsv(2, 36))
  let head = {}
  const store = await startHostileStore(t, ({ url }, response) => {
    if (url?.includes('list-type')) {
      const listed = entry.replace('<ETag>"e"</ETag>', '').replace('100000000', String(data.length))
      return response.end(`<ListBucketResult><IsTruncated>false</IsTruncated>${listed}</ListBucketResult>`)
    }
    response.writeHead(200, { ...head, 'content-length': String(data.length) }).end(data)
  })
  const service = await startService({ TABCAST_CONNECTOR_ALLOW_CIDRS: '127.0.0.0/8', TABCAST_DRAIN_MS: '500' })
  t.teardown(service.cleanup)
  const client = new Client(service.baseUrl, await service.createKey('acme'))
  const start = await connectedJobs(client, store, 'd/data.csv')
  const warnings = async (): Promise<unknown[]> => {
    const job = await client.ended((await start()).job_id) as unknown as { status: string, warnings: object[] }
    t.equal(job.status, 'completed')
    return job.warnings.filter((warning) => (warning as { code: string }).code === 'source_unpinned')
  }
  t.match(await warnings(), [{
    code: 'source_unpinned',
    message: /neither ETag nor Last-Modified of 1 object/,
    count: 1
  }])
  head = { 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT' }
  t.strictSame(await warnings(), [])
})

t.test('a job whose store answers without content, only with hints, or drips a refusal, fails at its first request', async (t) => {
  const empty = await startHostileStore(t, (_request, response) => response.writeHead(204).end())
  const hinting = await startHostileStore(t, (_request, response) => {
    for (let hint = 0; hint < 20; hint++) response.writeEarlyHints({ link: '</a>; rel=preload' })
  })
  const dripping = { ...empty, endpoint: await startDrippingStore(t, ...endlessFailure(403)) }
  const service = await startService({
    TABCAST_CONNECTOR_ALLOW_CIDRS: '127.0.0.0/8',
    TABCAST_CONNECTOR_TIMEOUT_MS: '500',
    TABCAST_DRAIN_MS: '500'
  })
  t.teardown(service.cleanup)
  const client = new Client(service.baseUrl, await service.createKey('acme'))
  const end = async (store: StoreAddress): Promise<Job> =>
    await client.ended((await (await connectedJobs(client, store, 'd/data.csv'))()).job_id)
  for (const store of [empty, hinting]) {
    t.match(await end(store), {
      status: 'failed',
      error_code: 'connector_error',
      connector_code: 'INVALID_CONFIGURATION'
    })
    t.equal(store.requests.length, 1)
  }
  t.match(await end(dripping), { status: 'failed', connector_code: 'AUTHORIZATION_FAILED' })
})

t.test('a tenant pays for what the listing of a job costs the worker, and nobody else does', async (t) => {
  // Nothing on the pages lies below the prefix.
  const pages = 100
  const owner = '<Owner><ID>a</ID><DisplayName>b</DisplayName></Owner><StorageClass>STANDARD</StorageClass>'
  const body = entry.replace('d/data.csv', 'elsewhere').replace('</Contents>', `${owner}</Contents>`).repeat(1_000)
  let asked = 0
  const store = await startHostileStore(t, (_request, response) => {
    const isTruncated = ++asked % pages !== 0
    response.end(`<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${body}</ListBucketResult>`)
  })
  const service = await startService({
    TABCAST_CONNECTOR_ALLOW_CIDRS: '127.0.0.0/8',
    TABCAST_SYNC_CPU_MS_PER_MINUTE: '100',
    TABCAST_DRAIN_MS: '500'
  })
  t.teardown(service.cleanup)
  const jobsOf = async (tenant: string) => {
    const client = new Client(service.baseUrl, await service.createKey(tenant))
    return { client, start: await connectedJobs(client, store, 'd/') }
  }
  const [acme, other] = [await jobsOf('acme'), await jobsOf('other')]
  t.match(await acme.client.ended((await acme.start()).job_id), { connector_code: 'SOURCE_NOT_FOUND' })
  t.equal(asked, pages)
  await t.rejects(acme.start(), /answered 429: .*"reason":"cpu_time"/)
  t.equal((await other.start()).status, 'pending')
})

/**
 * Sends each object slowly until it is released. `most`: reads side by side since the last one that was asked for it.
 */
async function startSlowStore (t: Test, data: Buffer) {
  const reads = new Map<string, number>()
  const released = new Set<string>()
  const open = new Set<ServerResponse>()
  let most = 0
  const store = await startHostileStore(t, ({ url }, response) => {
    const { pathname, searchParams } = new URL(url ?? '', 'http://store')
    if (searchParams.has('list-type')) {
      const listed = entry.replace('d/data.csv', searchParams.get('prefix') ?? '').replace('100000000',
        String(data.length))
      return response.end(`<ListBucketResult><IsTruncated>false</IsTruncated>${listed}</ListBucketResult>`)
    }
    const key = pathname.replace('/bkt/', '')
    reads.set(key, (reads.get(key) ?? 0) + 1)
    most = Math.max(most, open.add(response).size)
    response.writeHead(200, { etag: '"e"', 'content-length': String(data.length) })
    let sent = 0
    const timer = setInterval(() => {
      const end = released.has(key) ? data.length : sent + 12 * 1024
      response.write(data.subarray(sent, end))
      sent = end
      if (sent < data.length) return
      clearInterval(timer)
      response.end()
    }, 500)
    response.on('close', () => {
      clearInterval(timer)
      open.delete(response)
    })
  })
  return {
    store,
    reads: (key: string) => reads.get(key) ?? 0,
    release: (key: string) => {
      released.add(key)
    },
    hold: (key: string) => {
      released.delete(key)
    },
    mostSince: () => {
      const before = most
      most = open.size
      return before
    }
  }
}

const twoSlots = {
  TABCAST_CONNECTOR_ALLOW_CIDRS: '127.0.0.0/8',
  TABCAST_SLOTS: '2',
  TABCAST_SLOT_THREADS: '1',
  TABCAST_WORKERS: '1',
  TABCAST_LEASE_MS: '2000',
  TABCAST_RECONCILE_MS: '300'
}

t.test('a job in quarantine that reads a slow source holds no slot, and computes when it has read it', async (t) => {
  const { store, reads, release } = await startSlowStore(t, Buffer.from(panelCsv(1_500, 100)))
  const service = await startService(twoSlots)
  t.teardown(service.cleanup)
  const slowly = new Client(service.baseUrl, await service.createKey('slowly'))
  const good = new Client(service.baseUrl, await service.createKey('good'))
  const { job_id: id } = await (await connectedJobs(slowly, store, 'd/data.csv'))()
  for (const lost of [1, 2]) {
    await until(`read ${lost}`, () => reads('d/data.csv') === lost, 60_000)
    for (const pid of service.pids('worker')) signal(pid, 'SIGKILL')
  }
  await until('it reads in a worker of its own',
    () => reads('d/data.csv') === 3 && service.log().includes('job runs in a worker of its own'), 60_000)
  const { job_id: beside } = await good.submitted(panelCsv(150, 120), { prediction_length: '12', presets: 'balanced' })
  t.match(await good.ended(beside), { status: 'completed' })
  t.match(await slowly.job(id), { status: 'running' })
  release('d/data.csv')
  t.match(await slowly.ended(id), { status: 'completed', attempt: 3 })
})

t.test('a job in quarantine that crashed when it had read its source waits for its turn to read it again', async (t) => {
  const { store, reads, release, hold, mostSince } = await startSlowStore(t, Buffer.from(panelCsv(1_500, 100)))
  const service = await startService(twoSlots)
  t.teardown(service.cleanup)
  const client = new Client(service.baseUrl, await service.createKey('acme'))
  const keys = ['d/one.csv', 'd/two.csv']
  const jobs = new Map<string, string>()
  for (const key of keys) {
    jobs.set(key, (await (await connectedJobs(client, store, key))({ presets: 'best', prediction_length: 12 })).job_id)
  }
  for (const lost of [1, 2]) {
    await until(`reads ${lost}`, () => keys.every((key) => reads(key) === lost), 60_000)
    for (const pid of service.pids('worker')) signal(pid, 'SIGKILL')
  }
  const lone = (): number[] =>
    service.pids('worker').flatMap((pid) => childrenOf(pid)).filter(({ command }) => command.includes('lone-worker'))
      .map(({ pid }) => pid)
  const first = await until('one of them reads in a worker of its own', () => keys.find((key) => reads(key) === 3),
    60_000)
  const second = keys.find((key) => key !== first) ?? ''
  const [pid = 0] = lone()
  release(first)
  await until('the other one reads', () => reads(second) === 3, 60_000)
  hold(first)
  mostSince()
  for (const slot of childrenOf(pid)) signal(slot.pid, 'SIGKILL')
  await until('the next attempt', async () => (await client.job(jobs.get(first) ?? ''))['attempt'] === 4, 60_000)
  await sleep(1_000)
  t.equal(reads(first), 3, 'it waits')
  release(second)
  await until('it reads again', () => reads(first) === 4, 60_000)
  t.equal(mostSince(), 1, 'one at a time')
  for (const id of jobs.values()) t.equal((await client.request('DELETE', `/jobs/${id}`)).status, 204)
  await until('they have ended', () => lone().length === 0)
})

t.test('two tenants whose stores hang while tables are written to them hold up no third', async (t) => {
  const data = panelCsv(2, 40)
  const listed = entry.replace('100000000', String(data.length))
  const isRead = ({ method, url }: IncomingMessage, response: ServerResponse): boolean => {
    if (method !== 'GET') return false
    if (url?.includes('list-type')) {
      response.end(`<ListBucketResult><IsTruncated>false</IsTruncated>${listed}</ListBucketResult>`)
    } else response.writeHead(200, { etag: '"e"', 'content-length': String(data.length) }).end(data)
    return true
  }
  let hanging = 0
  const hangs = await startHostileStore(t, (request, response) => {
    if (isRead(request, response)) return
    hanging++
    response.on('close', () => {
      hanging--
    })
  })
  const hangingThen: number[] = []
  const works = await startHostileStore(t, (request, response) => {
    if (isRead(request, response)) return
    if (request.method === 'HEAD') return response.writeHead(404).end()
    hangingThen.push(hanging)
    request.resume().on('end', () => response.writeHead(200, { etag: '"n"' }).end())
  })
  const service = await startService({
    TABCAST_CONNECTOR_ALLOW_CIDRS: '127.0.0.0/8',
    TABCAST_CONNECTOR_TIMEOUT_MS: '60000',
    TABCAST_DELIVERY_RETRY_SECONDS: Array(50).fill(0).join(','),
    TABCAST_SLOTS: '2',
    TABCAST_SLOT_THREADS: '1',
    TABCAST_WORKERS: '1'
  })
  t.teardown(service.cleanup)
  for (const tenant of ['one', 'two']) {
    const start = await connectedJobs(new Client(service.baseUrl, await service.createKey(tenant)), hangs, 'd/data.csv')
    for (let job = 0; job < 3; job++) await start({ output: {} })
  }
  await until('all lanes hang', () => hanging >= 4, 60_000)
  const good = new Client(service.baseUrl, await service.createKey('good'))
  const { job_id: id } = await (await connectedJobs(good, works, 'd/data.csv'))({ output: {} })
  await until('its table is written', async () => (await good.job(id))['delivery_status'] === 'delivered', 60_000)
  t.strictSame(hangingThen, [4], 'while they hang')
})
