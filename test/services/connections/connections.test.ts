import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { rotateKeyring } from '../../../src/commands/rotate-keyring.ts'
import type { SourceColumn } from '../../../src/domain/connector-results.ts'
import type { DatasetInspection } from '../../../src/domain/dataset-inspection.ts'
import { messageVersion } from '../../../src/domain/message-version.ts'
import { dataPaths } from '../../../src/platform/config.ts'
import { ScratchSpace } from '../../../src/platform/disk/scratch-space.ts'
import { openVault } from '../../../src/platform/vault/open-vault.ts'
import type { ConnectionRecord } from '../../../src/services/connections/connection-record.ts'
import type { InspectOptions } from '../../../src/sources/connectors/connector.ts'
import { ConnectorDesk } from '../../../src/worker/connector-desk.ts'
import { Connectors } from '../../../src/worker/connectors.ts'
import { openApi, type ApiStage } from '../../support/api.ts'
import { startS3, whyNoS3, type TestS3 } from '../../support/s3.ts'
import { until } from '../../support/until.ts'

/* Data connections over HTTP, the record and a real store; the worker's desk runs in this process. */

interface Shown {
  connection_id: string
  name: string
  status: string
  object_storage: Record<string, unknown>
  credential: { auth_method: string, hint: string | null, key_version: string | null, created_at: string,
    rotated_at: string | null }
  capabilities: { conditional_put: boolean | null }
  [field: string]: unknown
}
interface Failure {
  error_code: string
  detail: Array<{ loc: string[], type: string, input?: unknown }> & { connector_code?: string, detail: string }
}

const secret = 'canary-secret-0123456789'
const storage = {
  bucket: 'data',
  endpoint_url: 'http://127.0.0.1:9',
  auth_method: 'access_key',
  file_format: 'csv',
  credentials: { access_key_id: 'AKIAIOSFODNN7WXYZ', secret_access_key: secret }
}

