import t, { type Test } from 'tap'
import { Compile } from 'typebox/compile'
import { Type, type TSchema } from 'typebox'
import { readCursor, writeCursor } from '../../src/api/list-cursor.ts'
import { errorCodeSchema } from '../../src/api/schemas/error.ts'
import { jobSchema } from '../../src/api/schemas/job.ts'
import { openApi, type ApiStage } from '../support/api.ts'
import { expectError, type Answer } from '../support/expect-error.ts'
import { form } from '../support/form.ts'
import { until } from '../support/until.ts'

const csv = 'item_id,timestamp,target\na,2024-01-01,1\na,2024-02-01,2\n'
const table = 'item_id,timestamp,mean,0.1,0.5,0.9\na,2024-03-01 00:00:00,3.0,1.0,3.0,5.0\n'
type Json = Record<string, unknown>

class Caller {
  readonly stage: ApiStage
  readonly key: string

  constructor (stage: ApiStage, key = stage.key) {
    this.stage = stage
    this.key = key
  }

  async ask (url: string, method: 'GET' | 'DELETE' | 'HEAD' = 'GET',
    headers: Record<string, string> = {}): Promise<Answer> {
    const { statusCode, headers: given, payload } = await this.stage.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${this.key}`, ...headers }
    })
    return {
      status: statusCode,
      headers: new Headers(Object.entries(given).map(([name, value]) => [name, String(value)])),
      text: payload
    }
  }

  async json (url: string): Promise<Json> {
    return JSON.parse((await this.ask(url)).text) as Json
  }

  async submit (fields: Array<[string, string]> = []): Promise<string> {
    const { headers, payload } = form([...fields, ['file', csv, 'a.csv']])
    const answer = await this.stage.app.inject({
      method: 'POST',
      url: '/forecast',
      headers: { ...headers, authorization: `Bearer ${this.key}`, 'x-request-id': 'create-1' },
      payload
    })
    if (answer.statusCode !== 202) throw new Error(answer.payload)
    return (JSON.parse(answer.payload) as { job_id: string }).job_id
  }

  async ended (jobId: string): Promise<Json> {
    return await until('the job ends', async () => {
      const job = await this.json(`/jobs/${jobId}`)
      return job['status'] === 'completed' || job['status'] === 'failed' ? job : undefined
    })
  }
}

/** Fields that only jobs of a batch have, or that features of later releases fill. */
const notYet = [
  'report_url',
  'external_covariate_metadata',
  'explainability',
  'explainability_url',
  'forecast_plot_url',
  'preparation',
  'reconciliation',
  'explanation',
  'delivery_status',
  'delivery_connection_id',
  'delivery_uri',
  'delivery_error',
  'callback_status',
  'connector_code',
  'batch_id',
  'custom_id'
]
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const checkJob = Compile({ ErrorCode: errorCodeSchema } as never,
  Type.Object({ ...jobSchema.properties }, { additionalProperties: false }) as TSchema)

function expectFields (t: Test, job: Json, expected: Record<string, unknown>): void {
  t.strictSame(Object.keys(job).sort(), Object.keys(jobSchema.properties).sort(), 'every field is there, and no other')
  t.ok(checkJob.Check(job), 'the interface description allows it')
  for (const field of notYet) t.equal(job[field], null, `${field} is null`)
  for (const [field, value] of Object.entries(expected)) {
    if (value instanceof RegExp || (typeof value === 'object' && value !== null)) t.match(job[field], value, field)
    else t.equal(job[field], value, field)
  }
  t.strictSame([...notYet, ...Object.keys(expected)].sort(), Object.keys(job).sort(), 'every field was looked at')
}

t.test('each field of a job: at first, when completed, when failed', async (t) => {
  const stage = await openApi(t)
  const acme = new Caller(stage)
  const jobId = await acme.submit([['prediction_length', '3'], ['name', 'spring'], ['metadata', '{"a": 1}']])
  const effectiveConfig = {
    prediction_length: 3,
    presets: 'balanced',
    item_id_column: 'item_id',
    timestamp_column: 'timestamp',
    target_column: 'target',
    covariates: [],
    freq: null,
    quantile_levels: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9],
    timestamp_format: 'pandas',
    quantile_column_style: 'raw',
    sheet_name: null,
    preparation: null,
    reconciliation: null,
    feature_engineering: null,
    explainability: null,
    training: null
  }
  const fixed = {
    job_id: jobId,
    job_type: 'forecast',
    created_at: time,
    prediction_length: 3,
    request_id: 'create-1',
    config_hash: /^[0-9a-f]{64}$/,
    model_version: '0.1.0+balanced',
    name: 'spring',
    metadata: { a: 1 },
    effective_config: effectiveConfig
  }
  const unknownYet = {
    completed_at: null,
    elapsed_seconds: null,
    num_items: null,
    download_url: null,
    timings: null,
    dataset_hash: null,
    expires_at: null,
    error: null,
    error_code: null
  }
  expectFields(t, await acme.json(`/jobs/${jobId}`), {
    ...fixed,
    ...unknownYet,
    status: 'pending',
    warnings: [],
    progress: { stage: 'queue', fraction: 0 },
    attempt: 0
  })

  await stage.finishNext({ 'forecast.csv': table }, {
    warnings: [{ code: 'gaps', message: '2 steps are missing', count: 2 }]
  })
  expectFields(t, await acme.ended(jobId), {
    ...fixed,
    status: 'completed',
    completed_at: time,
    elapsed_seconds: /^\d+(\.\d+)?$/,
    num_items: 2,
    download_url: `/jobs/${jobId}/download`,
    timings: { fit: 0.001 },
    dataset_hash: 'd'.repeat(64),
    expires_at: time,
    error: null,
    error_code: null,
    warnings: [{ code: 'gaps', message: '2 steps are missing', count: 2 }],
    progress: null,
    attempt: 1
  })

  const failing = await acme.submit()
  await stage.finishNext({}, { code: 'pipeline_failed', error: 'The fit failed.', numItems: null, datasetHash: null })
  const failed = await acme.ended(failing)
  t.match(failed, {
    status: 'failed',
    error: 'The fit failed.',
    error_code: 'pipeline_failed',
    download_url: null,
    progress: null,
    completed_at: time,
    expires_at: time
  })
  t.ok(checkJob.Check(failed))
  t.strictSame(Object.keys(failed), Object.keys(jobSchema.properties))
})

t.test('polling: Retry-After, waiting, unknown and foreign jobs', async (t) => {
  const stage = await openApi(t)
  const acme = new Caller(stage)
  const other = new Caller(stage, (await stage.keys.create({ tenant: 'other' })).key)
  const jobId = await acme.submit()
  t.equal((await acme.ask(`/jobs/${jobId}`)).headers.get('retry-after'), '1')
  t.equal((await acme.ask(`/jobs/${jobId}?wait=0`)).status, 200)
  const waiting = acme.ask(`/jobs/${jobId}?wait=30`)
  const handle = await stage.takeNext()
  await stage.worker.claim({
    v: 1,
    jobId,
    tenant: 'acme',
    dispatch: handle.message.dispatch,
    workerId: 'w1',
    run: '01M7YNBDWT1F4CHDZAC9JCRGFD'
  }, 5000)
  t.match(JSON.parse((await waiting).text), { status: 'running', attempt: 1 }, 'a change of state ends the wait')
  for (const wait of ['31', '-1', '1.5', 'x', '']) {
    await expectError(t, await acme.ask(`/jobs/${jobId}?wait=${wait}`), 422, 'validation_error')
  }

  const comparable = ({ text, headers }: Answer) => text.replaceAll(headers.get('x-request-id') ?? '', '')
  for (const [method, path] of [['GET', ''], ['GET', '?wait=1'], ['GET', '/download'], ['DELETE', '']] as const) {
    const unknown = await other.ask(`/jobs/job_01AAAAAAAAAAAAAAAAAAAAAAAA${path}`, method)
    const foreign = await other.ask(`/jobs/${jobId}${path}`, method)
    await expectError(t, foreign, 404, 'job_not_found')
    t.equal(comparable(foreign), comparable(unknown), `${method} ${path}: a foreign job looks like none`)
  }
  t.equal((await acme.ask(`/jobs/${jobId}`)).status, 200, 'and is untouched')
  t.equal((await acme.ask(`/jobs/${jobId}`, 'DELETE')).status, 204)
  t.equal((await acme.ask(`/jobs/${jobId}`, 'DELETE')).status, 404)
  await expectError(t, await acme.ask(`/jobs/${jobId}`), 404, 'job_not_found')
})

t.test('a key that is revoked within a poll', async (t) => {
  const stage = await openApi(t)
  const { key, summary } = await stage.keys.create({ tenant: 'acme' })
  const caller = new Caller(stage, key)
  t.equal((await caller.ask('/jobs')).status, 200)
  await stage.keys.revoke(summary.id)
  await expectError(t, await caller.ask('/jobs'), 401, 'auth_failed')
})

t.test('lists: newest first, pages, filters, cursors of this list only', async (t) => {
  const stage = await openApi(t)
  const acme = new Caller(stage)
  const ids: string[] = []
  for (let i = 0; i < 5; i++) {
    ids.unshift(await acme.submit())
    // Ids of one millisecond have no order.
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  const page = async (query: string) => await acme.json(`/jobs${query}`) as { jobs: Json[], next_cursor: string | null }
  const list = ({ jobs }: { jobs: Json[] }) => jobs.map(({ job_id: id }) => id)
  const all = await page('')
  t.strictSame(list(all), ids)
  t.equal(all.next_cursor, null)
  t.ok(all.jobs.every((job) => checkJob.Check(job)))

  const first = await page('?limit=2')
  const second = await page(`?limit=2&cursor=${first.next_cursor}`)
  const third = await page(`?limit=2&cursor=${second.next_cursor}`)
  t.strictSame([first, second, third].flatMap(list), ids)
  t.equal(third.next_cursor, null)
  t.strictSame(list(await page('?status=completed')), [])
  t.strictSame(list(await page('?status=completed&status=pending')), ids)
  t.strictSame(list(await page('?job_type=forecast')), ids)
  t.strictSame(list(await page('?job_type=regression')), [])
  t.strictSame(list(await page('?created_after=2100-01-01T00:00:00Z')), [])
  t.strictSame(list(await page('?created_after=2001-01-01T00:00:00Z')), ids)

  const other = new Caller(stage, (await stage.keys.create({ tenant: 'other' })).key)
  t.strictSame(await other.json('/jobs'), { jobs: [], next_cursor: null })
  await expectError(t, await other.ask(`/jobs?limit=2&cursor=${first.next_cursor}`), 422, 'validation_error')
  await expectError(t, await acme.ask(`/jobs?limit=2&status=pending&cursor=${first.next_cursor}`), 422,
    'validation_error')
  for (const query of ['limit=0', 'limit=201', 'limit=x', 'status=done', 'job_type=x', 'created_after=yesterday',
    'created_after=2024-13-01T00:00:00Z', 'cursor=AAAA', 'page=2']) {
    await expectError(t, await acme.ask(`/jobs?${query}`), 422, 'validation_error')
  }
})

t.test('a cursor is bound to what it was made for', async (t) => {
  const key = Buffer.alloc(32, 1)
  const cursor = writeCursor(key, ['acme', []], 'job_1')
  t.equal(readCursor(key, ['acme', []], cursor), 'job_1')
  t.equal(readCursor(key, ['other', []], cursor), undefined)
  t.equal(readCursor(key, ['acme', ['failed']], cursor), undefined)
  t.equal(readCursor(Buffer.alloc(32, 2), ['acme', []], cursor), undefined)
  for (const made of ['', 'x', '____', cursor.slice(1), cursor + 'AAAA', Buffer.from('job_1').toString('base64url')]) {
    t.equal(readCursor(key, ['acme', []], made), undefined)
  }
})

t.test('downloads of a table: redirect, formats, signed addresses, ranges', async (t) => {
  const stage = await openApi(t)
  const acme = new Caller(stage)
  const jobId = await acme.submit()
  const early = await expectError(t, await acme.ask(`/jobs/${jobId}/download`), 409, 'job_not_completed')
  t.match(early.detail, { suggestion: /wait/ })
  await stage.finishNext({ 'forecast.csv': table, 'forecast.parquet': 'PAR1 table PAR1', 'report.json': '{}' })
  await acme.ended(jobId)

  const direct = await acme.ask(`/jobs/${jobId}/download?format=csv`, 'GET', { accept: 'application/json' })
  t.equal(direct.text, table)
  t.match(Object.fromEntries(direct.headers), {
    'content-type': /^text\/csv/,
    'content-length': String(table.length),
    'content-disposition': `attachment; filename="forecast_${jobId}.csv"`,
    'x-content-type-options': 'nosniff'
  })
  const parquet = await acme.ask(`/jobs/${jobId}/download?format=parquet`)
  t.equal(parquet.text, 'PAR1 table PAR1')
  t.equal(parquet.headers.get('content-type'), 'application/octet-stream')
  const head = await acme.ask(`/jobs/${jobId}/download?format=csv`, 'HEAD')
  t.equal(head.status, 200)
  t.equal(head.text, '')
  t.equal(head.headers.get('content-length'), String(table.length))

  const zips = await Promise.all(
    [1, 2].map(async () =>
      await stage.app.inject({
        url: `/jobs/${jobId}/download?format=zip`,
        headers: { authorization: `Bearer ${stage.key}` }
      })
    )
  )
  t.equal(zips[0]?.headers['content-type'], 'application/zip')
  t.equal(zips[0]?.headers['content-disposition'], `attachment; filename="results_${jobId}.zip"`)
  t.ok(zips[0]?.rawPayload.includes(table), 'entries are stored')
  t.ok(zips[0]?.rawPayload.equals(zips[1]?.rawPayload ?? Buffer.alloc(0)), 'the same bytes every time')

  for (const query of ['', '?format=presign']) {
    const redirect = await acme.ask(`/jobs/${jobId}/download${query}`, 'GET', { host: 'tabcast.example' })
    t.equal(redirect.status, 307)
    t.equal(redirect.text, '')
    const location = new URL(redirect.headers.get('location') ?? '')
    t.equal(location.host, 'tabcast.example')
    t.match(location.pathname, /^\/objects\//)
    const path = location.pathname + location.search
    const open = async (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') => {
      const answer = await stage.app.inject({ method, url, headers })
      return { status: answer.statusCode, headers: answer.headers, text: answer.payload }
    }
    t.match(await open(path), {
      status: 200,
      text: table,
      headers: { 'content-disposition': /^attachment/, 'x-content-type-options': 'nosniff', 'accept-ranges': 'bytes' }
    }, 'no key is needed')
    t.match(await open(path, { range: 'bytes=0-6' }), {
      status: 206,
      text: 'item_id',
      headers: { 'content-range': `bytes 0-6/${table.length}`, 'content-length': '7' }
    })
    t.match(await open(path, { range: 'bytes=-4' }), { status: 206, text: table.slice(-4) })
    t.match(await open(path, { range: `bytes=${table.length}-` }), {
      status: 416,
      headers: { 'content-range': `bytes */${table.length}` }
    })
    t.match(await open(path, { range: 'lines=1-2' }), { status: 200 })
    t.match(await open(path, {}, 'HEAD'), {
      status: 200,
      text: '',
      headers: { 'content-length': String(table.length) }
    })
    t.equal((await open(path.replace('forecast.csv', 'forecast.parquet'))).status, 403)
    t.equal(
      (await open(path.replace(/signature=(.)/, (_match, first) => `signature=${first === '_' ? '-' : '_'}`))).status,
      403
    )
    t.equal((await open(path.split('?')[0] ?? '')).status, 403)
  }
  await expectError(t, await acme.ask(`/jobs/${jobId}/download?format=xml`), 422, 'validation_error')

  const location = (await acme.ask(`/jobs/${jobId}/download`)).headers.get('location') ?? ''
  await acme.ask(`/jobs/${jobId}`, 'DELETE')
  const gone = await stage.app.inject({ url: location.slice(location.indexOf('/objects/')) })
  t.equal(gone.statusCode, 404, 'a signed address does not outlive its job')
})

t.test('downloads of several files, and of a failed job', async (t) => {
  const stage = await openApi(t)
  const acme = new Caller(stage)
  const jobId = await acme.submit()
  await stage.finishNext({ 'forecast.csv': table, 'shap_values.csv': 'feature,value\n' })
  await acme.ended(jobId)
  t.equal((await acme.ask(`/jobs/${jobId}/download`)).headers.get('content-type'), 'application/zip')
  t.equal((await acme.ask(`/jobs/${jobId}/download?format=csv`)).text, table)
  const refused = await expectError(t, await acme.ask(`/jobs/${jobId}/download?format=presign`), 400,
    'validation_error')
  t.match(refused.detail, { detail: /format=zip/ })

  const failing = await acme.submit()
  await stage.finishNext({}, { code: 'timeout', error: 'Too slow.' })
  await acme.ended(failing)
  t.match(
    (await expectError(t, await acme.ask(`/jobs/${failing}/download?format=csv`), 409, 'job_not_completed')).detail,
    { detail: /timeout/ }
  )
})
