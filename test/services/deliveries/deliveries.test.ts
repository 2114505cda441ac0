import t from 'tap'
import type { ObjectStorage } from '../../../src/domain/connection.ts'
import type { JobResult } from '../../../src/domain/job-result.ts'
import { LmdbTable } from '../../../src/platform/metadata/table.ts'
import type { QuickDeliverReply, QuickDeliverRequest } from '../../../src/platform/queue/quick-messages.ts'
import { DeliveredObjects, maxKeptDeliveries } from '../../../src/services/connections/delivered-objects.ts'
import { defaultTemplate, resolveKey, templateFault } from '../../../src/services/deliveries/key-template.ts'
import { openApi, type ApiStage } from '../../support/api.ts'
import { expectError, fieldsOf } from '../../support/expect-error.ts'
import { StorageCaller } from '../../support/storage.ts'
import { until } from '../../support/until.ts'

const v = 1
const secret = 'canary-secret-access-key'

interface Shown {
  job_id: string
  status: string
  delivery_status: string | null
  delivery_uri: string | null
  delivery_error: string | null
  delivery_connection_id: string | null
  connector_code: string | null
}

/** The test plays the worker: it takes connection jobs and answers deliveries as it is told to. */
async function setup (t: Parameters<typeof openApi>[0], settings: Record<string, string> = {}) {
  const stage = await openApi(t, {
    TABCAST_CONNECTOR_ALLOW_CIDRS: '127.0.0.0/8',
    TABCAST_DELIVERY_RETRY_SECONDS: '0,0.1,0.1',
    ...settings
  })
  const caller = new StorageCaller(stage)
  const requests: QuickDeliverRequest[] = []
  const replies: QuickDeliverReply[] = []
  stage.worker.serveQuickDeliver(async (request) => {
    requests.push(request)
    return replies.shift() ??
      { v, ok: true, uri: `s3://${request.connection.objectStorage.bucket}/${request.key}`, bytes: 7 }
  })
  return { stage, caller, requests, replies, connection: await connect(caller) }
}

async function connect (caller: StorageCaller, prefix = 'history/'): Promise<string> {
  const answer = await caller.ask('POST', '/data-connections', {
    connector_type: 's3_compatible',
    name: 'warehouse',
    object_storage: {
      bucket: 'sales',
      prefix,
      region: 'us-east-1',
      endpoint_url: 'http://127.0.0.1:9',
      auth_method: 'access_key',
      file_format: 'csv',
      credentials: { access_key_id: 'AKIAEXAMPLE00000', secret_access_key: secret }
    }
  })
  return (JSON.parse(answer.text) as { connection_id: string }).connection_id
}

async function submit (caller: StorageCaller, connection: string, body: object = {}): Promise<Shown> {
  return await caller.json<Shown>('POST', `/data-connections/${connection}/forecast`, { prediction_length: 3, ...body })
}

async function delivered (caller: StorageCaller, { job_id: id }: Shown, status: string): Promise<Shown> {
  return await until(`the delivery is ${status}`, async () => {
    const job = await caller.json<Shown>('GET', `/jobs/${id}`)
    return job.delivery_status === status ? job : undefined
  })
}

async function audit (caller: StorageCaller, connection: string,
  action: string): Promise<Array<Record<string, unknown>>> {
  const { records } = await caller.json<{ records: Array<Record<string, unknown>> }>('GET',
    `/data-connections/audit?connection_id=${connection}`)
  return records.filter((record) => record['action'] === action).reverse()
}

/** What is in the tenant's store is not known before the job runs, so such a job counts as large. */
async function finish (stage: ApiStage, files: Record<string, string> = table,
  changes: Partial<JobResult> = {}): Promise<void> {
  await stage.finishNext(files, changes, 'large')
}

const table = { 'forecast.parquet': 'parquet', 'forecast.csv': 'a,b\n1,2\n' }