async function setup (t: Test, settings: Record<string, string> = {}) {
  const stage = await openApi(t, {
    TABCAST_CONNECTOR_ALLOW_CIDRS: '127.0.0.0/8',
    TABCAST_CONNECTOR_TIMEOUT_MS: '2000',
    ...settings
  })
  const call = async <T = Shown>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: unknown,
    key = stage.key) => {
    const answer = await stage.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${key}` },
      ...(payload === undefined ? {} : { payload: payload as object })
    })
    t.notMatch(answer.body, secret, 'no answer holds a secret')
    return {
      status: answer.statusCode,
      body: (answer.body === '' ? undefined : JSON.parse(answer.body)) as T,
      text: answer.body,
      headers: answer.headers
    }
  }
  const create = async (changes: Record<string, unknown> = {}) => {
    const { status, body, text } = await call('POST', '/data-connections', {
      connector_type: 's3_compatible',
      name: 'sales',
      object_storage: { ...storage, ...changes }
    })
    t.equal(status, 201, text)
    return body
  }
  return { stage, call, create }
}

/**
 * Serves connector requests as a worker does. The inspection reads the header only: what the engine finds is its own
 * tests' matter.
 */
async function startDesk (stage: ApiStage): Promise<ConnectorDesk> {
  const scratch = join(stage.folder, 'scratch')
  await mkdir(scratch, { recursive: true })
  const inspect = async ({ paths, dataset }: InspectOptions): Promise<DatasetInspection> => {
    const [header = ''] = (await readFile(paths[0] as string, 'utf8')).split('\n')
    const columns = header.split(',').map((name): SourceColumn => ({
      name,
      type: name === 'target' ? 'number' : 'text',
      nulls: 0
    }))
    const isMissing = !columns.some(({ name }) => name === dataset.columns.target)
    return {
      rowCount: 3,
      numItems: 1,
      columns,
      inferredFrequency: 'D',
      minLength: 3,
      maxLength: 3,
      start: '2024-01-01T00:00:00Z',
      end: '2024-01-03T00:00:00Z',
      checks: [{
        check: 'required_columns',
        status: isMissing ? 'failed' : 'passed',
        count: isMissing ? 1 : 0,
        sampleRows: [],
        message: 'Required columns.'
      }],
      warnings: [],
      truncated: false,
      schemaFingerprint: createHash('sha256').update(header).digest('hex')
    }
  }
  const desk = new ConnectorDesk({
    workerId: 'w1',
    config: stage.config,
    queue: stage.worker,
    store: stage.store,
    connectors: new Connectors(stage.config),
    scratch,
    scratchSpace: new ScratchSpace({ folder: scratch, maxBytes: 0, minFreeBytes: 0, workers: 1 }),
    log: pino({ level: 'silent' })
  }, () => inspect)
  stage.worker.serveQuickConnector((request) => desk.handle(request))
  return desk
}

t.test('a connection is made, shown, listed, renamed and deleted; secrets never come back', async (t) => {
  const { stage, call, create } = await setup(t)
  const made = await create({ prefix: 'in/', key_pattern: 'part-*.csv', region: 'eu-west-1', provider: 'minio' })
  t.match(made.connection_id, /^conn_[0-9A-Z]{26}$/)
  t.match(made, {
    status: 'untested',
    credential: { auth_method: 'access_key', hint: '****WXYZ', rotated_at: null },
    object_storage: { prefix: 'in/', region: 'eu-west-1', compression: null }
  })
  t.notOk('credentials' in made.object_storage)
  t.ok(made.credential.key_version)
  t.strictSame((await call('GET', `/data-connections/${made.connection_id}`)).body, made)
  const record = stage.metadata.table<ConnectionRecord>('connections').get(['acme', made.connection_id])?.value
  t.equal(
    openVault(dataPaths(stage.config).keyring).open(record?.credentials['secret_access_key'] as never, ['acme',
      made.connection_id, 'secret_access_key']).toString(),
    secret,
    'it is there, sealed'
  )

  const others = [await create(), await create()]
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { body }: { body: { connections: Shown[], next_cursor: string | null } } = await call('GET',
      `/data-connections?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
    seen.push(...body.connections.map((one) => one.connection_id))
    cursor = body.next_cursor
  }
  t.strictSame(seen, [made, ...others].map((one) => one.connection_id))
  t.equal((await call('GET', '/data-connections?cursor=nonsense')).status, 422)

  t.match((await call('PATCH', `/data-connections/${made.connection_id}`, { name: 'renamed' })).body, {
    name: 'renamed',
    status: 'untested'
  })
  t.equal((await call('DELETE', `/data-connections/${made.connection_id}`)).status, 204)
  t.equal((await call('DELETE', `/data-connections/${made.connection_id}`)).status, 404)
  await stage.metadata.backup(join(stage.folder, 'copy'))
  t.notOk((await readFile(join(stage.folder, 'copy', 'data.mdb'))).includes(secret), 'nothing of it is in the record')
})

t.test('what cannot work is refused field by field', async (t) => {
  const { call } = await setup(t)
  const refused = async (
    changes: Record<string, unknown>
  ) => (await call<Failure>('POST', '/data-connections', {
    connector_type: 's3',
    name: 'x',
    object_storage: { ...storage, ...changes }
  }))
  const cases: Array<[Record<string, unknown>, string]> = [
    [{ bucket: 'Upper' }, 'bucket'],
    [{ bucket: 'a..b' }, 'bucket'],
    [{ bucket: '10.0.0.1' }, 'bucket'],
    [{ bucket: '-ab' }, 'bucket'],
    [{ bucket: 'ab' }, 'bucket'],
    [{ prefix: '../x' }, 'prefix'],
    [{ prefix: '/x' }, 'prefix'],
    [{ prefix: 'a\\b' }, 'prefix'],
    [{ prefix: 'a\u0000' }, 'prefix'],
    [{ key_pattern: '../*' }, 'key_pattern'],
    [{ region: 'eu west' }, 'region'],
    [{ region: 'evil.example/' }, 'region'],
    [{ provider: 'x'.repeat(33) }, 'provider'],
    [{ file_format: 'xlsx' }, 'file_format'],
    [{ compression: 'brotli' }, 'compression'],
    [{ file_format: 'parquet', compression: 'gzip' }, 'compression'],
    [{ auth_method: 'sas_token' }, 'auth_method'],
    [{ auth_method: 'service_account_json' }, 'auth_method'],
    [{ auth_method: 'magic' }, 'auth_method'],
    [{ credentials: null }, 'credentials'],
    [{ auth_method: 'iam_role' }, 'credentials'],
    [{ role_arn: 'arn:aws:iam::1:role/x' }, 'role_arn'],
    [{ external_id: 'abc' }, 'external_id'],
    [{ auth_method: 'assume_role', credentials: null }, 'role_arn'],
    [{ endpoint_url: 'http://127.0.0.1:9/path' }, 'endpoint_url'],
    [{ surprise: 1 }, 'surprise']
  ]
  for (const [changes, field] of cases) {
    const { status, body } = await refused(changes)
    t.equal(status, 422, JSON.stringify(changes))
    t.equal(body.detail[0]?.loc.at(-1), field, JSON.stringify(changes))
  }
  const misplaced = await refused({ secret_access_key: secret, credentials: { access_key: secret } })
  t.ok(misplaced.body.detail.every(({ input }) => input === null || input === undefined),
    'a misplaced secret is not echoed')
  t.equal(
    (await call('POST', '/data-connections', { connector_type: 'ftp', name: 'x', object_storage: storage })).status,
    422
  )
  t.equal((await call('PATCH', '/data-connections/conn_0', {})).status, 422, 'a change has something to change')
})

