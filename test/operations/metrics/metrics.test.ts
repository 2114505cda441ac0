import { randomBytes } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import t from 'tap'
import { ulid } from 'ulid'
import { messageVersion } from '../../../src/domain/message-version.ts'
import { serveMetrics } from '../../../src/operations/metrics/metrics-server.ts'
import { watchShards } from '../../../src/operations/metrics/watch-shards.ts'
import { WorkerNumbers } from '../../../src/operations/metrics/worker-numbers.ts'
import { dataPaths } from '../../../src/platform/config.ts'
import { openApi, type ApiStage } from '../../support/api.ts'
import { form } from '../../support/form.ts'
import { parsePrometheus, seriesOf, valueOf } from '../../support/prometheus-text.ts'
import { until } from '../../support/until.ts'

const csv = 'item_id,timestamp,target\na,2024-01-01,1\na,2024-02-01,2\n'
const table = 'item_id,timestamp,mean\na,2024-03-01 00:00:00,3.0\n'

async function submit (stage: ApiStage, key = stage.key): Promise<string> {
  const { headers, payload } = form([['file', csv, 'a.csv']])
  const answer = await stage.app.inject({
    method: 'POST',
    url: '/forecast',
    headers: { ...headers, authorization: `Bearer ${key}` },
    payload
  })
  if (answer.statusCode !== 202) throw new Error(answer.payload)
  return (JSON.parse(answer.payload) as { job_id: string }).job_id
}

async function ended (stage: ApiStage, jobId: string, tenant = 'acme'): Promise<void> {
  await until('the job ends', () => stage.jobs.get(tenant, jobId)?.completedAtMs != null)
  // A moment after it is on disk.
  await until('ends are counted',
    async () => (parsePrometheus(await stage.metrics.text()).get('tabcast_jobs_ended_total')?.samples.length ?? 0) > 0)
}

t.test('with a quota, what is available ends with it', async (t) => {
  const stage = await openApi(t, { TABCAST_DATA_DIR_MAX_BYTES: String(8 * 2 ** 20) })
  const disk = async (kind: string) =>
    Number(valueOf(parsePrometheus(await stage.metrics.text()), 'tabcast_disk_bytes', { kind }))
  t.equal(await disk('size'), 8 * 2 ** 20)
  await stage.room.measure()
  const before = await disk('available')
  t.ok(before > 0 && before < 8 * 2 ** 20)
  await writeFile(join(stage.folder, 'other'), Buffer.alloc(9 * 2 ** 20))
  await stage.room.measure()
  t.equal(await disk('available'), 0)
  t.ok(await disk('free') > 0)
})

