import type { RouteOptions } from 'fastify'
import t, { type Test } from 'tap'
import { scopes, type Scope } from '../../src/services/keys/scopes.ts'
import { openApi, type ApiStage } from '../support/api.ts'
import { makeModel } from '../support/fine-tuning.ts'
import { StorageCaller } from '../support/storage.ts'
import { matrix, namingFields, type Ids, type Request, type Row } from './route-matrix.ts'

/* Every route of the app, as the app itself lists them, against two tenants and against keys that lack a scope. */

const csv = 'item_id,timestamp,target\na,2024-01-01,1\na,2024-02-01,2\n'
/** What a tenant's key can have at most. */
const tenantScopes = scopes.filter((scope) => scope !== 'sandbox' && scope !== 'admin')

/** Fields that are called ids, but name nothing that the service keeps. */
const otherIds = new Set(['item_id', 'custom_id', 'external_id', 'access_key_id'])

t.test('two tenants, and every route of the app', async (t) => {
  const routes = new Map<string, RouteOptions>()
  /** Those that come by themselves with a GET. */
  const heads = new Map<string, RouteOptions>()
  const stage = await openApi(t, {
    TABCAST_CONNECTOR_ALLOW_CIDRS: '127.0.0.0/8',
    TABCAST_CALLBACK_ALLOW_HOSTS: '127.0.0.1:9',
    TABCAST_RATE_LIMITS: 'false'
  }, (app) =>
    app.addHook('onRoute', (route) => {
      if (route.url.startsWith('/docs')) return
      for (const method of [route.method].flat()) {
        ;(method === 'HEAD' ? heads : routes).set(`${method} ${route.url}`, route)
      }
    }))
  const keyOf = async (tenant: string, of: readonly Scope[] = tenantScopes) =>
    (await stage.keys.create({ tenant, scopes: of })).key
  const acme = await tenant(stage, await keyOf('acme'))
  const beta = await tenant(stage, await keyOf('beta'))

  async function ask (key: string | null, method: string, { url, payload, headers = {} }: Request) {
    return await stage.app.inject({
      method: method as 'GET',
      url,
      headers: { ...headers, ...(key === null ? {} : { authorization: `Bearer ${key}` }) },
      ...(payload === undefined ? {} : { payload })
    })
  }

  const unknown = Object.fromEntries(
    Object.entries(acme.ids).map(([kind, id]) => [kind, `${id.slice(0, -4)}ZZZZ`])
  ) as Ids

  /** A request of the row about the things with these ids. */
  function requestOf (route: string, row: Exclude<Row, 'public'>, ids: Ids): Request {
    if ('names' in row) return row.names[0]?.(ids, ids) ?? { url: '' }
    if ('shows' in row) return { url: row.shows }
    return {
      url: (route.split(' ')[1] ?? '').replace(':id', ids.key),
      ...(route.startsWith('POST') ? { payload: {} } : {})
    }
  }

  await t.test('every route of the app has a row, and every row is a route', async (t) => {
    t.strictSame([...routes.keys()].sort(), Object.keys(matrix).sort())
    for (const [route, { url, config }] of routes) {
      const row = matrix[route]
      if (row === undefined) continue
      const access = config?.access
      t.equal(row === 'public', access === 'public', `${route} is public, or is not`)
      if (row === 'public') continue
      t.ok(!('deployment' in row) || url.startsWith('/admin/'), `${route}: what is every tenant's is under /admin`)
      t.equal(row.audit === undefined, route.startsWith('GET '),
        `${route}: what is no GET is in the audit log, or changes nothing`)
      t.ok('names' in row || 'deployment' in row || !url.includes(':'),
        `${route} has an id in its address, so its row has to name one`)
    }
  })

  await t.test("every field that names a thing of a tenant is tried with another tenant's", async (t) => {
    for (const [route, { schema }] of routes) {
      const text = JSON.stringify([schema?.body, schema?.querystring])
      for (const [field, tried] of Object.entries(namingFields)) {
        if (text.includes(`"${field}":`)) t.ok(tried.includes(route), `${route} takes ${field}`)
      }
      for (const [, field] of text.matchAll(/"([a-z]+_ids?)":\{/g)) {
        t.ok(otherIds.has(String(field)) || String(field) in namingFields, `${route} takes ${field}`)
      }
    }
  })

  await t.test('whatever one tenant has, another one is told of it what it is told of nothing', async (t) => {
    const before = await shownTo(t, acme.key)
    for (const [route, row] of Object.entries(matrix)) {
      if (row === 'public' || !('names' in row)) continue
      await t.test(route, async (t) => {
        const [method = ''] = route.split(' ')
        for (const request of row.names) {
          for (const verb of heads.has(route.replace('GET', 'HEAD')) ? ['GET', 'HEAD'] : [method]) {
            const foreign = await ask(beta.key, verb, request(acme.ids, beta.ids))
            const nobodys = await ask(beta.key, verb, request(unknown, beta.ids))
            t.equal(foreign.statusCode, row.refusal ?? 404, foreign.body)
            t.equal(nobodys.statusCode, foreign.statusCode)
            t.strictSame(withoutIds(foreign.body, acme.ids), withoutIds(nobodys.body, unknown))
            t.strictSame(Object.keys(foreign.headers).sort(), Object.keys(nobodys.headers).sort())
          }
        }
      })
    }
    t.strictSame(await shownTo(t, acme.key), before, 'the owner has what it had')
  })

  await t.test('no list shows anything of another tenant', async (t) => {
    for (const [owner, other] of [[acme, beta], [beta, acme]] as const) {
      const shown = await shownTo(t, owner.key)
      for (const [url, text] of Object.entries(shown)) {
        for (const id of Object.values(other.ids)) t.notOk(text.includes(id), `${url} shows ${id}`)
      }
      for (const [kind, id] of Object.entries(owner.ids)) {
        t.ok(Object.values(shown).some((text) => text.includes(id)), `the ${kind} is in a list of its owner`)
      }
    }
    t.not((await ask(acme.key, 'GET', { url: '/webhooks/secret' })).body,
      (await ask(beta.key, 'GET', { url: '/webhooks/secret' })).body)
  })

  await t.test('a cursor of one tenant is none of another', async (t) => {
    for (const url of ['/jobs', '/storage/objects', '/data-connections', '/fine-tune/models', '/keys', '/audit']) {
      await secondOf(url)
      const { next_cursor: cursor } = (await ask(acme.key, 'GET', { url: `${url}?limit=1` })).json<
        { next_cursor: string | null }
      >()
      t.type(cursor, 'string', url)
      t.equal((await ask(beta.key, 'GET', { url: `${url}?limit=1&cursor=${cursor}` })).statusCode, 422, url)
      t.equal((await ask(acme.key, 'GET', { url: `${url}?limit=1&cursor=${cursor}` })).statusCode, 200, url)
    }
  })

  await t.test('a key that lacks a scope of a route is a 403, and none is a 401', async (t) => {
    const keys = new Map<Scope, string>()
    const keyWithout = async (scope: Scope) => {
      const known = keys.get(scope) ??
        await keyOf('acme', scopes.filter((name) => name !== scope && name !== 'sandbox' && name !== 'admin'))
      keys.set(scope, known)
      return known
    }
    const before = await shownTo(t, acme.key)
    for (const [route, row] of Object.entries(matrix)) {
      if (row === 'public') continue
      const [method = ''] = route.split(' ')
      const request = requestOf(route, row, acme.ids)
      for (const scope of row.scope === null ? [] : [row.scope].flat() as Scope[]) {
        const { statusCode, body } = await ask(await keyWithout(scope), method, request)
        t.equal(statusCode, 403, `${route} without ${scope}`)
        t.match(JSON.parse(body), { error_code: 'auth_failed' })
      }
      t.equal((await ask(null, method, request)).statusCode, 401, `${route} without a key`)
    }
    for (const [url, text] of Object.entries(await shownTo(t, acme.key))) {
      if (url !== '/keys' && url !== '/audit') t.equal(text, before[url], `nothing was changed in ${url}`)
    }
  })

  await t.test('a key with no more than the scopes of a route is let in', async (t) => {
    for (const [route, row] of Object.entries(matrix)) {
      if (row === 'public') continue
      const key = await keyOf('acme', row.scope === null ? ['jobs:delete'] : [row.scope].flat() as Scope[])
      const { statusCode } = await ask(key, route.split(' ')[0] ?? '', requestOf(route, row, unknown))
      t.notOk([401, 403].includes(statusCode), `${route}: ${statusCode}`)
    }
  })

  /** What each route that shows anything shows to a key, without what changes by itself. */
  async function shownTo (t: Test, key: string): Promise<Record<string, string>> {
    const shown: Record<string, string> = {}
    for (const row of Object.values(matrix)) {
      if (row === 'public' || !('shows' in row)) continue
      const { statusCode, body } = await ask(key, 'GET', { url: row.shows })
      t.equal(statusCode, 200, row.shows)
      shown[row.shows] = body.replaceAll(/"(?:last_used_at|queue_position|attempt|failing_since)":[^,}]*/g, '')
    }
    return shown
  }

  /** A second thing of acme's in the list, so that it has two pages. */
  async function secondOf (url: string): Promise<void> {
    if (url === '/storage/objects') await acme.caller.store(csv)
    if (url === '/data-connections') await connect(acme.caller)
    if (url === '/fine-tune/models') await makeModel(acme.caller)
  }
})

