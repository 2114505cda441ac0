import t from 'tap'
import { scopes } from '../../src/services/keys/scopes.ts'
import { keyId, runKeys } from '../support/command.ts'
import { csv, series } from '../support/csv.ts'
import { expectError, readAnswer, type Answer } from '../support/expect-error.ts'
import { expectHealthy, objectsOf } from '../support/leftovers.ts'
import { openRaw, requestHead } from '../support/raw-http.ts'
import { Client, startService } from '../support/service.ts'

/* Callers without a right to what they ask for: items 45 to 48 of the bad inputs. */
const service = await startService({ TABCAST_RATE_LIMITS: 'false' })
t.teardown(service.cleanup)
const key = await service.createKey('owner')
const owner = new Client(service.baseUrl, key)
const data = csv(series())

async function completedJob (client: Client): Promise<string> {
  const { job_id: jobId } = await client.submitted(data, { prediction_length: '3', presets: 'fast' })
  t.equal((await client.ended(jobId)).status, 'completed')
  return jobId
}

const ownJob = await completedJob(owner)

const unknownObject = 'obj_01AAAAAAAAAAAAAAAAAAAAAAAA'
const unknownBatch = 'batch_01AAAAAAAAAAAAAAAAAAAAAAAA'

async function post (client: Client, path: string, body: object): Promise<Response> {
  return await client.request('POST', path, {
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' }
  })
}

/** Every route that asks for a key, with the body that it would take. */
function guarded (client: Client, jobId: string): Record<string, () => Promise<Response>> {
  return {
    'POST /forecast': () => client.submit(data),
    'POST /forecast/storage-object': () => post(client, '/forecast/storage-object', { object_id: unknownObject }),
    'POST /forecast/batch': () => post(client, '/forecast/batch', { requests: [{ object_id: unknownObject }] }),
    'GET /forecast/batch/{id}': () => client.request('GET', `/forecast/batch/${unknownBatch}`),
    'GET /forecast/batch/{id}/download': () => client.request('GET', `/forecast/batch/${unknownBatch}/download`),
    'DELETE /forecast/batch/{id}': () => client.request('DELETE', `/forecast/batch/${unknownBatch}`),
    'POST /storage/uploads/presign': () =>
      post(client, '/storage/uploads/presign', { filename: 'a.csv', content_type: 'text/csv' }),
    'POST /storage/uploads/{id}/complete': () => post(client, `/storage/uploads/${unknownObject}/complete`, {}),
    'GET /storage/objects': () => client.request('GET', '/storage/objects'),
    'GET /storage/objects/{id}': () => client.request('GET', `/storage/objects/${unknownObject}`),
    'GET /storage/objects/{id}/download-url': () =>
      client.request('GET', `/storage/objects/${unknownObject}/download-url`),
    'GET /storage/objects/{id}/preview': () => client.request('GET', `/storage/objects/${unknownObject}/preview`),
    'DELETE /storage/objects/{id}': () => client.request('DELETE', `/storage/objects/${unknownObject}`),
    'GET /jobs': () => client.request('GET', '/jobs'),
    'GET /jobs/{id}': () => client.request('GET', `/jobs/${jobId}`),
    'GET /jobs/{id}?wait': () => client.request('GET', `/jobs/${jobId}?wait=1`),
    'GET /jobs/{id}/download': () => client.request('GET', `/jobs/${jobId}/download`),
    'GET /jobs/{id}/callback-attempts': () => client.request('GET', `/jobs/${jobId}/callback-attempts`),
    'GET /webhooks/secret': () => client.request('GET', '/webhooks/secret'),
    'POST /webhooks/secret': () => client.request('POST', '/webhooks/secret'),
    'GET /models': () => client.request('GET', '/models'),
    'GET /limits': () => client.request('GET', '/limits'),
    'GET /data-connections': () => client.request('GET', '/data-connections'),
    'POST /data-connections': () => client.request('POST', '/data-connections'),
    'DELETE /jobs/{id}': () => client.request('DELETE', `/jobs/${jobId}`)
  }
}

t.test('45: no key, another scheme or a wrong key is a 401 with a challenge on every route', async (t) => {
  const typo = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')
  const [prefix = '', environment = '', id = '', secret = ''] = key.split('_')
  const wrong = {
    'no header': undefined,
    'an empty header': '',
    'no key': 'Bearer',
    'basic credentials': `Basic ${Buffer.from(`key:${key}`).toString('base64')}`,
    'the bare key': key,
    'a wrong checksum': `Bearer ${typo}`,
    'a cut key': `Bearer ${key.slice(0, -8)}`,
    'a key without its checksum': `Bearer ${[prefix, environment, id, secret].join('_')}`,
    'an unknown word': 'Bearer hunter2',
    'a long key': `Bearer ${'x'.repeat(8000)}`
  }
  for (const [what, authorization] of Object.entries(wrong)) {
    const headers = authorization === undefined ? {} : { authorization }
    const answer = await fetch(`${service.baseUrl}/jobs`, { headers })
    t.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/, what)
    await expectError(t, answer, 401, 'auth_failed')
  }
  for (const [route, call] of Object.entries(guarded(new Client(service.baseUrl, typo), ownJob))) {
    const answer = await call()
    t.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/, route)
    await expectError(t, answer, 401, 'auth_failed')
  }
  const twice = await openRaw(service.baseUrl)
  twice.send(
    requestHead('GET', '/jobs', {
      authorization: `Bearer ${typo}\r\nauthorization: Bearer ${key}`,
      connection: 'close'
    })
  )
  t.not((await twice.answer()).status, 200, 'of two keys the second is not tried')
  t.equal((await owner.request('GET', `/jobs/${ownJob}`)).status, 200, 'the right key still works')
  t.equal((await fetch(`${service.baseUrl}/jobs`, { headers: { authorization: `bearer ${key}` } })).status, 200,
    'the scheme has no case')
})