t.test('what a refused body holds is not given back when it may be a secret', async (t) => {
  const { stage, call } = await setup(t)
  const storage = { bucket: 'data', credentials: { access_key_id: 'A', secret_access_key: secret } }
  for (const [method, path, body] of [['POST', '/data-connections', [{ object_storage: storage }]], ['POST',
    '/data-connections', { object_storage: [storage] }], ['PATCH', '/data-connections/conn_01J00000000000000000000000',
    [storage]]] as const) {
    const answer = await call(method, path, body as never)
    t.equal(answer.status, 422)
    t.notMatch(JSON.stringify(answer.body), secret)
  }
  t.ok(stage)
})

t.test('53: an endpoint that this deployment does not reach, or an identity that it does not lend, is a ' +
  'connector_error', async (t) => {
  const everywhere = { TABCAST_CONNECTOR_ALLOW_CIDRS: '0.0.0.0/0,::/0', TABCAST_METRICS_PORT: '18090' }
  const { call: opened } = await setup(t, { TABCAST_PORT: '18089', ...everywhere })
  const own = ['http://127.0.0.1:18089', 'http://127.0.0.1:18090', 'http://localhost:18090',
    'http://[::ffff:7f00:1]:18090']
  for (const endpoint of [...own, 'http://169.254.169.254', 'http://169.254.170.2', 'http://169.254.170.23',
    'http://[fd00:ec2::254]']) {
    const { status, body } = await opened('POST', '/data-connections', {
      connector_type: 's3',
      name: 'x',
      object_storage: { ...storage, endpoint_url: endpoint }
    })
    t.match({ status, ...body as object }, {
      status: 400,
      error_code: 'connector_error',
      detail: { connector_code: 'ENDPOINT_NOT_ALLOWED' }
    }, `${endpoint}, whatever the operator opened`)
  }
  const { call } = await setup(t, { TABCAST_PORT: '18089' })
  const attempt = async (
    changes: Record<string, unknown>
  ) => (await call<Failure>('POST', '/data-connections', {
    connector_type: 's3',
    name: 'x',
    object_storage: { ...storage, ...changes }
  }))
  for (const endpoint of ['http://169.254.169.254', 'http://10.0.0.1', 'http://[::ffff:7f00:1]:18089',
    'http://127.0.0.1:18089', 'http://localhost:18089', 'ftp://example.com', 'http://user@example.com', 'http://0',
    'http://017700000001']) {
    const { status, body } = await attempt({ endpoint_url: endpoint })
    t.match({ status, ...body }, {
      status: 400,
      error_code: 'connector_error',
      detail: { connector_code: 'ENDPOINT_NOT_ALLOWED', suggestion: String }
    }, endpoint)
  }
  for (const method of ['iam_role', 'instance_profile', 'workload_identity', 'assume_role']) {
    const role = method === 'assume_role'
      ? { role_arn: 'arn:aws:iam::123456789012:role/reader', external_id: 'abc' }
      : {}
    const { status, body } = await attempt({ auth_method: method, credentials: null, ...role })
    t.match({ status, ...body }, {
      status: 400,
      error_code: 'connector_error',
      detail: { connector_code: 'INVALID_CONFIGURATION' }
    }, method)
  }
  const { call: lending } = await setup(t, { TABCAST_CONNECTOR_AMBIENT_AUTH: 'true' })
  const role = {
    auth_method: 'assume_role',
    credentials: null,
    role_arn: 'arn:aws:iam::123456789012:role/reader',
    external_id: 'abc'
  }
  const { body: made } = await lending('POST', '/data-connections', {
    connector_type: 's3',
    name: 'x',
    object_storage: { ...storage, ...role }
  })
  t.match(made, {
    credential: { auth_method: 'assume_role', hint: null, key_version: null },
    object_storage: { external_id: 'abc' }
  })
})