t.test('a job from a connection carries the sealed connection, and its table is written back', async (t) => {
  const { stage, caller, requests, connection } = await setup(t)
  const job = await submit(caller, connection, { output: {} })
  t.match(job, {
    status: 'pending',
    delivery_status: 'pending',
    delivery_connection_id: connection,
    delivery_uri: null,
    delivery_error: null
  })
  await finish(stage, table, { source: { uri: 's3://sales/history/', bytes: 99, parts: 2 } })
  const end = await delivered(caller, job, 'delivered')
  const key = `service-forecasts/${new Date().toISOString().slice(0, 10)}/${job.job_id}.csv`
  t.match(end, { status: 'completed', delivery_uri: `s3://sales/${key}`, delivery_error: null, connector_code: null })
  t.equal(requests.length, 1)
  t.match(requests[0], {
    key,
    fileFormat: 'csv',
    allowOverwrite: false,
    source: { fileFormat: 'csv' },
    connection: { connectionId: connection }
  })
  t.notMatch(Buffer.from(JSON.stringify(requests)).toString(), secret)
  t.match(await audit(caller, connection, 'read'), [{
    outcome: 'success',
    job_id: job.job_id,
    object_uri: 's3://sales/history/',
    bytes: 99
  }])
  t.match(await audit(caller, connection, 'deliver'), [{
    outcome: 'success',
    job_id: job.job_id,
    object_uri: `s3://sales/${key}`,
    bytes: 7,
    rows: 6
  }])
})

t.test('the rows of a reconciled table are those of its aggregates too', async (t) => {
  const { stage, caller, connection } = await setup(t)
  const job = await submit(caller, connection, {
    output: {},
    reconciliation: { enabled: true, hierarchy_columns: ['region', 'store'], method: 'bottom_up' }
  })
  await finish(stage, table, {
    numItems: 6,
    reconciliation: {
      method: 'bottom_up',
      levels: [{ name: 'total', numNodes: 1 }, { name: 'region', numNodes: 2 }, { name: 'store', numNodes: 6 }],
      numSeries: 9,
      numBottom: 6,
      totalLabel: 'total',
      separator: '/',
      residualWindowsUsed: 0,
      maxIncoherenceBefore: 0,
      maxIncoherenceAfter: 0,
      warnings: []
    }
  })
  await delivered(caller, job, 'delivered')
  t.match(await audit(caller, connection, 'deliver'), [{ outcome: 'success', job_id: job.job_id, rows: 27 }])
})

t.test("what was delivered below the source's prefix is no part of it", async (t) => {
  const { stage, caller } = await setup(t)
  const whole = await connect(caller, '')
  const first = await submit(caller, whole, { output: { key_template: 'out/{job_id}.jsonl', file_format: 'jsonl' } })
  const taken = await stage.takeNext('large')
  t.match('connection' in taken.message.input ? taken.message.input.connection.delivered : undefined, [])
  taken.nak()
  await finish(stage, table, { source: { uri: 's3://sales/', bytes: 1, parts: 1 } })
  await delivered(caller, first, 'delivered')
  await submit(caller, whole)
  const { message } = await stage.takeNext('large')
  t.strictSame('connection' in message.input ? message.input.connection.delivered : undefined, [{
    key: `out/${first.job_id}.jsonl`,
    bytes: 7
  }])
})

t.test('a failed read fails the job with its code, is in the audit trail, and leaves nothing to deliver', async (t) => {
  const { stage, caller, requests, connection } = await setup(t)
  const job = await submit(caller, connection, { output: {} })
  await finish(stage, {}, {
    code: 'connector_error',
    error: 'The store does not accept the access key.',
    connectorCode: 'AUTHENTICATION_FAILED',
    files: []
  })
  t.match(await delivered(caller, job, 'skipped'), {
    status: 'failed',
    error_code: 'connector_error',
    connector_code: 'AUTHENTICATION_FAILED',
    error: 'The store does not accept the access key.'
  })
  t.match(await audit(caller, connection, 'read'), [{ outcome: 'failure', error_code: 'AUTHENTICATION_FAILED' }])
  t.match(await audit(caller, connection, 'deliver'), [{ outcome: 'skipped', job_id: job.job_id }])
  t.equal(requests.length, 0)
})