t.test('46: a key without the scope of a route is a 403', async (t) => {
  const needs: Record<string, string | null> = {
    'POST /forecast': 'forecast',
    'POST /forecast/storage-object': 'forecast',
    'POST /forecast/batch': 'forecast',
    'GET /forecast/batch/{id}': 'jobs:read',
    'GET /forecast/batch/{id}/download': 'jobs:read',
    'DELETE /forecast/batch/{id}': 'jobs:delete',
    'POST /storage/uploads/presign': 'storage',
    'POST /storage/uploads/{id}/complete': 'storage',
    'GET /storage/objects': 'storage',
    'GET /storage/objects/{id}': 'storage',
    'GET /storage/objects/{id}/download-url': 'storage',
    'GET /storage/objects/{id}/preview': 'storage',
    'DELETE /storage/objects/{id}': 'storage',
    'GET /jobs': 'jobs:read',
    'GET /jobs/{id}': 'jobs:read',
    'GET /jobs/{id}?wait': 'jobs:read',
    'GET /jobs/{id}/download': 'jobs:read',
    'GET /jobs/{id}/callback-attempts': 'jobs:read',
    'GET /webhooks/secret': 'webhooks',
    'POST /webhooks/secret': 'webhooks',
    'GET /models': null,
    'GET /limits': null,
    'GET /data-connections': 'connections',
    'POST /data-connections': 'connections',
    'DELETE /jobs/{id}': 'jobs:delete'
  }
  const all = scopes.filter((scope) => scope !== 'admin' && scope !== 'sandbox')
  for (const scope of new Set(Object.values(needs))) {
    const others = all.filter((name) => name !== scope).join(',')
    const client = new Client(service.baseUrl,
      (await runKeys(service, 'create', '--tenant', 'owner', '--scopes', others)).last)
    for (const [route, call] of Object.entries(guarded(client, ownJob))) {
      if (needs[route] !== scope) continue
      const answer = await call()
      t.comment(`${route} without ${scope}`)
      if (scope === null) t.equal(answer.status, 200)
      else await expectError(t, answer, 403, 'auth_failed')
    }
  }
  t.equal((await owner.job(ownJob)).status, 'completed', 'nothing was deleted')
  t.equal((await objectsOf(service, 'owner')).filter((path) => path.endsWith('/input')).length, 1, 'nothing was stored')
})

t.test('47: a foreign id answers exactly as an unknown one, on every route', async (t) => {
  const stranger = new Client(service.baseUrl, await service.createKey('stranger'))
  const unknown = ownJob.slice(0, -1) + (ownJob.endsWith('0') ? '1' : '0')
  const formats = ['', '?format=csv', '?format=parquet', '?format=zip', '?format=presign']
  const requests: Array<[string, (id: string) => string]> = [
    ['GET', (id) => `/jobs/${id}`],
    ['GET', (id) => `/jobs/${id}?wait=5`],
    ['GET', (id) => `/jobs/${id}/callback-attempts`],
    ...formats.map((format): [string, (id: string) => string] => ['GET', (id) => `/jobs/${id}/download${format}`]),
    ['DELETE', (id) => `/jobs/${id}`]
  ]
  for (const [method, path] of requests) {
    const foreign = await readAnswer(await stranger.request(method, path(ownJob)))
    const absent = await readAnswer(await stranger.request(method, path(unknown)))
    t.strictSame(comparable(foreign), comparable(absent), `${method} ${path('{id}')}`)
    await expectError(t, foreign, 404, 'job_not_found')
  }
  t.equal((await owner.job(ownJob)).status, 'completed', 'the owner still has it')

  const { jobs } = await (await stranger.request('GET', '/jobs')).json() as { jobs: unknown[] }
  t.strictSame(jobs, [], "a list shows only what is one's own")
})

t.test('47: an object behind a signed address is reached only by that address', async (t) => {
  const objects = await objectsOf(service, 'owner')
  t.ok(objects.length > 0)
  for (const path of objects) {
    for (const headers of [{}, { authorization: `Bearer ${key}` }]) {
      const answer = await fetch(`${service.baseUrl}/objects/${path.split('/').map(encodeURIComponent).join('/')}`, {
        headers
      })
      t.ok([403, 404].includes(answer.status), `${path}: ${answer.status}`)
      await answer.arrayBuffer()
    }
  }
})

t.test('48: a key that is revoked while its caller polls is a 401 at the next call', async (t) => {
  const polling = new Client(service.baseUrl, await service.createKey('owner'))
  t.equal((await polling.request('GET', `/jobs/${ownJob}`)).status, 200)
  t.equal((await runKeys(service, 'revoke', keyId(polling.key))).status, 0)
  for (const [route, call] of Object.entries(guarded(polling, ownJob))) {
    t.comment(route)
    await expectError(t, await call(), 401, 'auth_failed')
  }
  await expectHealthy(t, service)
})

/** All that may not differ between two answers. */
function comparable ({ status, headers, text }: Answer): unknown {
  const shown = Object.fromEntries([...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)))
  return { status, headers: shown, body: { ...JSON.parse(text) as object, request_id: '' } }
}