function withoutIds (body: string, ids: Ids): unknown {
  if (body === '') return ''
  const named = Object.values(ids).reduce((text, id) => text.replaceAll(id, '<id>'), body)
  const { request_id: _requestId, ...rest } = JSON.parse(named) as Record<string, unknown>
  return rest
}

async function connect (owner: StorageCaller): Promise<string> {
  const connection = await owner.ask('POST', '/data-connections', {
    connector_type: 's3',
    name: 'own',
    object_storage: {
      bucket: 'mine',
      region: 'us-east-1',
      endpoint_url: 'http://127.0.0.1:9',
      auth_method: 'access_key',
      file_format: 'csv',
      credentials: { access_key_id: 'AKIAEXAMPLE00000', secret_access_key: 'secret-of-the-owner' }
    }
  })
  return (JSON.parse(connection.text) as { connection_id: string }).connection_id
}

/** A tenant that has one thing of each kind. */
async function tenant (stage: ApiStage, key: string): Promise<{ key: string, caller: StorageCaller, ids: Ids }> {
  const caller = new StorageCaller(stage, key)
  const model = await makeModel(caller)
  const object = await caller.store(csv)
  const { job_id: job } = await caller.json<{ job_id: string }>('POST', '/forecast/storage-object', {
    object_id: object,
    prediction_length: 1
  })
  await stage.finishNext({ 'forecast.csv': 'x', 'forecast.parquet': 'y' })
  const { batch_id: batch, jobs } = await caller.json<{ batch_id: string, jobs: Array<{ job_id: string }> }>('POST',
    '/forecast/batch', { requests: [{ object_id: object, prediction_length: 1 }] })
  await stage.finishNext({ 'forecast.csv': 'x', 'forecast.parquet': 'y' })
  for (const jobId of [job, ...jobs.map(({ job_id: id }) => id)]) {
    await stage.app.inject({ url: `/jobs/${jobId}?wait=10`, headers: { authorization: `Bearer ${key}` } })
  }
  const made = await caller.ask('POST', '/webhooks/endpoints', { url: 'http://127.0.0.1:9/hook', enabled: true })
  const { endpoint_id: endpoint } = JSON.parse(made.text) as { endpoint_id: string }
  const { webhook_id: message } = await caller.json<{ webhook_id: string }>('POST',
    `/webhooks/endpoints/${endpoint}/test`)
  await caller.json('POST', `/webhooks/endpoints/${endpoint}/deliveries/${message}/redeliver`)
  return {
    key,
    caller,
    ids: {
      job,
      object,
      batch,
      model,
      connection: await connect(caller),
      endpoint,
      message,
      key: key.split('_')[2] ?? ''
    }
  }
}