t.test('a delivery is tried again while that may help, and never fails the forecast', async (t) => {
  const { stage, caller, requests, replies, connection } = await setup(t)
  replies.push({ v, ok: false, error: 'NETWORK_ERROR' }, { v, ok: false, error: 'PROVIDER_UNAVAILABLE' })
  const lucky = await submit(caller, connection, { output: { file_format: 'parquet' } })
  await finish(stage)
  t.match(await delivered(caller, lucky, 'delivered'), { status: 'completed', delivery_error: null })
  t.equal(requests.length, 3)
  t.strictSame((await audit(caller, connection, 'deliver')).map((record) => record['outcome']), ['failure', 'failure',
    'success'])

  replies.push(...['TIMEOUT', 'TIMEOUT', 'TIMEOUT'].map(() => ({ v, ok: false as const, error: 'TIMEOUT' as const })))
  const unlucky = await submit(caller, connection, { output: {} })
  await finish(stage)
  t.match(await delivered(caller, unlucky, 'failed'), {
    status: 'completed',
    delivery_uri: null,
    delivery_error: 'The store did not answer in time.'
  })

  replies.push({ v, ok: false, error: 'DESTINATION_EXISTS' })
  const taken = await submit(caller, connection, { output: { key_template: 'latest.csv' } })
  await finish(stage)
  t.match(await delivered(caller, taken, 'failed'), {
    status: 'completed',
    delivery_error: /another object under the destination's key/
  })
  t.equal((await caller.ask('GET', `/jobs/${taken.job_id}/download?format=csv`)).status, 200, 'the result stays')
  t.equal(requests.length, 7, 'what cannot change is not tried again')
})

t.test('a worker that has no time costs no attempt', async (t) => {
  const { stage, caller, replies, connection } = await setup(t, { TABCAST_DELIVERY_RETRY_SECONDS: '0' })
  replies.push({ v, ok: false, busy: true })
  const job = await submit(caller, connection, { output: {} })
  await finish(stage)
  t.match(await delivered(caller, job, 'delivered'), { status: 'completed' })
  t.match(await audit(caller, connection, 'deliver'), [{ outcome: 'success' }])
})

t.test('what keeps a worker from making the table counts, so that a delivery that can never be made ends', async (t) => {
  const { stage, caller, requests, replies, connection } = await setup(t)
  replies.push({ v, ok: false, failed: 'no_room' }, { v, ok: false, failed: 'pipeline_failed' }, {
    v,
    ok: false,
    failed: 'no_room'
  })
  const full = await submit(caller, connection, { output: { file_format: 'json' } })
  await finish(stage)
  t.match(await delivered(caller, full, 'failed'), {
    status: 'completed',
    delivery_error: /no room to make the table.*parquet/
  })
  t.equal(requests.length, 3)
  t.strictSame((await audit(caller, connection, 'deliver')).map((record) => record['error_code']), ['INTERNAL_ERROR',
    'INTERNAL_ERROR', 'INTERNAL_ERROR'])

  replies.push({ v, ok: false, error: 'DATASET_TOO_LARGE' })
  const large = await submit(caller, connection, { output: { file_format: 'json' } })
  await finish(stage)
  t.match(await delivered(caller, large, 'failed'), { status: 'completed', delivery_error: /takes more of the disk/ })
})

t.test('a connection with more results than a source may have among its data still takes deliveries', async (t) => {
  const { stage, caller, requests, connection } = await setup(t)
  const full = await connect(caller, 'out/')
  const remembered = new DeliveredObjects(stage.metadata)
  await stage.metadata.transact((tx) => {
    for (let at = 0; at <= 5_000; at++) remembered.note(tx, 'acme', full, `out/${at}.csv`, { jobId: '', bytes: 1 })
  })
  const job = await submit(caller, connection, { output: { connection_id: full, key_template: 'out/{job_id}.csv' } })
  await finish(stage)
  await delivered(caller, job, 'delivered')
  t.strictSame(requests.map((request) => request.connection.delivered), [[]], 'the list is for sources')
  const refused = await expectError(t, await caller.ask('POST', `/data-connections/${full}/forecast`, {}), 400,
    'connector_error')
  t.match(refused.detail, {
    detail: /More than 5000 results lie below the prefix/,
    connector_code: 'INVALID_CONFIGURATION'
  })
})

