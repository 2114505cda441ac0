import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { scopes } from '../../src/services/keys/scopes.ts'
import { TurnMeter } from '../../src/services/quotas/turn-meter.ts'
import { openApi, type ApiStage } from '../support/api.ts'
import { expectError, suggestionOf } from '../support/expect-error.ts'
import { form } from '../support/form.ts'
import { openReceiver } from '../support/receiver.ts'
import { operationsOf } from '../support/request-fields.ts'
import { StorageCaller } from '../support/storage.ts'
import { until } from '../support/until.ts'

/* What the api process itself does for a tenant, on the one thread that it has for everybody. */

const csv = 'item_id,timestamp,target\na,2024-01-01,1\na,2024-02-01,2\n'
/** Wrong in each of its fields, all of which are checked and told. */
const wrongBody = {
  requests: Array.from({ length: 100 },
    (_, at) => ({ object_id: at, prediction_length: -at, freq: 'x'.repeat(500), quantile_levels: [at, at] }))
}

/** Routes whose work is the same for every caller: they go on when the time of a tenant is used up. */
const constant = new Set([
  'GET /limits',
  'GET /models',
  'GET /jobs/{job_id}',
  'DELETE /jobs/{job_id}',
  'GET /jobs/{job_id}/events',
  'GET /storage/objects/{object_id}',
  'DELETE /storage/objects/{object_id}',
  'GET /storage/objects/{object_id}/download-url',
  'GET /data-connections/{connection_id}',
  'GET /fine-tune/models/{model_id}',
  'GET /keys/{id}',
  'DELETE /keys/{id}',
  'GET /admin/keys/{id}',
  'DELETE /admin/keys/{id}'
])

async function apiSeconds (stage: ApiStage): Promise<number> {
  return Number(/tabcast_sync_cpu_seconds_total\{work="api"\} (\S+)/.exec(await stage.metrics.text())?.[1])
}

/** Sends wrong bodies at once, as often as it takes until the tenant is refused before they are read. */
async function useUp (caller: StorageCaller): Promise<void> {
  await until('the time is used up', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => caller.ask('POST', '/forecast/batch', wrongBody))
    )
    return answers.every(({ status }) => status === 429) ? true : undefined
  })
}

async function opened (t: Test, perMinuteMs = 100,
  settings: Record<string, string> = {}): Promise<{ stage: ApiStage, acme: StorageCaller, other: StorageCaller }> {
  const stage = await openApi(t, { TABCAST_API_CPU_MS_PER_MINUTE: String(perMinuteMs), ...settings })
  const acme = new StorageCaller(stage,
    (await stage.keys.create({ tenant: 'acme', scopes: [...scopes].filter((scope) => scope !== 'sandbox') })).key)
  return { stage, acme, other: await StorageCaller.of(stage, 'other') }
}

t.test('a job whose record is large is read as long as its tenant is out of debt, and a small one always', async (t) => {
  const { acme, stage } = await opened(t)
  const id = await acme.store(csv)
  const submit = async (changes: object): Promise<string> =>
    (await acme.json<{ job_id: string }>('POST', '/forecast/storage-object', {
      object_id: id,
      prediction_length: 1,
      ...changes
    })).job_id
  const small = await submit({})
  const filters = [{
    column: 'item_id',
    op: 'in',
    values: Array.from({ length: 1_000 }, (_each, index) => `${index}`.padStart(90, 'a'))
  }]
  const large = await submit({ preparation: { filters } })
  const refused = await until('a refusal', async () => {
    const answer = await acme.ask('GET', `/jobs/${large}`)
    return answer.status === 429 ? answer : undefined
  })
  t.match((await expectError(t, refused, 429, 'rate_limited')).detail, { reason: 'cpu_time' })
  t.equal((await acme.ask('GET', `/jobs/${small}`)).status, 200)
  const events = await stage.app.inject({
    url: `/jobs/${large}/events`,
    headers: { authorization: `Bearer ${acme.key}` }
  })
  t.equal(events.statusCode, 429)
})