t.test('stored secrets are not led elsewhere by a change, and a connection that leads elsewhere is untested', async (t) => {
  const { stage, call, create } = await setup(t, { TABCAST_CONNECTOR_AMBIENT_AUTH: 'true' })
  const { connection_id: id } = await create()
  const table = stage.metadata.table<ConnectionRecord>('connections')
  const asTested = async () =>
    await stage.metadata.transact((tx) => {
      const record = tx.get(table, ['acme', id])?.value as ConnectionRecord
      tx.put(table, ['acme', id], {
        ...record,
        status: 'connected',
        capabilities: { conditionalPut: true, versioning: false }
      })
    })
  const patch = async (change: Record<string, unknown>) =>
    await call<Shown & Failure>('PATCH', `/data-connections/${id}`, { object_storage: change })
  await asTested()
  for (const change of [{ endpoint_url: 'http://127.0.0.1:10' }, { endpoint_url: null }, { provider: 'other' }]) {
    const { status, body } = await patch(change)
    t.equal(status, 422, JSON.stringify(change))
    t.strictSame(body.detail[0]?.loc, ['body', 'object_storage', 'credentials'])
  }
  t.match((await patch({ prefix: 'elsewhere/', compression: 'gzip' })).body, {
    status: 'connected',
    object_storage: { prefix: 'elsewhere/', compression: 'gzip' }
  })
  t.match((await patch({ bucket: 'another' })).body, { status: 'untested', capabilities: { conditional_put: null } })
  await asTested()
  const moved = (await patch({
    endpoint_url: 'http://127.0.0.1:10',
    credentials: { access_key_id: 'AKIANEWKEYNEWKEY1', secret_access_key: 'new-secret-value' }
  })).body
  t.match(moved, { status: 'untested', credential: { hint: '****KEY1', rotated_at: String } })
  await asTested()
  const rotated = await call('POST', `/data-connections/${id}/credentials`, {
    credentials: { access_key_id: 'AKIAROTATEDKEY2', secret_access_key: 'newer-secret' }
  })
  t.match(rotated, {
    status: 200,
    body: {
      status: 'untested',
      credential: { hint: '****KEY2', rotated_at: String, created_at: moved.credential.created_at }
    }
  })
  const role = await patch({ auth_method: 'assume_role', role_arn: 'arn:aws:iam::123456789012:role/reader' })
  t.match(role.body, { credential: { auth_method: 'assume_role', hint: null, key_version: null } })
  t.strictSame(table.get(['acme', id])?.value.credentials, {}, 'secrets that nothing uses are gone')
  t.equal((await call('POST', `/data-connections/${id}/credentials`, { credentials: storage.credentials })).status, 422)
  t.equal((await patch({ auth_method: 'access_key' })).status, 422, 'and are asked for again')
  t.match((await patch({ auth_method: 'access_key', credentials: storage.credentials })).body, {
    object_storage: { role_arn: null }
  })
})

