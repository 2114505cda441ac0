import t, { type Test } from 'tap'
import { Compile } from 'typebox/compile'
import { Type } from 'typebox'
import { batchSchema } from '../../src/api/schemas/batch.ts'
import { errorCodeSchema } from '../../src/api/schemas/error.ts'
import { jobSchema } from '../../src/api/schemas/job.ts'
import { messageVersion } from '../../src/domain/message-version.ts'
import type { QuickCheckReply, QuickCheckRequest } from '../../src/platform/queue/quick-messages.ts'
import { storedInput } from '../../src/services/jobs/job-record.ts'
import { openApi, type ApiStage } from '../support/api.ts'
import { expectError, fieldsOf, suggestionOf, type Answer } from '../support/expect-error.ts'
import { forecastSpec } from '../support/job-message.ts'
import { isSameAnswer, send, StorageCaller, type Json } from '../support/storage.ts'
import { until } from '../support/until.ts'
import { readZip } from '../support/zip.ts'

const csv = 'item_id,timestamp,target\na,2024-01-01,1\na,2024-02-01,2\n'
const table = 'item_id,timestamp,mean\na,2024-03-01 00:00:00,3.0\n'
const unknownId = 'obj_01AAAAAAAAAAAAAAAAAAAAAAAA'

interface BatchAnswer {
  batch_id: string
  status: string
  total: number
  counts: Record<string, number>
  jobs: Array<Json & { job_id: string, custom_id: string | null }>
}

async function keysOf (stage: ApiStage, prefix: string): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of stage.store.list(prefix)) keys.push(key)
  return keys
}

async function ended (acme: StorageCaller, jobId: string): Promise<Json> {
  return await until('the job ends', async () => {
    const job = await acme.json('GET', `/jobs/${jobId}`)
    return job['status'] === 'completed' || job['status'] === 'failed' ? job : undefined
  })
}

function contentError (changes: object = {}): QuickCheckReply {
  return {
    v: messageVersion,
    ok: false,
    error: {
      code: 'duplicate_rows',
      status: 422,
      message: 'Rows are there twice.',
      column: 'timestamp',
      row: 3,
      item: 'a',
      count: 2,
      suggestion: null,
      ...changes
    }
  }
}

t.test('a forecast reads a stored object where it lies, and leaves it there', async (t) => {
  const stage = await openApi(t)
  const acme = new StorageCaller(stage)
  const id = await acme.store(csv)
  const checked: QuickCheckRequest[] = []
  stage.beforeCheck = (request) => {
    checked.push(request)
  }
  const answer = await acme.ask('POST', '/forecast/storage-object', {
    object_id: id,
    prediction_length: 3,
    name: 'spring',
    metadata: { a: 1 },
    quantile_levels: '0.5'
  })
  t.equal(answer.status, 202, answer.text)
  const job = JSON.parse(answer.text) as Json & { job_id: string }
  t.match(job, {
    status: 'pending',
    prediction_length: 3,
    name: 'spring',
    metadata: { a: 1 },
    batch_id: null,
    custom_id: null,
    effective_config: { quantile_levels: [0.5] }
  })
  t.equal(answer.headers.get('location'), `/jobs/${job.job_id}`)
  t.equal(answer.headers.get('retry-after'), '1')
  const [key = ''] = await keysOf(stage, 'raw/')
  t.match(checked, [{ input: { key, format: 'csv', bytes: csv.length }, depth: 'full' }],
    'checked in full before the answer')
  t.strictSame(await keysOf(stage, 'acme/'), [], 'nothing was copied')
  t.match(stage.jobs.get('acme', job.job_id)?.input, { objectId: id, key, sha256: null })

  await stage.finishNext({ 'forecast.csv': table })
  t.match(await ended(acme, job.job_id), { status: 'completed' })
  t.equal((await acme.ask('DELETE', `/jobs/${job.job_id}`)).status, 204)
  t.strictSame(await keysOf(stage, 'raw/'), [key], 'the object stays when the job goes')

  for (const [filename, contentType, format] of [['a.PARQUET', 'application/octet-stream', 'parquet'], ['table',
    'text/csv; charset=utf-8', 'csv'], ['table', 'application/vnd.apache.parquet', 'parquet']] as const) {
    const object = await acme.store('PAR1', { filename, content_type: contentType })
    t.equal((await acme.ask('POST', '/forecast/storage-object', { object_id: object })).status, 202)
    t.equal(checked.at(-1)?.input.format, format, `${filename} as ${contentType}`)
  }
  const text = await acme.store(csv, { filename: 'table.txt' })
  t.ok(
    suggestionOf(
      await expectError(t, await acme.ask('POST', '/forecast/storage-object', { object_id: text }), 415,
        'validation_error')
    )
  )
})

