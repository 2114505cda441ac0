import t, { type Test } from 'tap'
import { AuditLog, auditedActions, type AuditedAction } from '../../src/services/audit/audit-log.ts'
import { parseDurationMs } from '../../src/services/keys/duration.ts'
import { matrix } from '../hostile/route-matrix.ts'
import { openApi, type ApiStage } from '../support/api.ts'
import { expectError, fieldsOf } from '../support/expect-error.ts'
import { askForForecast, makeModel } from '../support/fine-tuning.ts'
import { StorageCaller } from '../support/storage.ts'

/* What a tenant finds in its audit log of what was done in its name. */

interface Logged {
  audit_id: string
  timestamp: string
  action: AuditedAction
  target_id: string | null
  outcome: string
  error_code: string | null
  actor: string
  request_id: string | null
  prev_hash: string
}

const csv = 'item_id,timestamp,target\na,2024-01-01,1\na,2024-02-01,2\n'
const idOf = (key: string) => key.split('_')[2] ?? ''
const storage = {
  bucket: 'mine',
  region: 'us-east-1',
  endpoint_url: 'http://127.0.0.1:9',
  auth_method: 'access_key',
  file_format: 'csv',
  credentials: { access_key_id: 'AKIAEXAMPLE00000', secret_access_key: 'secret-of-the-owner' }
}