t.test('a tenant that keeps the thread of the api busy waits, on every route but those of constant work, and nobody ' +
  'else does', async (t) => {
  const { stage, acme, other } = await opened(t)
  t.match(await acme.json('GET', '/limits'), { rate_limits: { api_cpu_ms_per_minute: 100 } })
  const id = await other.store(csv)
  await useUp(acme)
  const spent = await apiSeconds(stage)

  for (const { method, path } of operationsOf((await stage.app.inject('/openapi.json')).json())) {
    const url = path.replace(/\{[^}]+\}|\*/g, 'x')
    if (['/health', '/livez', '/objects/x'].includes(url)) continue
    const answer = await stage.app.inject({
      method: method.toUpperCase() as 'GET',
      url,
      headers: { authorization: `Bearer ${acme.key}` }
    })
    const { detail } = answer.payload === '' ? { detail: undefined } : answer.json<{ detail: unknown }>()
    const isRefused = answer.statusCode === 429 && (detail as { reason?: string } | undefined)?.reason === 'cpu_time'
    t.equal(isRefused, !constant.has(`${method.toUpperCase()} ${path}`), `${method} ${path}: ${answer.statusCode}`)
  }
  t.equal(await apiSeconds(stage), spent, 'refusals are not paid')

  const refused = await acme.ask('GET', '/jobs')
  const envelope = await expectError(t, refused, 429, 'rate_limited')
  t.match(envelope.detail, { reason: 'cpu_time', detail: /100 ms of the api's own processor time/ })
  t.match(suggestionOf(envelope), /shorter pages/)
  const seconds = Number(refused.headers.get('retry-after'))
  t.ok(seconds >= 1 && seconds <= 120, `no more than two minutes' worth is owed: ${seconds}`)
  for (const path of ['/forecast', '/agent/extract', '/v2/regress', '/fine-tune']) {
    const headers = {
      authorization: `Bearer ${acme.key}`,
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': '1000000'
    }
    t.equal((await stage.app.inject({ method: 'POST', url: path, headers })).statusCode, 429,
      `${path}: before the body is read`)
  }

  t.equal((await other.ask('POST', '/forecast/storage-object', { object_id: id })).status, 202)
  t.equal((await other.ask('GET', '/jobs')).status, 200)
})

t.test('bodies that came while others used up the time are not parsed any more', async (t) => {
  const { stage, acme } = await opened(t)
  await stage.app.listen({ port: 0, host: '127.0.0.1' })
  const body = JSON.stringify(wrongBody)
  const headers = {
    authorization: `Bearer ${acme.key}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    expect: '100-continue'
  }
  const requests = Array.from({ length: 150 }, () => {
    const outgoing = request({
      port: (stage.app.server.address() as AddressInfo).port,
      path: '/forecast/batch',
      method: 'POST',
      headers
    })
    const status = new Promise<number>((resolve, reject) => {
      outgoing.once('error', reject).once('response', (answer) => {
        resolve(answer.statusCode ?? 0)
        answer.resume()
      })
    })
    return {
      outgoing,
      letIn: new Promise((resolve) => {
        outgoing.once('continue', resolve).flushHeaders()
      }),
      status
    }
  })
  await Promise.all(requests.map(({ letIn }) => letIn))
  for (const { outgoing } of requests) outgoing.end(body)
  const statuses = await Promise.all(requests.map(({ status }) => status))
  const checked = statuses.filter((status) => status === 422).length
  t.ok(checked > 0 && checked < 150, `${checked} of 150 were checked`)
  t.equal(statuses.filter((status) => status === 429).length, 150 - checked)
})

t.test('texts in forms, long lists and files are paid; polling is not', async (t) => {
  const { stage, acme } = await opened(t, 1000)
  const id = await acme.store(csv)
  const { job_id: jobId } = await acme.json<{ job_id: string }>('POST', '/forecast/storage-object', { object_id: id })
  await stage.finishNext({ 'forecast.csv': csv + 'a,2024-03-01,3\n'.repeat(50_000), 'forecast.parquet': 'PAR1' })
  await until('the job has ended',
    async () =>
      (await acme.json<{ status: string }>('GET', `/jobs/${jobId}`)).status === 'completed' ? true : undefined)

  const before = await apiSeconds(stage)
  for (let round = 0; round < 200; round++) t.equal((await acme.ask('GET', `/jobs/${jobId}`)).status, 200)
  t.equal(await apiSeconds(stage), before, 'polling costs nothing')
  t.equal((await acme.ask('GET', `/jobs/${jobId}/download?format=csv`)).status, 200)
  const sent = await apiSeconds(stage)
  t.ok(sent > before, 'a file costs')
  await acme.ask('GET', '/jobs?limit=200')
  const listed = await apiSeconds(stage)
  t.ok(listed > sent, 'a list costs')
  t.equal((await acme.ask('GET', `/jobs/${jobId}/download?format=csv&csv_safe=true`)).status, 200)
  const safe = await apiSeconds(stage)
  t.ok(safe > listed, 'making CSV safe costs')
  const texts = ['metadata', 'reconciliation', 'explainability', 'preparation'].map((
    name
  ): [string, string] => [name, `[${'[1],'.repeat(12_000)}1]`])
  const filled = form([...texts, ['file', csv, 'a.csv']])
  const answer = await stage.app.inject({
    method: 'POST',
    url: '/forecast',
    ...filled,
    headers: { authorization: `Bearer ${acme.key}`, ...filled.headers }
  })
  t.equal(answer.statusCode, 422)
  t.ok(await apiSeconds(stage) > safe + 0.002, `four texts of 48 KB: ${await apiSeconds(stage) - safe} s`)

  await useUp(acme)
  t.equal((await acme.ask('GET', `/jobs/${jobId}`)).status, 200)
  await expectError(t, await acme.ask('GET', `/jobs/${jobId}/download?format=csv`), 429, 'rate_limited')
  t.equal((await acme.ask('DELETE', `/jobs/${jobId}`)).status, 204, 'what costs can be stopped')
})

t.test('the bytes of an upload are paid, of a form and of a signed address', async (t) => {
  const { stage, acme } = await opened(t, 60_000)
  await stage.app.listen({ port: 0, host: '127.0.0.1' })
  const baseUrl = `http://127.0.0.1:${(stage.app.server.address() as AddressInfo).port}`
  const paid = async (work: () => Promise<void>): Promise<number> => {
    const before = await apiSeconds(stage)
    await work()
    return (await apiSeconds(stage) - before) * 1000
  }
  const sendForm = async (bytes: number): Promise<void> => {
    const body = new FormData()
    body.append('prediction_length', 'abc')
    body.append('file', new Blob(['a'.repeat(bytes)]), 'a.csv')
    const headers = { authorization: `Bearer ${acme.key}` }
    const answer = await fetch(`${baseUrl}/forecast`, { method: 'POST', body, headers })
    t.equal(answer.status, 422, await answer.text())
  }
  const small = await paid(() => sendForm(10))
  const large = await paid(() => sendForm(64 * 1024 * 1024))
  t.comment(`64 MiB in a form: ${large.toFixed(1)} ms; 10 bytes: ${small.toFixed(1)} ms`)
  t.ok(large > small + 20, `${large} ms after ${small} ms`)

  const upload = await acme.presign()
  const { pathname, search } = new URL(upload.upload_url)
  const put = await paid(async () => {
    const body = 'a'.repeat(64 * 1024 * 1024)
    const answer = await fetch(baseUrl + pathname + search, { method: 'PUT', body, headers: upload.required_headers })
    t.equal(answer.status, 200, await answer.text())
  })
  t.comment(`64 MiB to a signed address: ${put.toFixed(1)} ms`)
  t.ok(put > 2, `${put} ms`)
})

t.test('callbacks are paid, and those of a tenant in debt go slowly and are not lost', async (t) => {
  const receiver = await openReceiver(t)
  const { stage, acme, other } = await opened(t, 100, { TABCAST_CALLBACK_ALLOW_HOSTS: receiver.host })
  const request = async (caller: StorageCaller, tenant: string) => ({
    object_id: await caller.store(csv),
    callback_url: `${receiver.url}/${tenant}`
  })
  const end = async (): Promise<void> => {
    await stage.finishNext({ 'forecast.csv': csv, 'forecast.parquet': 'PAR1' })
  }
  await other.json('POST', '/forecast/storage-object', await request(other, 'other'))
  const before = await apiSeconds(stage)
  await end()
  await receiver.received(1)
  const small = await apiSeconds(stage) - before
  t.ok(small >= 0.0013, `${small} s`)
  const filters = Array.from({ length: 10 },
    () => ({ column: 'item_id', op: 'not_in', values: Array.from({ length: 1_000 }, (_, at) => `item-${at}`) }))
  const third = await StorageCaller.of(stage, 'third')
  await third.json('POST', '/forecast/storage-object', { ...await request(third, 'third'), preparation: { filters } })
  const beforeLarge = await apiSeconds(stage)
  await end()
  await receiver.received(2)
  const large = await apiSeconds(stage) - beforeLarge
  t.ok(large >= 0.0043, `a record of 100 KiB is read and written: ${large} s`)

  const one = await request(acme, 'acme')
  await acme.json('POST', '/forecast/batch', { requests: [one, one, one, one] })
  await other.json('POST', '/forecast/storage-object', await request(other, 'other'))
  await useUp(acme)
  for (let job = 0; job < 5; job++) await end()
  const paths = (await receiver.received(7)).map(({ path }) => path)
  t.equal(paths.filter((path) => path === '/hook/acme').length, 4)
  t.not(paths.at(-1), '/hook/other', 'a neighbour does not wait for them')
})

t.test('a tenant pays for its own turns alone, promises included, and not for the time that it waits', async (t) => {
  const spent = new Map<string, number>()
  const meter = new TurnMeter((tenant, ms) => spent.set(tenant, (spent.get(tenant) ?? 0) + ms))
  const compute = (ms: number): void => {
    const before = process.cpuUsage()
    const used = () => {
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000
    }
    while (used() < ms);
  }
  const answer = async (tenant: string, ms: number): Promise<void> => {
    for (let step = 0; step < 5; step++) {
      meter.begin(tenant)
      compute(ms)
      // Settled at once: the same turn.
      await Promise.resolve()
      compute(ms)
      await sleep(20)
    }
  }
  const requests: Array<Promise<void>> = []
  for (const [tenant, ms] of [['heavy', 10], ['light', 0.2], ['lighter', 0.1]] as const) {
    requests.push(answer(tenant, ms))
    // Requests come in turns of their own.
    await immediate()
  }
  await Promise.all(requests)
  const [heavy = 0, light = 0, lighter = 0] = ['heavy', 'light', 'lighter'].map((tenant) => spent.get(tenant))
  t.ok(heavy >= 95 && heavy < 150, `100 ms: ${heavy}`)
  t.ok(light >= 1.5 && light < 20, `2 ms: ${light}`)
  t.ok(lighter >= 0.5 && lighter < 20, `1 ms: ${lighter}`)
})