t.test('47: a foreign connection answers as an unknown one, on every route and for any two tenants', async (t) => {
  const { stage, call, create } = await setup(t)
  const { connection_id: id } = await create()
  const unknown = id.slice(0, -1) + (id.endsWith('0') ? '1' : '0')
  const { key: stranger } = await stage.keys.create({ tenant: 'stranger' })
  const routes: Array<['GET' | 'POST' | 'PATCH' | 'DELETE', (id: string) => string, unknown?]> = [
    ['GET', (one) => `/data-connections/${one}`],
    ['PATCH', (one) => `/data-connections/${one}`, { name: 'mine' }],
    ['PATCH', (one) => `/data-connections/${one}`, { object_storage: { bucket: 'mine' } }],
    ['POST', (one) => `/data-connections/${one}/credentials`, { credentials: storage.credentials }],
    ['POST', (one) => `/data-connections/${one}/test`],
    ['POST', (one) => `/data-connections/${one}/validate`, {}],
    ['GET', (one) => `/data-connections/${one}/objects`],
    ['GET', (one) => `/data-connections/audit?connection_id=${one}`],
    ['DELETE', (one) => `/data-connections/${one}`]
  ]
  for (const [method, url, payload] of routes) {
    const [foreign, absent, malformed] = await Promise.all([id, unknown, 'conn_x'].map(async (one) => {
      const { status, body, headers } = await call<Record<string, unknown>>(method, url(one), payload, stranger)
      return { status, type: headers['content-type'], body: { ...body, request_id: '' } }
    }))
    t.match(foreign, { status: 404, body: { error_code: 'connection_not_found' } }, `${method} ${url('{id}')}`)
    t.strictSame(foreign, absent)
    t.strictSame(foreign, malformed)
  }
  t.equal((await call('GET', `/data-connections/${id}`)).status, 200, 'the owner still has it')
  t.strictSame((await call('GET', '/data-connections', undefined, stranger)).body, {
    connections: [],
    next_cursor: null
  })
})

t.test('a key of the sandbox, or without the scope, has no connections', async (t) => {
  const { stage, call } = await setup(t)
  const { key: sandbox } = await stage.keys.create({ scopes: ['sandbox'] })
  const { key: other } = await stage.keys.create({ tenant: 'acme', scopes: ['forecast'] })
  for (const key of [sandbox, other]) {
    t.match(await call('GET', '/data-connections', undefined, key), {
      status: 403,
      body: { error_code: 'auth_failed' }
    })
  }
})

t.test('a tenant has so many connections and no more', async (t) => {
  const { stage, call, create } = await setup(t)
  const { connection_id: id } = await create()
  const table = stage.metadata.table<ConnectionRecord>('connections')
  const record = table.get(['acme', id])?.value as ConnectionRecord
  await stage.metadata.transact((tx) => {
    for (let index = 1; index < 1000; index++) tx.put(table, ['acme', `${id}-${index}`], record)
  })
  t.match(await call('POST', '/data-connections', { connector_type: 's3', name: 'x', object_storage: storage }), {
    status: 400,
    body: { error_code: 'validation_error', detail: { suggestion: String } }
  })
})