async function open (t: Test, settings: Record<string, string> = {}) {
  const stage = await openApi(t, {
    TABCAST_CONNECTOR_ALLOW_CIDRS: '127.0.0.0/8',
    TABCAST_CALLBACK_ALLOW_HOSTS: '127.0.0.1:9',
    ...settings
  })
  const { key } = await stage.keys.create({
    tenant: 'acme',
    scopes: ['forecast', 'jobs:read', 'jobs:delete', 'storage', 'connections', 'models', 'keys:write', 'webhooks',
      'audit:read']
  })
  const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object, of = key) => {
    const answer = await stage.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${of}` },
      ...(payload === undefined ? {} : { payload })
    })
    return {
      status: answer.statusCode,
      headers: new Headers(Object.entries(answer.headers).map(([name, value]) => [name, String(value)])),
      text: answer.payload
    }
  }
  return { stage, key, caller: new StorageCaller(stage, key), call, log: async (of = key) => await pages(stage, of) }
}

async function pages (stage: ApiStage, key: string, limit = 1000): Promise<Logged[]> {
  const records: Logged[] = []
  for (let next: string | null = ''; next !== null;) {
    const answer = await stage.app.inject({
      url: `/audit?limit=${limit}${next === '' ? '' : `&cursor=${next}`}`,
      headers: { authorization: `Bearer ${key}` }
    })
    const page: { records: Logged[], next_cursor: string | null } = answer.json()
    records.push(...page.records)
    next = page.next_cursor
  }
  return records
}

t.test('every changing action of a tenant is in its log, with who asked, for what, and in a chain that holds', async (t) => {
  const { stage, key, caller, call, log } = await open(t)
  const model = await makeModel(caller)
  const object = await caller.store(csv)
  const { job_id: job } = (await askForForecast(stage, key, [['prediction_length', '1']])).json<{ job_id: string }>()
  const batch = await caller.json<{ batch_id: string, jobs: Array<{ job_id: string }> }>('POST', '/forecast/batch', {
    requests: [{ object_id: object }, { object_id: object }]
  })
  const connection = (JSON.parse(
    (await call('POST', '/data-connections', { connector_type: 's3', name: 'own', object_storage: storage })).text
  ) as { connection_id: string }).connection_id
  await call('PATCH', `/data-connections/${connection}`, { name: 'renamed' })
  await call('POST', `/data-connections/${connection}/credentials`, { credentials: storage.credentials })
  await call('DELETE', `/data-connections/${connection}`)
  await call('DELETE', `/forecast/batch/${batch.batch_id}`)
  const deleted = await call('DELETE', `/jobs/${job}`)
  await call('DELETE', `/storage/objects/${object}`)
  await call('DELETE', `/fine-tune/models/${model}`)
  await call('POST', '/webhooks/secret')
  const endpoint =
    (JSON.parse((await call('POST', '/webhooks/endpoints', { url: 'http://127.0.0.1:9/hook' })).text) as {
      endpoint_id: string
    }).endpoint_id
  await call('PATCH', `/webhooks/endpoints/${endpoint}`, { description: 'mine' })
  await call('POST', `/webhooks/endpoints/${endpoint}/secret`)
  const message =
    (JSON.parse((await call('POST', `/webhooks/endpoints/${endpoint}/test`)).text) as { webhook_id: string }).webhook_id
  await call('POST', `/webhooks/endpoints/${endpoint}/deliveries/${message}/redeliver`)
  await call('DELETE', `/webhooks/endpoints/${endpoint}`)
  const made = (JSON.parse((await call('POST', '/keys', { scopes: ['jobs:read'] })).text) as { id: string }).id
  await call('POST', `/keys/${made}/rotate`, {})
  await call('DELETE', `/keys/${made}`)

  const records = await log()
  const of = (action: AuditedAction) => records.filter((record) => record.action === action).reverse()
  const seen = new Set(records.map(({ action }) => action))
  // By a worker's answer, or by the service itself; see the tests of connections, deliveries and endpoints.
  const byWorkers = ['connection.test', 'connection.validate', 'connection.list', 'connection.read',
    'connection.deliver', 'webhook_endpoint.disable']
  t.strictSame([...seen].sort(), auditedActions.filter((action) => !byWorkers.includes(action)).sort())
  for (const [route, row] of Object.entries(matrix)) {
    if (row !== 'public' && row.audit !== undefined && row.audit !== 'changes nothing' &&
      !byWorkers.includes(row.audit)) t.ok(seen.has(row.audit), route)
  }
  const targets = (action: AuditedAction) => of(action).map(({ target_id: target }) => target)
  t.strictSame(targets('job.create').slice(1), [job, ...batch.jobs.map(({ job_id: id }) => id)])
  t.strictSame(targets('batch.create'), [batch.batch_id])
  t.strictSame(targets('batch.delete'), [batch.batch_id])
  t.strictSame(targets('job.delete').sort(), [job, ...batch.jobs.map(({ job_id: id }) => id)].sort())
  for (const action of ['object.presign', 'object.complete', 'object.delete'] as const) {
    t.strictSame(targets(action), [object])
  }
  for (const action of ['connection.create', 'connection.update', 'connection.rotate', 'connection.delete'] as const) {
    t.strictSame(targets(action), [connection])
  }
  t.strictSame(targets('model.delete'), [model])
  t.strictSame(targets('webhook_secret.rotate'), [null])
  for (const action of ['key.rotate', 'key.revoke'] as const) t.strictSame(targets(action), [made])
  t.match(of('job.delete').at(-1), {
    actor: idOf(key),
    request_id: deleted.headers.get('x-request-id'),
    outcome: 'success',
    error_code: null
  })
  t.match(of('key.create').map(({ actor, request_id: requestId }) => [actor, requestId === null]), [['command line',
    true], ['command line', true], [idOf(key), false]])
  t.strictSame(records.map(({ audit_id: id }) => id), records.map(({ audit_id: id }) => id).sort().reverse(),
    'newest first')
  t.strictSame(await pages(stage, key, 7), records, 'pages give each record once')
  t.match(new AuditLog(stage.metadata).verify('acme'), { ok: true, records: records.length })

  const { records: own } = JSON.parse(
    (await call('GET', `/data-connections/audit?connection_id=${connection}`)).text
  ) as { records: Array<{ audit_id: string }> }
  t.strictSame(own.map(({ audit_id: id }) => id),
    records.filter(({ action }) => action.startsWith('connection.')).map(({ audit_id: id }) => id),
    "under the ids of the connection's own chain")
})

t.test("an administrator's change of a tenant's key is in the log of that tenant alone", async (t) => {
  const { stage, call, log } = await open(t)
  const admin = (await stage.keys.create({ tenant: 'operator', scopes: ['admin', 'audit:read'] })).key
  const { id } = JSON.parse((await call('POST', '/admin/keys', { tenant: 'acme' }, admin)).text) as { id: string }
  t.match((await log())[0], { action: 'key.create', target_id: id, actor: idOf(admin) })
  t.notOk((await log(admin)).some(({ target_id: target }) => target === id))
})

t.test('what is refused or undone is not in the log, and a repeat with an Idempotency-Key is there once', async (t) => {
  const { stage, key, caller, call, log } = await open(t)
  const before = (await log()).length
  await expectError(t, await call('DELETE', '/jobs/job_01AAAAAAAAAAAAAAAAAAAAAAAA'), 404, 'job_not_found')
  await expectError(t, await call('POST', '/keys', { scopes: ['admin'] }), 403, 'auth_failed')
  const upload = await caller.presign({ file_size: 5 })
  await expectError(t, await caller.complete(upload.object_id), 409, 'object_not_ready')
  t.strictSame((await log()).slice(0, -before).map(({ action }) => action), ['object.presign'])
  for (let turn = 0; turn < 3; turn++) {
    await stage.app.inject({
      method: 'POST',
      url: '/keys',
      headers: { authorization: `Bearer ${key}`, 'idempotency-key': 'one' },
      payload: { scopes: ['jobs:read'] }
    })
  }
  t.equal((await log()).filter(({ action, actor }) => action === 'key.create' && actor === idOf(key)).length, 1)
  t.match(fieldsOf(await expectError(t, await call('GET', '/audit?limit=0'), 422, 'validation_error')), [{
    loc: ['query', 'limit']
  }])
  t.match(fieldsOf(await expectError(t, await call('GET', '/audit?limit=1001'), 422, 'validation_error')), [{
    loc: ['query', 'limit']
  }])
  t.match(fieldsOf(await expectError(t, await call('GET', '/audit?cursor=nonsense'), 422, 'validation_error')), [{
    loc: ['query', 'cursor']
  }])
})

t.test('records go after their time, and the chain goes on where it was', async (t) => {
  const { stage, call, log } = await open(t)
  const audit = new AuditLog(stage.metadata)
  await audit.sweep(Date.now() + parseDurationMs('1h'))
  t.strictSame(await log(), [])
  t.match(audit.verify('acme'), { ok: true, records: 0 })
  await call('POST', '/webhooks/secret')
  const [record] = await log()
  t.match(record, { action: 'webhook_secret.rotate', prev_hash: /^[0-9a-f]{64}$/ },
    'it names the last one that was swept')
  t.match(audit.verify('acme'), { ok: true, records: 1 })
})

t.test('a change that is repeated in a loop is limited as creations are, and leaves a bounded log', async (t) => {
  const { stage, key, log } = await open(t, { TABCAST_AUDIT_MAX_RECORDS: '100' })
  const id = 'a'.repeat(64)
  const rotate = async (headers = {}) =>
    await stage.app.inject({
      method: 'POST',
      url: '/webhooks/secret',
      headers: { authorization: `Bearer ${key}`, ...headers }
    })
  for (let round = 0; round < 3; round++) {
    await Promise.all(Array.from({ length: 100 }, () => rotate({ 'x-request-id': id })))
  }
  t.match((await rotate()).headers['ratelimit-policy'], /^"create";/)
  const records = await log()
  t.equal(records.length, 100)
  t.match(records[1], { action: 'webhook_secret.rotate', request_id: id })
  t.match(records.at(-1), { prev_hash: /^[0-9a-f]{64}$/ }, 'the oldest kept one names the one that went')
  t.match(new AuditLog(stage.metadata).verify('acme'), { ok: true, records: 100 })
  t.match((await rotate({ 'x-request-id': 'a'.repeat(65) })).statusCode, 200)
  t.notMatch((await log())[0]?.request_id, id, 'a longer one is not taken over')
  const stored = stage.metadata.table<string>('audit').range({ prefix: ['acme'] })
  t.ok([...stored].every(({ value }) => value.length < 600), 'so that a count bounds the bytes')
  const secrets = stage.metadata.table<{ previous: unknown[] }>('webhookSecrets').get(['acme'])?.value
  t.ok((secrets?.previous.length ?? 0) <= 4, 'of the secrets that were replaced few are kept')
})