t.test('what a forecast of a stored object refuses', async (t) => {
  const stage = await openApi(t)
  const acme = new StorageCaller(stage)
  const id = await acme.store(csv)
  const submit = async (body: Json): Promise<Answer> =>
    await acme.ask('POST', '/forecast/storage-object', { object_id: id, ...body })
  const wrong: Array<[Json, string]> = [
    [{ object_id: undefined }, 'object_id'],
    [{ object_id: '' }, 'object_id'],
    [{ object_id: 'x'.repeat(129) }, 'object_id'],
    [{ prediction_length: 0 }, 'prediction_length'],
    [{ prediction_length: '24' }, 'prediction_length'],
    [{ quantile_levels: '2' }, 'quantile_levels'],
    [{ custom_id: 'a' }, 'custom_id'],
    [{ file: 'a.csv' }, 'file'],
    [{ target_column: 'item_id' }, 'target_column'],
    [{ callback_url: 'http://127.0.0.1/' }, 'callback_url']
  ]
  for (const [body, field] of wrong) {
    t.strictSame(fieldsOf(await expectError(t, await submit(body), 422, 'validation_error'))[0]?.loc, ['body', field],
      JSON.stringify(body))
  }
  await expectError(t, await submit({ presets: 'huge' }), 400, 'invalid_preset')

  const { object_id: presigned } = await acme.presign()
  await expectError(t, await submit({ object_id: presigned }), 409, 'object_not_ready')

  stage.checkReply = contentError()
  t.match(fieldsOf(await expectError(t, await submit({}), 422, 'validation_error')), [{
    loc: ['body', 'object_id', 'timestamp'],
    type: 'duplicate_rows',
    ctx: { row: 3, item: 'a', count: 2 }
  }])
  stage.checkReply = contentError({ code: 'invalid_frequency' })
  t.match(fieldsOf(await expectError(t, await submit({ freq: 'h' }), 422, 'validation_error')), [{
    loc: ['body', 'freq']
  }])
  stage.checkReply = contentError({
    code: 'format_mismatch',
    status: 415,
    message: 'The file is named .csv but is a Parquet file.',
    suggestion: 'Name it .parquet.'
  })
  t.equal(suggestionOf(await expectError(t, await submit({}), 415, 'validation_error')), 'Name it .parquet.',
    '29: parquet named .csv')
  t.strictSame((await acme.json<{ jobs: unknown[] }>('GET', '/jobs')).jobs, [], 'no job was made')
  t.match(await acme.json('GET', `/storage/objects/${id}`), { status: 'uploaded' }, 'the object is untouched')

  const reader = new StorageCaller(stage,
    (await stage.keys.create({ tenant: 'acme', scopes: ['storage', 'jobs:read'] })).key)
  for (const [path, body] of [['/forecast/storage-object', { object_id: id }], ['/forecast/batch', {
    requests: [{ object_id: id }]
  }]] as const) {
    await expectError(t, await reader.ask('POST', path, body), 403, 'auth_failed')
  }
  await stage.silenceWorker()
  await expectError(t, await submit({}), 503, 'compute_unavailable')
})

