import t, { type Test } from 'tap'
import { csv, parseCsv, series } from '../support/csv.ts'
import { expectError, fieldsOf, suggestionOf } from '../support/expect-error.ts'
import { objectsOf } from '../support/leftovers.ts'
import { startS3, whyNoS3 } from '../support/s3.ts'
import { Client, startService, type Job } from '../support/service.ts'
import type { Json, Upload } from '../support/storage.ts'
import { until } from '../support/until.ts'
import { readZip } from '../support/zip.ts'

/**
 * Files that tenants store, and forecasts from them, through the whole service: as a client in any language would do
 * it.
 */
async function storedFiles (t: Test, settings: Record<string, string>, batchSize: number): Promise<void> {
  const service = await startService({ TABCAST_RATE_LIMITS: 'false', TABCAST_SWEEP_MS: '200', ...settings })
  t.teardown(() => service.cleanup())
  const client = new Client(service.baseUrl, await service.createKey('acme'))
  const panel = csv([...series({ item: 'a' }), ...series({ item: 'b', value: (step) => 100 - step })])

  async function post (path: string, body: object, caller = client): Promise<Response> {
    return await caller.request('POST', path, {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' }
    })
  }

  async function read<T = Json> (answer: Response | Promise<Response>, status = 200): Promise<T> {
    const given = await answer
    const text = await given.text()
    if (given.status !== status) throw new Error(`answered ${given.status}: ${text}`)
    return JSON.parse(text) as T
  }

  /** A client that knows nothing but the answer to presign: it works on every store. */
  async function send (upload: Upload, content: string): Promise<Response> {
    return await fetch(upload.upload_url, { method: upload.method, headers: upload.required_headers, body: content })
  }

  async function store (content: string, body: Json = {}): Promise<string> {
    const upload = await read<Upload>(
      post('/storage/uploads/presign', {
        filename: 'panel.csv',
        content_type: 'text/csv',
        file_size: Buffer.byteLength(content),
        ...body
      })
    )
    const sent = await send(upload, content)
    if (sent.status !== 200) throw new Error(`the upload answered ${sent.status}: ${await sent.text()}`)
    await read(post(`/storage/uploads/${upload.object_id}/complete`, {}))
    return upload.object_id
  }

  await t.test('a stored file is forecast as an upload of the same bytes is', async (t) => {
    const id = await store(panel)
    const options = { prediction_length: 5, presets: 'fast' }
    const stored = await read<Job>(post('/forecast/storage-object', { object_id: id, ...options }), 202)
    const uploaded = await client.submitted(panel, { prediction_length: '5', presets: 'fast' })
    const [one, two] = [await client.ended(stored.job_id), await client.ended(uploaded.job_id)]
    t.equal(one.status, 'completed', one.error ?? '')
    for (const field of ['config_hash', 'dataset_hash', 'model_version', 'num_items']) {
      t.equal(one[field], two[field], field)
    }
    t.equal(await client.table(one.job_id), await client.table(two.job_id), 'byte for byte')
    const { download_url: address } = await read<{ download_url: string }>(
      client.request('GET', `/storage/objects/${id}/download-url`)
    )
    t.equal(await (await fetch(address)).text(), panel)

    await service.restart()
    t.match(await read(client.request('GET', `/storage/objects/${id}`)), {
      status: 'uploaded',
      file_size: panel.length
    }, 'a restart changes nothing')
    const again = await read<Job>(post('/forecast/storage-object', { object_id: id, ...options }), 202)
    t.equal((await client.ended(again.job_id)).status, 'completed')
  })

  await t.test('what is wrong with a stored file is said as of an upload', async (t) => {
    const doubled = await store(csv([...series(), 'a,2024-01-01,7']))
    const wrong = await expectError(t, await post('/forecast/storage-object', { object_id: doubled }), 422,
      'validation_error')
    t.match(fieldsOf(wrong)[0], { loc: ['body', 'object_id', 'timestamp'], ctx: { count: 1 } })
    const renamed = await expectError(t,
      await post('/forecast/storage-object', { object_id: await store(panel), target_column: 'sales' }), 422,
      'validation_error')
    t.strictSame(fieldsOf(renamed)[0]?.loc.slice(0, 2), ['body', 'object_id'])
    // 29 of the bad inputs.
    const parquet = await store(`PAR1${panel}PAR1`)
    t.ok(
      suggestionOf(
        await expectError(t, await post('/forecast/storage-object', { object_id: parquet }), 415, 'validation_error')
      )
    )
    const named = await store(panel, { filename: 'panel.parquet' })
    t.ok(
      suggestionOf(
        await expectError(t, await post('/forecast/storage-object', { object_id: named }), 415, 'validation_error')
      )
    )
    await expectError(t, await post('/forecast/storage-object', { object_id: await store('') }), 400,
      'validation_error')
  })

  await t.test('an object that is deleted while a job waits for it is still read by the job', async (t) => {
    const id = await store(panel)
    const jobs = await Promise.all(
      Array.from({ length: 8 },
        () =>
          read<Job>(post('/forecast/storage-object', { object_id: id, prediction_length: 3, presets: 'fast' }), 202))
    )
    t.equal((await client.request('DELETE', `/storage/objects/${id}`)).status, 204)
    await expectError(t, await post('/forecast/storage-object', { object_id: id }), 404, 'not_found')
    for (const { job_id: jobId } of jobs) t.equal((await client.ended(jobId)).status, 'completed')
    await until('the bytes are gone', async () => !(await objectsOf(service, 'acme')).some((path) => path.includes(id)))
  })

  await t.test(`a batch of ${batchSize} forecasts, with its tables in one zip`, async (t) => {
    const id = await store(panel)
    const requests = Array.from({ length: batchSize },
      (_, at) => ({ custom_id: `run-${at}`, prediction_length: 1 + at % 5 }))
    const created = await read<{ batch_id: string, jobs: Job[] }>(
      post('/forecast/batch', { requests, defaults: { object_id: id, presets: 'fast' } }),
      202
    )
    t.equal(created.jobs.length, batchSize)
    const path = `/forecast/batch/${created.batch_id}`
    await until('the batch is completed',
      async () => (await read(client.request('GET', path)))['status'] === 'completed', 120_000)
    const zip = await client.request('GET', `${path}/download`)
    t.equal(zip.status, 200)
    const files = readZip(Buffer.from(await zip.arrayBuffer()))
    t.equal(files.size, batchSize)
    for (const { custom_id: name, prediction_length: steps } of requests.slice(0, 10)) {
      t.equal(parseCsv(String(files.get(`${name}/forecast.csv`))).length, 1 + 2 * steps,
        `${name}: a header, and its steps of two series`)
    }
    t.equal((await client.request('DELETE', path)).status, 204)
    for (const { job_id: jobId } of created.jobs.slice(0, 5)) {
      t.equal((await client.request('GET', `/jobs/${jobId}`)).status, 404)
    }
  })

  await t.test('a preview shows what a reader would find', async (t) => {
    const id = await store(`\ufeff${panel.replaceAll(',', ';')}`)
    const preview = await read(client.request('GET', `/storage/objects/${id}/preview`))
    t.match(preview, {
      columns: ['item_id', 'timestamp', 'target'],
      detected_item_id_column: 'item_id',
      detected_timestamp_column: 'timestamp',
      detected_target_column: 'target',
      delimiter: ';',
      encoding: 'utf-8-sig',
      truncated: false
    })
    t.equal(preview['total_preview_rows'], panel.trimEnd().split('\n').length - 1)
    await expectError(t,
      await client.request('GET', `/storage/objects/${await store('\u0000\u0001\u0002binary')}/preview`), 415,
      'validation_error')
  })
}

t.test('stored files in a folder', async (t) => await storedFiles(t, {}, 100))

t.test('stored files in a bucket', { skip: whyNoS3('minio') }, async (t) => {
  const s3 = await startS3(t, 'minio')
  await s3.createBucket('objects')
  await storedFiles(t, s3.settings('objects'), 20)
})