t.test('jobs, requests, workers, storage and the process', async (t) => {
  const stage = await openApi(t)
  const scrape = async () => parsePrometheus(await stage.metrics.text())
  const first = await submit(stage)
  await submit(stage)
  await writeFile(join(dataPaths(stage.config).spool, 'upload'), Buffer.alloc(1234))
  stage.worker.announce({
    v: messageVersion,
    workerId: 'w2',
    version: '0',
    slots: 4,
    freeAny: 1,
    freeSmall: 1,
    quick: 1,
    capabilities: ['forecast'],
    running: [{ jobId: 'job_1', run: 'r' }],
    draining: false,
    vitals: {
      residentBytes: 7,
      slotsResidentBytes: 8,
      providerRequests: [{ provider: 'weather "north"', outcome: 'answered', count: 3 }],
      eventLoop: {
        counts: [5, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1],
        sumSeconds: 61.5,
        pauses: { computing: 2, blocked: 0, no_core: 1 }
      }
    }
  })
  await until('both workers', () => stage.jobs.state().workers === 2)
  let metrics = await scrape()
  const value = (family: string, labels?: Record<string, string>, suffix?: string) =>
    valueOf(metrics, family, labels, suffix)
  t.equal(value('tabcast_jobs_created_total', { job_type: 'forecast' }), 2)
  t.equal(value('tabcast_jobs_waiting', { job_type: 'forecast' }), 2)
  t.ok(Number(value('tabcast_jobs_waiting_oldest_seconds', { job_type: 'forecast' })) > 0)
  t.equal(value('tabcast_spool_bytes'), 1234)
  t.equal(value('tabcast_workers', { state: 'available' }), 2)
  const w2 = metrics.get('tabcast_worker_slots')?.samples.find((sample) => sample.value === 4)?.labels['worker'] ?? ''
  t.match(w2, /^[12]$/, 'a worker is a small number')
  t.equal(value('tabcast_worker_slots_busy', { worker: w2 }), 2)
  t.equal(value('tabcast_worker_runs', { worker: w2 }), 1)
  t.equal(value('tabcast_worker_resident_memory_bytes', { worker: w2 }), 7)
  t.equal(value('tabcast_worker_slots_resident_memory_bytes', { worker: w2 }), 8)
  t.equal(value('tabcast_provider_requests_total', { worker: w2, provider: 'weather \\"north\\"' }), 3)
  for (const [le, count] of [['0.005', 5], ['0.2', 6], ['0.5', 7], ['60', 7], ['+Inf', 8]] as const) {
    t.equal(value('tabcast_worker_event_loop_delay_seconds', { worker: w2, le }, '_bucket'), count)
  }
  t.equal(value('tabcast_worker_event_loop_delay_seconds', { worker: w2 }, '_sum'), 61.5)
  t.equal(value('tabcast_worker_event_loop_pauses_total', { worker: w2, cause: 'computing' }), 2)
  t.equal(metrics.get('tabcast_worker_resident_memory_bytes')?.samples.length, 1,
    'a worker of an earlier build says nothing of its memory')

  await stage.finishNext({ 'forecast.csv': table })
  await stage.finishNext({}, { code: 'dataset_too_large', error: 'Too large.' })
  await ended(stage, first)
  await until('both ends', async () => valueOf(await scrape(), 'tabcast_jobs_ended_total', { outcome: 'failed' }) === 1)
  await until('the other worker is forgotten', () => stage.jobs.workers().length === 1)
  metrics = await scrape()
  t.equal(value('tabcast_jobs_ended_total', { job_type: 'forecast', outcome: 'completed', error_code: 'none' }), 1)
  t.equal(
    value('tabcast_jobs_ended_total', { job_type: 'forecast', outcome: 'failed', error_code: 'dataset_too_large' }),
    1
  )
  t.equal(value('tabcast_jobs_waiting', { job_type: 'forecast' }), 0)
  t.equal(value('tabcast_jobs_waiting_oldest_seconds', { job_type: 'forecast' }), 0)
  t.equal(value('tabcast_job_attempts_total', { job_type: 'forecast' }), 2)
  t.equal(value('tabcast_job_queue_seconds', { job_type: 'forecast' }, '_count'), 2)
  t.equal(value('tabcast_job_run_seconds', { job_type: 'forecast', outcome: 'completed' }, '_count'), 1)
  t.equal(value('tabcast_worker_slots', { worker: w2 }), undefined, 'a worker that is gone has no series')
  t.equal(
    value('tabcast_http_request_duration_seconds', { route: '/forecast', method: 'POST', status: '2xx' }, '_count'),
    2
  )
  t.equal(value('tabcast_http_requests_in_flight'), 0)
  t.equal(value('tabcast_build_info', { node: process.versions.node }), 1)
  for (const name of ['tabcast_lmdb_map_bytes', 'tabcast_lmdb_used_bytes', 'tabcast_lmdb_max_readers',
    'process_resident_memory_bytes', 'process_cpu_seconds_total', 'process_start_time_seconds']) {
    t.ok(Number(value(name)) > 0, name)
  }
  t.ok(Number(value('tabcast_lmdb_used_bytes')) <= Number(value('tabcast_lmdb_map_bytes')))
  t.ok(
    Number(value('tabcast_disk_bytes', { kind: 'available' })) <= Number(value('tabcast_disk_bytes', { kind: 'size' }))
  )
  t.ok(
    Number(value('tabcast_disk_bytes', { kind: 'available' })) <= Number(value('tabcast_disk_bytes', { kind: 'free' }))
  )
  t.equal(value('tabcast_event_loop_delay_seconds', {}, '_count'), 0)
  t.equal(value('tabcast_event_loop_pauses_total', { cause: 'computing' }), 0)

  const running = await submit(stage)
  const deletion = await submit(stage)
  await stage.jobs.delete('acme', deletion)
  await stage.jobs.delete('acme', running)
  t.equal(valueOf(await scrape(), 'tabcast_jobs_waiting', { job_type: 'forecast' }), 0,
    'a job that was deleted waits no more')

  await stage.silenceWorker()
  metrics = await scrape()
  t.equal(value('tabcast_workers', { state: 'available' }), 0)
  t.strictSame(metrics.get('tabcast_worker_slots')?.samples, [])
})