t.test('an object that is deleted stays for the jobs that read it, and for no one else', async (t) => {
  const stage = await openApi(t, { TABCAST_SWEEP_MS: '100' })
  const acme = new StorageCaller(stage)
  const id = await acme.store(csv)
  const jobs = await Promise.all(
    [1, 2].map(async () => (await acme.json('POST', '/forecast/storage-object', { object_id: id }))['job_id'] as string)
  )
  t.equal((await acme.ask('DELETE', `/storage/objects/${id}`)).status, 204)
  await expectError(t, await acme.ask('GET', `/storage/objects/${id}`), 404, 'not_found')
  await expectError(t, await acme.ask('POST', '/forecast/storage-object', { object_id: id }), 404, 'not_found')
  await stage.objects.sweep()
  t.equal((await keysOf(stage, 'raw/')).length, 1, 'two jobs have not ended')
  await stage.finishNext({ 'forecast.csv': table })
  await until('one job has ended',
    () => jobs.filter((jobId) => stage.jobs.get('acme', jobId)?.status === 'completed').length === 1)
  await stage.objects.sweep()
  t.equal((await keysOf(stage, 'raw/')).length, 1, 'one job has not ended')
  for (const jobId of jobs) t.equal((await acme.ask('DELETE', `/jobs/${jobId}`)).status, 204)
  await until('the bytes are gone', async () => (await keysOf(stage, 'raw/')).length === 0)

  const other = await acme.store(csv)
  let deleted: Promise<Answer> | undefined
  stage.beforeCheck = async () => {
    deleted ??= acme.ask('DELETE', `/storage/objects/${other}`)
    await deleted
  }
  const late = await acme.ask('POST', '/forecast/storage-object', { object_id: other })
  await expectError(t, late, 404, 'not_found')
  t.equal((await deleted)?.status, 204)
  t.strictSame(await keysOf(stage, 'raw/'), [])
  t.equal(stage.jobs.state().waiting, 0, 'its place in the queue is free again')
})

t.test('deleting an object while jobs are made from it leaves either a job that can read it, or none', async (t) => {
  const stage = await openApi(t, { TABCAST_SWEEP_MS: '100' })
  const acme = new StorageCaller(stage)
  let made = 0
  for (let round = 0; round < 10; round++) {
    const id = await acme.store(csv)
    const [submitted] = await Promise.all([acme.ask('POST', '/forecast/storage-object', { object_id: id }),
      acme.ask('DELETE', `/storage/objects/${id}`)])
    await stage.objects.sweep()
    if (submitted.status === 202) {
      made++
      const job = stage.jobs.get('acme', JSON.parse(submitted.text).job_id)
      t.ok(await stage.store.stat(job === undefined ? '' : storedInput(job)?.key ?? ''), 'the job has its input')
    } else {
      await expectError(t, submitted, 404, 'not_found')
    }
  }
  t.comment(`${made} of 10 jobs were made`)
})

const checkBatch = Compile({ Job: jobSchema, ErrorCode: errorCodeSchema } as never,
  Type.Object({ ...batchSchema.properties }, { additionalProperties: false }))

function expectBatch (t: Test, answer: Answer, status: number): BatchAnswer {
  t.equal(answer.status, status, answer.text.slice(0, 200))
  const batch = JSON.parse(answer.text) as BatchAnswer
  t.ok(checkBatch.Check(batch), 'as described')
  return batch
}