t.test('test, list and validate reach the store through a worker', { skip: whyNoS3('minio') }, async (t) => {
  const store: TestS3 = await startS3(t, 'minio')
  await store.createBucket('data')
  const put = async (key: string, content: string) => {
    await store.client.putObject('data', key, Buffer.from(content))
  }
  const { stage, call, create } = await setup(t)
  const working = {
    endpoint_url: store.endpoint,
    prefix: 'in/',
    credentials: { access_key_id: store.accessKeyId, secret_access_key: store.secretAccessKey }
  }
  const { connection_id: id } = await create(working)
  t.match(await call('POST', `/data-connections/${id}/test`), {
    status: 503,
    body: { error_code: 'compute_unavailable' }
  }, 'no worker serves it')
  await startDesk(stage)

  // The subscription takes a moment to reach the server.
  const tested = await until('the desk is reached', async () => {
    const answer = await call('POST', `/data-connections/${id}/test`)
    return answer.status === 503 ? undefined : answer
  })
  t.match(tested.body, {
    connection_id: id,
    ok: true,
    status: 'connected',
    error_code: null,
    error: null,
    retryable: false,
    capabilities: { conditional_put: true, versioning: false }
  })
  t.equal((tested.body['checks'] as unknown[]).length, 7)
  t.match((await call('GET', `/data-connections/${id}`)).body, {
    status: 'connected',
    last_tested_at: tested.body['checked_at'],
    last_error_code: null,
    capabilities: { conditional_put: true }
  })

  t.match(await call('POST', `/data-connections/${id}/validate`, {}), {
    status: 404,
    body: { error_code: 'connector_error', detail: { connector_code: 'SOURCE_NOT_FOUND' }, retryable: false }
  })
  await put('in/1.csv', 'item_id,timestamp,target\na,2024-01-01,1\n')
  await put('in/2.csv', 'item_id,timestamp,target\na,2024-01-02,1\n')
  const first = (await call('POST', `/data-connections/${id}/validate`, { known_covariates: ['promo'] })).body
  t.match(first, {
    valid: true,
    row_count: 3,
    truncated: false,
    inferred_frequency: 'D',
    schema_drift: { drifted: false }
  })
  t.match(first['checks'], [{ check: 'required_columns', status: 'passed' }, { check: 'volume', status: 'passed' }, {
    check: 'schema_drift',
    status: 'passed'
  }])
  await put('in/1.csv', 'item_id,timestamp,target,promo\na,2024-01-01,1,0\n')
  const second = (await call('POST', `/data-connections/${id}/validate`, {})).body
  t.match(second, { valid: true, schema_drift: { drifted: true, added: ['promo'], removed: [], type_changed: [] } })
  t.not(second['schema_fingerprint'], first['schema_fingerprint'])
  t.match((await call('POST', `/data-connections/${id}/validate`, { target_column: 'sales' })).body, { valid: false })
  t.equal((await call('POST', `/data-connections/${id}/validate`, { freq: 'fortnight' })).status, 422)
  t.equal((await call('POST', `/data-connections/${id}/validate`, { target_column: 'item_id' })).status, 422)

  const page = (await call('GET', `/data-connections/${id}/objects?limit=1`)).body
  t.match(page, { connection_id: id, objects: [{ key: 'in/1.csv', size: Number, modified: String, etag: String }] })
  t.match((await call('GET', `/data-connections/${id}/objects?limit=1&cursor=${String(page['next_cursor'])}`)).body, {
    objects: [{ key: 'in/2.csv' }],
    next_cursor: null
  })

  const { connection_id: broken } = await create({
    ...working,
    credentials: { access_key_id: store.accessKeyId, secret_access_key: 'a-wrong-secret' }
  })
  t.match((await call('POST', `/data-connections/${broken}/test`)).body, {
    ok: false,
    status: 'failed',
    error_code: 'AUTHENTICATION_FAILED',
    error: String,
    retryable: false
  })
  t.match(await call('GET', `/data-connections/${broken}/objects`), {
    status: 502,
    body: { error_code: 'connector_error', detail: { connector_code: 'AUTHENTICATION_FAILED' } }
  })
  const { connection_id: away } = await create({ endpoint_url: 'http://127.0.0.1:9' })
  t.match((await call('POST', `/data-connections/${away}/test`)).body, {
    ok: false,
    error_code: 'NETWORK_ERROR',
    retryable: true
  })

  const { body } = await call<
    {
      records: Array<
        { action: string, outcome: string, error_code: string | null, actor: string, object_uri: string | null }
      >
    }
  >('GET', `/data-connections/audit?connection_id=${broken}`)
  t.match(body.records.map(({ action, outcome, error_code: code }) => [action, outcome, code]), [
    ['list', 'failure', 'AUTHENTICATION_FAILED'],
    ['test', 'failure', 'AUTHENTICATION_FAILED'],
    ['create', 'success', null]
  ])
  t.match(body.records[1], { object_uri: 's3://data/in/', actor: stage.key.split('_')[2] })

  // A rotation of the keyring between two uses of the connection.
  const paths = dataPaths(stage.config)
  const rotation = await rotateKeyring(paths.keyring, { metadata: stage.metadata, vault: openVault(paths.keyring) })
  t.equal(rotation.rewrapped, 3)
  const after = (await call('POST', `/data-connections/${id}/test`)).body
  t.match(after, { ok: true }, 'a worker that holds the old keyring reads the new one')
  t.equal((await call('GET', `/data-connections/${id}`)).body.credential.key_version, rotation.keyId)
})