t.test('what was delivered is read once for all jobs of a source, and for one source in a turn', async (t) => {
  const { stage, caller } = await setup(t)
  const sources = await Promise.all([1, 2, 3, 4].map(() => connect(caller, 'out/')))
  const jobs: Shown[] = []
  for (let round = 0; round < 5; round++) for (const source of sources) jobs.push(await submit(caller, source))
  const remembered = new DeliveredObjects(stage.metadata)
  for (const [index, source] of sources.entries()) {
    await stage.metadata.transact((tx) => {
      const most = index === 0 ? 5_001 : 5_000
      for (let at = 0; at < most; at++) remembered.note(tx, 'acme', source, `out/${at}.csv`, { jobId: '', bytes: 1 })
    })
  }

  const reads = { all: 0, turn: 0, most: 0 }
  const { range } = LmdbTable.prototype
  t.teardown(() => {
    LmdbTable.prototype.range = range
  })
  LmdbTable.prototype.range = function* (options) {
    for (const entry of range.call(this, options)) {
      if (String(entry.key[2]).startsWith('out/')) {
        reads.all++
        reads.most = Math.max(reads.most, ++reads.turn)
        if (reads.turn === 1) {
          setImmediate(() => {
            reads.turn = 0
          })
        }
      }
      yield entry as never
    }
  }
  // The first two were published before.
  stage.announces = { slots: 64 }
  await until('all are published, or have failed', () => stage.metadata.table('outbox').count() === 0)
  t.equal(reads.all, 20_001, 'each list once')
  t.ok(reads.most < 10_000, `${reads.most} in a turn`)
  for (const [index, { job_id: id }] of jobs.entries()) {
    const job = await caller.json<Shown & { error: string }>('GET', `/jobs/${id}`)
    if (index < 2 || index % 4 !== 0) t.equal(job.status, 'pending')
    else t.match(job, { status: 'failed', error_code: 'connector_error', error: /More than 5000 results/ })
  }
})

t.test('a connection that is gone ends its jobs and deliveries, and is refused before', async (t) => {
  const { stage, caller, connection } = await setup(t)
  const other = await connect(caller)
  const job = await submit(caller, connection, { output: { connection_id: other } })
  await caller.ask('DELETE', `/data-connections/${other}`)
  await finish(stage)
  t.match(await delivered(caller, job, 'failed'), { status: 'completed', delivery_error: /was deleted/ })
  await expectError(t,
    await caller.ask('POST', `/data-connections/${connection}/forecast`, { output: { connection_id: other } }), 404,
    'connection_not_found')
  await expectError(t, await caller.ask('POST', `/data-connections/${other}/forecast`, {}), 404, 'connection_not_found')
  const foreign = await StorageCaller.of(stage, 'beta')
  await expectError(t, await foreign.ask('POST', `/data-connections/${await connect(foreign)}/forecast`, {
    output: { connection_id: connection }
  }), 404, 'connection_not_found')
})

t.test('55: the key of a delivery is a plain object key, and only {job_id} and {date} are filled in', async (t) => {
  const { caller, connection } = await setup(t)
  for (const template of ['../x/{job_id}', '{tenant}/x.csv', '/abs', 'a\\b', 'a/{job_id', 'a/}', 'a/../b',
    'x'.repeat(1020) + '{date}', 'a\u0001b']) {
    const envelope = await expectError(t,
      await caller.ask('POST', `/data-connections/${connection}/forecast`, { output: { key_template: template } }), 422,
      'validation_error')
    t.match(fieldsOf(envelope), [{ loc: ['body', 'output', 'key_template'] }], template)
    t.ok(templateFault(template))
  }
  t.equal(templateFault(defaultTemplate('csv')), undefined)
  t.equal(resolveKey('a/{date}/{job_id}-{job_id}.csv', 'job_1', Date.UTC(2026, 10, 21, 23, 59)),
    'a/2026-11-21/job_1-job_1.csv')
  await expectError(t,
    await caller.ask('POST', `/data-connections/${connection}/forecast`, { output: { format: 'csv' } }), 422,
    'validation_error')
})

t.test('deleting the job ends its delivery', async (t) => {
  const { stage, caller, replies, requests, connection } = await setup(t, { TABCAST_DELIVERY_RETRY_SECONDS: '0,30' })
  replies.push({ v, ok: false, error: 'TIMEOUT' })
  const job = await submit(caller, connection, { output: {} })
  await finish(stage)
  await until('one attempt', () => requests.length === 1)
  await until('the next one is planned', () => stage.metadata.table('deliveryDue').count() === 1)
  t.equal((await caller.ask('DELETE', `/jobs/${job.job_id}`)).status, 204)
  t.equal(stage.metadata.table('deliveryDue').count(), 0)
})

t.test('a key needs both scopes, and a tenant', async (t) => {
  const { stage, connection } = await setup(t)
  for (const owned of [{ tenant: 'acme', scopes: ['forecast'] }, { tenant: 'acme', scopes: ['connections'] }, {
    scopes: ['sandbox']
  }]) {
    const caller = new StorageCaller(stage, (await stage.keys.create(owned)).key)
    await expectError(t, await caller.ask('POST', `/data-connections/${connection}/forecast`, {}), 403, 'auth_failed')
  }
})