t.test('a batch: defaults, status, download, deletion', async (t) => {
  const stage = await openApi(t)
  const acme = new StorageCaller(stage)
  const other = await StorageCaller.of(stage, 'other')
  const [one, two] = [await acme.store(csv), await acme.store(csv)]
  const created = await acme.ask('POST', '/forecast/batch', {
    requests: [{ object_id: one, custom_id: 'north' }, { prediction_length: 7, presets: 'fast', custom_id: '../South' },
      { object_id: one, item_id_column: 'shop', custom_id: 'NORTH' }, {}],
    defaults: { object_id: two, prediction_length: 5, item_id_column: 'store', explainability: null }
  })
  const batch = expectBatch(t, created, 202)
  t.equal(created.headers.get('location'), `/forecast/batch/${batch.batch_id}`)
  t.equal(created.headers.get('retry-after'), '1')
  t.match(batch, {
    batch_id: /^batch_[0-9A-HJKMNP-TV-Z]{26}$/,
    status: 'pending',
    total: 4,
    counts: { pending: 4, running: 0, completed: 0, failed: 0 }
  })
  t.match(batch.jobs, [
    {
      batch_id: batch.batch_id,
      custom_id: 'north',
      prediction_length: 5,
      effective_config: { item_id_column: 'store', presets: 'balanced' }
    },
    { custom_id: '../South', prediction_length: 7, effective_config: { item_id_column: 'store', presets: 'fast' } },
    { custom_id: 'NORTH', prediction_length: 5, effective_config: { item_id_column: 'shop' } },
    { custom_id: null, prediction_length: 5 }
  ])
  const path = `/forecast/batch/${batch.batch_id}`
  // The place in the queue is known only after the answer that makes the jobs.
  const withoutProgress = ({ jobs, ...rest }: BatchAnswer) => ({
    ...rest,
    jobs: jobs.map((job) => ({ ...job, progress: null }))
  })
  t.strictSame(withoutProgress(expectBatch(t, await acme.ask('GET', path), 200)), withoutProgress(batch))
  t.match(await acme.json('GET', `/jobs/${batch.jobs[0]?.job_id}`), { batch_id: batch.batch_id, custom_id: 'north' })

  for (const [method, route] of [['GET', ''], ['GET', '/download'], ['DELETE', '']] as const) {
    const unknown = await other.ask(method, `/forecast/batch/batch_01AAAAAAAAAAAAAAAAAAAAAAAA${route}`)
    await expectError(t, unknown, 404, 'not_found')
    for (const id of [batch.batch_id, 'batch_1', '%00']) {
      t.ok(isSameAnswer(await other.ask(method, `/forecast/batch/${id}${route}`), unknown), `${method} ${route} ${id}`)
    }
  }

  const early = await expectError(t, await acme.ask('GET', `${path}/download`), 409, 'job_not_completed')
  t.equal(early.retryable, true)
  await stage.finishNext({ 'forecast.csv': table, 'report.json': '{}' })
  await until('one has ended', async () => (await acme.json<BatchAnswer>('GET', path)).counts['completed'] === 1)
  t.match(await acme.json('GET', path), { status: 'running' })
  await expectError(t, await acme.ask('GET', `${path}/download`), 409, 'job_not_completed')
  await stage.finishNext({ 'forecast.csv': table })
  await stage.finishNext({ 'forecast.csv': table })
  await stage.finishNext({}, { code: 'pipeline_failed', error: 'The fit failed.' })
  const done = await until('all have ended', async () => {
    const now = await acme.json<BatchAnswer>('GET', path)
    return now.status === 'completed' ? now : undefined
  })
  t.match(done.counts, { completed: 3, failed: 1 })

  const zip = await stage.app.inject({
    url: `${path}/download?format=zip`,
    headers: { authorization: `Bearer ${acme.key}` }
  })
  t.equal(zip.statusCode, 200)
  t.equal(zip.headers['content-type'], 'application/zip')
  t.match(zip.headers['content-disposition'], `attachment; filename="results_${batch.batch_id}.zip"`)
  const files = readZip(zip.rawPayload)
  const names = batch.jobs.filter(({ job_id: id }) =>
    done.jobs.some((job) => job.job_id === id && job['status'] === 'completed')
  ).map(({ job_id: id, custom_id: customId }) => {
    if (customId === 'north') return 'north/forecast.csv'
    return customId === null ? `${id}/forecast.csv` : `${customId.replaceAll(/[./]/g, '_')}_${id}/forecast.csv`
  })
  t.strictSame([...files.keys()].sort(), names.sort(), 'one table a completed job, under harmless names')
  for (const content of files.values()) t.equal(content.toString(), table)
  await expectError(t, await acme.ask('GET', `${path}/download?format=csv`), 422, 'validation_error')

  t.equal((await acme.ask('DELETE', `/jobs/${batch.jobs[0]?.job_id}`)).status, 204)
  t.match(await acme.json('GET', path), { total: 3, status: 'completed' }, 'a job that is deleted leaves its batch')
  t.equal((await acme.ask('DELETE', path)).status, 204)
  for (const url of [path, ...batch.jobs.map(({ job_id: id }) => `/jobs/${id}`)]) {
    t.equal((await acme.ask('GET', url)).status, 404, url)
  }
  t.equal((await acme.ask('DELETE', path)).status, 404)
  t.equal((await keysOf(stage, 'raw/')).length, 2, 'the objects stay')
})