/** Validations find these columns; gives what has one made. */
function findColumns ({ stage, call }: Awaited<ReturnType<typeof setup>>, names: readonly string[]) {
  stage.worker.serveQuickConnector(async () => ({
    v: messageVersion,
    ok: true,
    result: {
      rowCount: 3,
      numItems: 1,
      columns: names.map((name) => ({ name, type: 'number' as const, nulls: 0 })),
      inferredFrequency: 'D',
      minLength: 3,
      maxLength: 3,
      start: '2024-01-01T00:00:00Z',
      end: '2024-01-03T00:00:00Z',
      checks: [],
      warnings: [],
      truncated: false,
      schemaFingerprint: 'f',
      bytesRead: 1
    }
  }))
  return async (id: string) =>
    await until('the worker is reached', async () => {
      const answer = await call<
        { schema_drift: { drifted: boolean, added: string[], removed: string[] }, checks: unknown[] }
      >('POST', `/data-connections/${id}/validate`, {})
      return answer.status === 503 ? undefined : answer
    })
}

t.test('a page of connections has a bound of bytes, and the columns of a source are not in it', async (t) => {
  const served = await setup(t)
  const { stage, call, create } = served
  const names = Array.from({ length: 500 }, (_one, at) => `c${at}`.padEnd(190, 'x'))
  const validate = findColumns(served, names)
  const connections = stage.metadata.table<ConnectionRecord>('connections')
  const bytesOf = (id: string) => connections.get(['acme', id])?.bytes ?? 0
  const ids: string[] = []
  for (let at = 0; at < 25; at++) ids.push((await create()).connection_id)
  const [first = '', second = '', third = ''] = ids
  const before = bytesOf(first)
  t.match((await validate(first)).body, {
    schema_drift: { drifted: false },
    checks: [{ message: 'The source was not validated before.' }]
  })
  t.equal(bytesOf(first), before, 'its record has them not')
  t.strictSame((await call<{ connections: unknown[] }>('GET', '/data-connections')).body.connections.length, 25,
    'so all are on one page')

  // As a release of before has written them.
  const lastSchema = {
    fingerprint: 'f',
    columns: ['gone', ...names].map((name) => ({ name, type: 'number' as const, nulls: 0 }))
  }
  for (const id of ids) {
    const record = connections.get(['acme', id])?.value as ConnectionRecord
    await stage.metadata.transact((tx) => tx.put(connections, ['acme', id], { ...record, lastSchema }))
  }
  const pages: string[][] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body }: { body: { connections: Shown[], next_cursor: string | null } } = await call('GET',
      `/data-connections${cursor === '' ? '' : `?cursor=${cursor}`}`)
    pages.push(body.connections.map((one) => one.connection_id))
    cursor = body.next_cursor
  }
  t.strictSame(pages.flat(), ids)
  t.ok(pages.every((page) => page.length > 0 && page.reduce((sum, id) => sum + bytesOf(id), 0) <= 2 ** 20),
    `${pages.map((page) => page.length).join()} on a page`)

  t.match((await validate(second)).body.schema_drift, { drifted: true, removed: ['gone'] }, 'they are still compared')
  t.equal(bytesOf(second), before, 'and leave the record')
  t.match((await validate(second)).body.schema_drift, { drifted: false })
  for (const id of [second, third]) {
    t.equal((await call('PATCH', `/data-connections/${id}`, { object_storage: { prefix: 'elsewhere/' } })).status, 200)
    t.match((await validate(id)).body, {
      schema_drift: { drifted: false },
      checks: [{ message: 'The source was not validated before.' }]
    }, 'those of another source are forgotten')
  }
  t.equal((await call('DELETE', `/data-connections/${second}`)).status, 204)
  t.equal(stage.metadata.table('sourceSchemas').get(['acme', second]), undefined)
})

t.test('a source of long column names does not fill the record of its connection, and its drift is still seen', async (t) => {
  const served = await setup(t)
  const { stage, create } = served
  const { connection_id: id } = await create()
  const names = Array.from({ length: 20 }, (_one, at) => `${'n'.repeat(30_000)}${at}`)
  const validateAny = findColumns(served, names)
  const validate = async () => await validateAny(id)
  t.match((await validate()).body, { schema_drift: { drifted: false } })
  t.match((await validate()).body, { schema_drift: { drifted: false } }, 'names are compared as they are remembered')
  t.ok(JSON.stringify(stage.metadata.table('sourceSchemas').get(['acme', id])?.value).length < 10_000)
  names.push(`${'n'.repeat(30_000)}20`)
  const { schema_drift: drift } = (await validate()).body
  t.equal(drift.drifted, true)
  t.strictSame(drift.added.map((name) => name.length <= 200), [true], 'a name that differs at its end only')
})