t.test('what was delivered is remembered up to a bound, and forgotten with its connection', async (t) => {
  const { stage, caller, connection } = await setup(t)
  const entries = stage.metadata.table<{ jobId: string, bytes: number }>('deliveredObjects')
  const delivered = new DeliveredObjects(stage.metadata)
  const other = await connect(caller, '')
  for (let first = 0; first < maxKeptDeliveries; first += 5000) {
    await stage.metadata.transact((tx) => {
      for (let at = first; at < first + 5000; at++) {
        delivered.note(tx, 'acme', connection, `service-forecasts/2026-01-01/job_${String(at).padStart(26, '0')}.csv`, {
          jobId: '',
          bytes: 1
        })
      }
    })
  }
  await stage.metadata.transact((tx) =>
    delivered.note(tx, 'acme', connection, `service-forecasts/2026-01-01/job_${'0'.repeat(26)}.csv`, {
      jobId: '',
      bytes: 2
    })
  )
  t.equal(stage.metadata.table<{ objects: number }>('deliveredTotals').get(['acme', connection])?.value.objects,
    maxKeptDeliveries, 'one that is written over counts once')
  await expectError(t, await caller.ask('POST', `/data-connections/${connection}/forecast`, { output: {} }), 400,
    'connector_error')
  t.match(await submit(caller, connection), { status: 'pending' }, 'without a delivery it is as good as before')
  t.match(await submit(caller, connection, { output: { connection_id: other } }), { delivery_status: 'pending' })

  t.equal((await caller.ask('DELETE', `/data-connections/${connection}`)).status, 204)
  await stage.metadata.transact((tx) => delivered.note(tx, 'acme', other, 'out/a.csv', { jobId: '', bytes: 1 }))
  await delivered.sweep((_tenant, connectionId) => connectionId === other)
  t.strictSame([...entries.range()].map(({ key }) => key), [['acme', other, 'out/a.csv']])
  t.equal(stage.metadata.table('deliveredTotals').count(), 1)
})

t.test('deliveries under the default key cost only a source that asks for them', async (t) => {
  const { stage } = await setup(t)
  const delivered = new DeliveredObjects(stage.metadata)
  const key = (at: number) => `service-forecasts/2026-01-0${at % 2 + 1}/job_${String(at).padStart(26, '0')}.csv`
  await stage.metadata.transact((tx) => {
    for (let at = 0; at < 4; at++) delivered.note(tx, 'acme', 'conn_1', key(at), { jobId: '', bytes: at })
    for (const own of ['out/a.csv', 'service-forecasts/2026-01-01/own.csv']) {
      delivered.note(tx, 'acme', 'conn_1', own, { jobId: '', bytes: 9 })
    }
    // As an earlier release noted it.
    tx.put(stage.metadata.table('deliveredObjects'), ['acme', 'conn_1', key(8)], { jobId: '', bytes: 8 })
  })
  const among = (prefix: string) =>
    delivered.among('acme', 'conn_1', { prefix } as ObjectStorage).map((object) => object.key)
  t.strictSame(among(''), ['out/a.csv', 'service-forecasts/2026-01-01/own.csv'])
  t.strictSame(among('out/'), ['out/a.csv'])
  t.strictSame(among('service-forecasts/2026-01-01/'), [key(0), key(2), key(8), 'service-forecasts/2026-01-01/own.csv'])
  t.strictSame(delivered.among('acme', 'conn_2', { prefix: '' } as ObjectStorage), [])
})

t.test('what was delivered is listed once between two deliveries', async (t) => {
  const { stage } = await setup(t)
  const [written, read] = [new DeliveredObjects(stage.metadata), new DeliveredObjects(stage.metadata)]
  const deliver = async (key: string, bytes: number) =>
    await stage.metadata.transact((tx) => written.note(tx, 'acme', 'conn_1', key, { jobId: '', bytes }))
  const among = (prefix: string, connection = 'conn_1') => read.among('acme', connection, { prefix } as ObjectStorage)
  await deliver('out/a.csv', 1)
  const first = among('out/')
  t.equal(among('out/'), first)
  await deliver('out/a.csv', 2)
  t.strictSame(among('out/'), [{ key: 'out/a.csv', bytes: 2 }], 'one that was written over has its new size')
  await deliver('b.csv', 3)
  t.strictSame(among(''), [{ key: 'b.csv', bytes: 3 }, { key: 'out/a.csv', bytes: 2 }],
    'another prefix is another list')
  t.strictSame(among('', 'conn_2'), [])
})