t.test('a batch of large jobs is told job by job, and deleted in groups', async (t) => {
  const stage = await openApi(t)
  const acme = new StorageCaller(stage)
  const item = { object_id: await acme.store(csv) }
  const count = 10
  const { batch_id: id } = await acme.json<BatchAnswer>('POST', '/forecast/batch', {
    requests: Array.from({ length: count }, () => item)
  })
  const path = `/forecast/batch/${id}`
  for (let job = 0; job < count; job++) {
    await stage.finishNext({ 'forecast.csv': table }, {
      warnings: [{ code: 'c', message: `${job}${'ä'.repeat(120_000)}`, count: 1 }]
    })
  }
  await until('all have ended', async () => (await acme.json<BatchAnswer>('GET', path)).status === 'completed')
  const answer = await stage.app.inject({ url: path, headers: { authorization: `Bearer ${acme.key}` } })
  t.equal(answer.headers['content-length'], undefined, 'it is sent as it is written')
  t.ok(answer.rawPayload.length > count * 240_000)
  t.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
  const { jobs, counts } = JSON.parse(answer.payload) as BatchAnswer
  t.match(counts, { completed: count })
  for (const job of jobs) t.strictSame(job, await acme.json('GET', `/jobs/${job.job_id}`))
  t.equal((await acme.ask('HEAD', path)).status, 200)

  t.equal((await acme.ask('DELETE', path)).status, 204)
  for (const url of [path, ...jobs.map(({ job_id: jobId }) => `/jobs/${jobId}`)]) {
    t.equal((await acme.ask('GET', url)).status, 404, url)
  }
  const actions = [...stage.metadata.table<string>('audit').range()].map(({ value }) =>
    (JSON.parse(value) as { action: string }).action
  )
  t.equal(actions.filter((action) => action === 'batch.delete').length, 1)
  t.equal(actions.filter((action) => action === 'job.delete').length, count)
})

t.test('a batch goes with its last job, and says when all have failed', async (t) => {
  const stage = await openApi(t, { TABCAST_JOB_RETENTION_SECONDS: '1', TABCAST_SWEEP_MS: '100' })
  const acme = new StorageCaller(stage)
  const item = { object_id: await acme.store(csv) }
  const { batch_id: id } = await acme.json<BatchAnswer>('POST', '/forecast/batch', { requests: [item, item] })
  for (let job = 0; job < 2; job++) await stage.finishNext({}, { code: 'pipeline_failed', error: 'The fit failed.' })
  await until('all have failed',
    async () => (await acme.json<BatchAnswer>('GET', `/forecast/batch/${id}`)).status === 'failed')
  t.equal(
    (await expectError(t, await acme.ask('GET', `/forecast/batch/${id}/download`), 409, 'job_not_completed')).retryable,
    false
  )
  await until('it has expired', async () => (await acme.ask('GET', `/forecast/batch/${id}`)).status === 404)
  t.strictSame([...stage.metadata.table('batches').range()], [], 'its record is gone')
  t.strictSame([...stage.metadata.table('objectUses').range()], [], 'nothing reads the object any more')
})