t.test('shards in the queue', async (t) => {
  const stage = await openApi(t)
  const shards = async (state: string) =>
    valueOf(parsePrometheus(await stage.metrics.text()), 'tabcast_shards', { state })
  await until('the stream', async () => await shards('waiting') === 0)
  const message = {
    ...{ v: messageVersion, jobId: 'job_1', tenant: 'acme', run: 'r', release: '0', attempt: 1 },
    ...{ plan: { prefix: 'p/', sha256: '' }, maxCsvBytes: 1, deadlineMs: 0, budgetMs: 1 }
  }
  for (const shard of [0, 1, 2]) await stage.worker.publishShard({ ...message, shard })
  t.equal(await shards('waiting'), 3)
  const taken = await stage.worker.nextShard(1_000)
  t.strictSame([await shards('waiting'), await shards('taken')], [2, 1])
  taken?.ack()
  await until('it is done', async () => await shards('taken') === 0)
})

t.test('while the queue is away, its figures are missing', async (t) => {
  const registry = new Registry()
  let isAway = false
  watchShards(registry, {
    async shardCounts () {
      if (isAway) throw new Error('away')
      return { waiting: 1, taken: 2 }
    }
  })
  t.match(await registry.metrics(), 'tabcast_shards{state="waiting"} 1\ntabcast_shards{state="taken"} 2')
  isAway = true
  t.notMatch(await registry.metrics(), 'tabcast_shards{')
})

t.test('no label takes a value that a caller or a tenant chooses', async (t) => {
  const stage = await openApi(t, { TABCAST_RATE_LIMITS: 'false' })
  const random = () => randomBytes(12).toString('hex')
  const round = async (tenant: string): Promise<void> => {
    const { key } = await stage.keys.create({ tenant, name: random() })
    const headers = { authorization: `Bearer ${key}`, 'x-request-id': random(), 'user-agent': random() }
    const get = (url: string, method: 'GET' | 'DELETE' | 'POST' | 'PATCH' = 'GET') =>
      stage.app.inject({ method, url, headers })
    const jobId = await submit(stage, key)
    await stage.finishNext({ 'forecast.csv': table })
    await ended(stage, jobId, tenant)
    await Promise.all([
      get(`/${random()}`),
      get(`/jobs/${random()}`),
      get(`/jobs/job_${ulid()}?wait=0`),
      get(`/jobs/${jobId}/artifacts/${random()}`),
      get(`/jobs/${jobId}`),
      get(`/jobs?limit=${random()}`),
      get(`/storage/objects/${random()}`, 'DELETE'),
      get(`/${random()}/${random()}?${random()}=${random()}`, 'POST'),
      get(`/docs/${random()}`),
      get(`/jobs/${jobId}`, 'PATCH')
    ])
    for (const method of ['PROPFIND', 'MKCOL']) {
      await stage.app.inject({ method: method as 'GET', url: `/${random()}`, headers })
    }
  }
  // Whether a run of these moments was timed depends on whether it was seen to begin.
  const series = async () =>
    seriesOf(parsePrometheus(await stage.metrics.text())).filter((name) => !name.startsWith('tabcast_job_run_seconds'))
  await round('acme')
  const before = await series()
  for (let again = 0; again < 10; again++) await round(`tenant-${random()}`)
  t.strictSame(await series(), before)
  const labels = JSON.stringify(before)
  for (const own of [/acme/, /job_[0-9A-Z]{26}/, /tbc_/, /req_/]) t.notMatch(labels, own)
})

t.test('the port of the metrics', async (t) => {
  const stage = await openApi(t)
  const server = await serveMetrics(stage.metrics, { port: 0, host: '127.0.0.1' }, {
    error: (facts: object) => t.fail(JSON.stringify(facts))
  })
  t.teardown(() => server.close())
  const url = `http://127.0.0.1:${server.port}`
  const answer = await fetch(`${url}/metrics`)
  t.equal(answer.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
  t.ok(parsePrometheus(await answer.text()).has('tabcast_workers'))
  t.equal((await fetch(`${url}/metrics?x=1`, { method: 'HEAD' })).status, 200)
  t.equal((await fetch(`${url}/jobs`)).status, 404)
  t.match(await fetch(`${url}/metrics`, { method: 'POST' }), {
    status: 405,
    headers: new Headers({ allow: 'GET, HEAD' })
  })
  await t.rejects(
    serveMetrics(stage.metrics, { port: server.port, host: '127.0.0.1' }, {
      error: (facts: object) => t.fail(JSON.stringify(facts))
    }),
    { code: 'EADDRINUSE' }
  )
  let written = 0
  let write: (text: string) => void = () => undefined
  const slow = await serveMetrics({
    contentType: stage.metrics.contentType,
    text: async () =>
      await new Promise((resolve) => {
        written++
        write = resolve
      })
  }, { port: 0, host: '127.0.0.1' }, { error: () => undefined })
  t.teardown(() => slow.close())
  let begun = 0
  const count = (): void => {
    begun++
  }
  subscribe('http.server.request.start', count)
  t.teardown(() => {
    unsubscribe('http.server.request.start', count)
  })
  const scrapes = Array.from({ length: 20 },
    async () => await (await fetch(`http://127.0.0.1:${slow.port}/metrics`)).text())
  await until('all scrapes', () => begun === 20)
  write('all the same')
  t.strictSame(new Set(await Promise.all(scrapes)), new Set(['all the same']))
  t.equal(written, 1, 'one text for all who ask meanwhile')
  const broken = await serveMetrics({
    contentType: stage.metrics.contentType,
    text: async () => {
      throw new Error('no')
    }
  }, { port: 0, host: '127.0.0.1' }, { error: () => undefined })
  t.teardown(() => broken.close())
  t.equal((await fetch(`http://127.0.0.1:${broken.port}/metrics`)).status, 500)
})

t.test('a number of a worker is given again when it is gone', async (t) => {
  const numbers = new WorkerNumbers()
  const heard: string[] = []
  const of = (...ids: string[]) => Object.fromEntries(numbers.of(ids, (id, number) => heard.push(`${id} ${number}`)))
  t.strictSame(of('a', 'b', 'c'), { a: 1, b: 2, c: 3 })
  t.strictSame(of('a', 'c', 'd', 'e'), { a: 1, c: 3, d: 2, e: 4 })
  t.strictSame(of(), {})
  t.strictSame(of('f'), { f: 1 })
  t.strictSame(heard, ['a 1', 'b 2', 'c 3', 'd 2', 'e 4', 'f 1'])
})