t.test('a batch is taken whole or not at all', async (t) => {
  const stage = await openApi(t, {
    TABCAST_MAX_QUEUED_PER_TENANT: '5',
    TABCAST_SYNC_CHECK_MAX_BYTES: String(2 * csv.length)
  })
  const acme = new StorageCaller(stage)
  const other = await StorageCaller.of(stage, 'other')
  const id = await acme.store(csv)
  const submit = async (requests: unknown, more: Json = {}): Promise<Answer> =>
    await acme.ask('POST', '/forecast/batch', { requests, ...more })
  const nothingDone = async () => {
    t.strictSame((await acme.json<{ jobs: unknown[] }>('GET', '/jobs')).jobs, [], 'no job was made')
    t.equal(stage.jobs.state().waiting, 0, 'no place is held')
  }
  const item = { object_id: id }
  const wrong: Array<[unknown, Json, Array<Array<string | number>>]> = [
    [[item, item, item, { ...item, prediction_length: 0 }], {}, [['body', 'requests', 3, 'prediction_length']]],
    [[item, { prediction_length: 3 }], {}, [['body', 'requests', 1, 'object_id']]],
    [[{ ...item, quantile_levels: '7' }, { ...item, freq: 'never', color: 1 }], {}, [['body', 'requests', 1, 'color']]],
    [[{ ...item, quantile_levels: '7' }, { ...item, freq: 'never' }], {}, [['body', 'requests', 0, 'quantile_levels'], [
      'body',
      'requests',
      1,
      'freq'
    ]]],
    [[{ ...item, custom_id: 'a' }, { ...item, custom_id: 'b' }, { ...item, custom_id: 'a' }], {}, [['body', 'requests',
      2, 'custom_id']]],
    [[item], { defaults: { prediction_length: 0 } }, [['body', 'defaults', 'prediction_length']]],
    [[item], { defaults: { custom_id: 'a' } }, [['body', 'defaults', 'custom_id']]],
    [[item], { defaults: { target_column: 'item_id' } }, [['body', 'requests', 0, 'target_column']]],
    [[{ ...item, prediction_length: '3' }], {}, [['body', 'requests', 0, 'prediction_length']]],
    [[], {}, [['body', 'requests']]],
    [Array.from({ length: 101 }, () => item), {}, [['body', 'requests']]],
    [[item], { callback_url: 'http://127.0.0.1/' }, [['body', 'requests', 0, 'callback_url']]],
    [[item], { color: 'red' }, [['body', 'color']]]
  ]
  for (const [requests, more, locs] of wrong) {
    t.strictSame(
      fieldsOf(await expectError(t, await submit(requests, more), 422, 'validation_error')).map(({ loc }) => loc),
      locs,
      JSON.stringify(more)
    )
  }
  await expectError(t, await submit([item, { ...item, presets: 'huge' }]), 400, 'invalid_preset')

  const foreign = await submit([item, { object_id: await other.store(csv) }])
  await expectError(t, foreign, 404, 'not_found')
  t.ok(isSameAnswer(foreign, await submit([item, { object_id: unknownId }])), 'a foreign object is an unknown one')
  const { object_id: presigned } = await acme.presign()
  await expectError(t, await submit([item, { object_id: presigned }]), 409, 'object_not_ready')
  await expectError(t, await submit(Array.from({ length: 6 }, () => item)), 503, 'server_overloaded')
  await nothingDone()

  const depths: string[] = []
  stage.beforeCheck = ({ depth, spec }) => {
    depths.push(depth)
    return forecastSpec(spec).predictionLength > 2 ? contentError() : undefined
  }
  const content = await expectError(t,
    await submit([1, 3, 2, 4].map((steps) => ({ ...item, prediction_length: steps }))), 422, 'validation_error')
  t.strictSame(fieldsOf(content).map(({ loc }) => loc),
    [1, 3].map((at) => ['body', 'requests', at, 'object_id', 'timestamp']), 'all wrong files are listed')
  t.strictSame(depths.sort(), ['full', 'full', 'header', 'header'],
    'files of one request are checked in full as long as they are small together')
  stage.beforeCheck = ({ spec }) =>
    forecastSpec(spec).predictionLength > 2
      ? contentError({ code: 'too_many_rows', status: 413, suggestion: 'Send fewer.' })
      : undefined
  await expectError(t, await submit([1, 3].map((steps) => ({ ...item, prediction_length: steps }))), 413,
    'dataset_too_large')
  await nothingDone()

  stage.beforeCheck = () => undefined
  const taken = await Promise.all([submit([item, item, item]), submit([item, item, item])])
  t.strictSame(taken.map(({ status }) => status).sort(), [202, 503],
    'of two batches that do not fit together one is taken')
  t.equal(stage.jobs.state().waiting, 3)
  const gone = await acme.presign()
  t.equal((await send(stage, gone, csv)).status, 200)
  t.equal((await acme.complete(gone.object_id)).status, 200)
  stage.beforeCheck = async () => {
    await acme.ask('DELETE', `/storage/objects/${gone.object_id}`)
  }
  await expectError(t, await submit([item, { object_id: gone.object_id }]), 404, 'not_found')
  t.equal((await acme.json<{ jobs: unknown[] }>('GET', '/jobs')).jobs.length, 3,
    'an object that goes before the jobs are recorded takes them all with it')
  t.equal(stage.jobs.state().waiting, 3)
})
