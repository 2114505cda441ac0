import { copyFile, rename, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { expectError, fieldsOf, suggestionOf } from '../../support/expect-error.ts'
import { objectsOf } from '../../support/leftovers.ts'
import { holdSlot, oneSlot } from '../../support/long-job.ts'
import { signal } from '../../support/processes.ts'
import { Client, panelCsv, startService, type Job, type TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

/* The whole service: models are trained and used by the engine. */

const panel = panelCsv(12, 72)
/** Enough series for a training of some seconds. */
const large = panelCsv(60, 120)
const quick = { base_preset: 'fast', prediction_length: '6' }

async function open (t: Test,
  settings: Record<string, string> = {}): Promise<{ service: TestService, client: Client }> {
  const service = await startService({ TABCAST_RATE_LIMITS: 'false', TABCAST_SWEEP_MS: '300', ...settings })
  t.teardown(() => service.cleanup())
  return { service, client: new Client(service.baseUrl, await service.createKey('acme')) }
}

async function train (client: Client, data: string, fields: Record<string, string> = quick): Promise<Job> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([data]), 'history.csv')
  const answer = await client.request('POST', '/fine-tune', { body: form })
  const body = await answer.json() as Job
  if (answer.status !== 202) throw new Error(`the training was refused: ${JSON.stringify(body)}`)
  return body
}

async function trainedModel (t: Test, client: Client, jobId: string): Promise<string> {
  const job = await client.ended(jobId)
  t.equal(job.status, 'completed', String(job.error))
  return job['model_version'] as string
}

async function models (client: Client): Promise<Array<Record<string, unknown>>> {
  const answer = await client.request('GET', '/fine-tune/models')
  return (await answer.json() as { models: Array<Record<string, unknown>> }).models
}

async function stored (client: Client, data: string): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const presigned = await client.request('POST', '/storage/uploads/presign', {
    body: JSON.stringify({ filename: 'a.csv', content_type: 'text/csv' }),
    headers
  })
  const upload = await presigned.json() as { object_id: string, upload_url: string,
    required_headers: Record<string, string> }
  await fetch(upload.upload_url, { method: 'PUT', headers: upload.required_headers, body: data })
  await client.request('POST', `/storage/uploads/${upload.object_id}/complete`, { body: '{}', headers })
  return upload.object_id
}

const post = async (client: Client, path: string, body: object): Promise<Response> =>
  await client.request('POST', path, { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })

t.test('a model is trained once and used in every way', async (t) => {
  const { service, client } = await open(t)
  const job = await train(client, panel, {
    ...quick,
    name: 'monthly',
    feature_engineering: '{"lag_periods": [1, 12]}',
    validation_windows: '2'
  })
  t.match(job, { job_type: 'fine_tune', model_version: null, name: 'monthly' })
  const modelId = await trainedModel(t, client, job.job_id)
  const presets = `ft:${modelId}`
  const [model] = await models(client)
  t.match(model, {
    model_id: modelId,
    name: 'monthly',
    base_preset: 'fast',
    freq: 'MS',
    prediction_length: 6,
    num_items: 12,
    covariates: []
  })
  const { candidate, baseline } = model?.['metrics'] as Record<string, Record<string, number>>
  for (const loss of ['mae', 'mse', 'rmse', 'smape', 'wql']) {
    t.ok((candidate?.[loss] ?? -1) >= 0 && (baseline?.[loss] ?? -1) >= 0, `${loss} of model and base preset`)
  }
  t.ok((model?.['size_bytes'] as number) > 0)

  await t.test('the same request twice gives the same bytes', async (t) => {
    const first = await client.ended((await client.submitted(panel, { presets, prediction_length: '4' })).job_id)
    t.match(first, { status: 'completed', model_version: modelId, num_items: 12, effective_config: { presets } })
    t.notOk((first['warnings'] as Array<{ code: string }>).some(({ code }) => code === 'unseen_series'),
      'it has seen these series')
    const second = await client.ended((await client.submitted(panel, { presets, prediction_length: '4' })).job_id)
    t.equal(second['config_hash'], first['config_hash'])
    const table = await client.table(first.job_id)
    t.equal(await client.table(second.job_id), table)
    t.equal(table.trimEnd().split('\n').length, 1 + 12 * 4)
  })

  await t.test('series that it has never seen are forecast, and counted', async (t) => {
    const done = await client.ended(
      (await client.submitted(panel.replaceAll('series-1', 'new-1'), { presets, prediction_length: '6' })).job_id
    )
    t.match(done, { status: 'completed', num_items: 12 })
    t.match((done['warnings'] as Array<{ code: string }>).find(({ code }) => code === 'unseen_series'), { count: 3 })
  })

  await t.test('other levels, and a hierarchy whose sums the model has never seen', async (t) => {
    const panels = panel.replaceAll('series-', 'north/').replaceAll(/north\/([6-9]|1\d),/g, 'south/$1,')
    const fields = {
      presets,
      prediction_length: '2',
      quantile_levels: '0.025,0.975',
      reconciliation: '{"enabled": true}'
    }
    const done = await client.ended((await client.submitted(panels, fields)).job_id)
    t.match(done, { status: 'completed', num_items: 12, reconciliation: { num_series: 15, max_incoherence_after: 0 } },
      String(done.error))
    t.equal((await client.table(done.job_id)).split('\n')[0], 'item_id,timestamp,mean,0.025,0.975')
  })

  await t.test('from a stored object and in a batch', async (t) => {
    const objectId = await stored(client, panel)
    const single = await post(client, '/forecast/storage-object', {
      object_id: objectId,
      presets,
      prediction_length: 3
    })
    t.equal(single.status, 202)
    const batch = await post(client, '/forecast/batch', {
      requests: [{ object_id: objectId }, { object_id: objectId, presets: 'fast' }],
      defaults: { presets, prediction_length: 3 }
    })
    t.equal(batch.status, 202)
    const { jobs } = await batch.json() as { jobs: Job[] }
    const jobIds = [(await single.json() as Job).job_id, ...jobs.map(({ job_id: jobId }) => jobId)]
    const ended = await Promise.all(jobIds.map((jobId) => client.ended(jobId)))
    t.match(ended.map(({ status }) => status), ['completed', 'completed', 'completed'])
    t.match(ended.map((one) => one['model_version']), [modelId, modelId, /\+fast$/])
  })

  await t.test('data that does not fit is a 422 with what to do', async (t) => {
    const daily = panel.replaceAll(/,(\d{4})-(\d\d)-01,/g,
      (_, year: string, month: string) =>
        `,${new Date(Date.UTC(2020, 0, Number(month) + 12 * (Number(year) - 2015))).toISOString().slice(0, 10)},`)
    const [field] = fieldsOf(
      await expectError(t, await client.submit(daily, { presets, prediction_length: '6' }), 422, 'validation_error')
    )
    t.match(field, { type: 'model_frequency_mismatch', msg: /MS.*train a model/s })
    const cases: Array<[Record<string, string>, string, string]> = [
      [{ prediction_length: '7' }, 'prediction_length', 'model_horizon_exceeded'],
      [{ freq: 'D' }, 'freq', 'model_frequency_mismatch'],
      [{ covariates: 'price' }, 'covariates', 'model_columns_mismatch'],
      [{ target_column: 'sales' }, 'target_column', 'model_columns_mismatch'],
      [{ feature_engineering: '{"lag_periods": [2]}' }, 'feature_engineering', 'model_features_mismatch']
    ]
    for (const [fields, name, type] of cases) {
      t.match(
        fieldsOf(
          await expectError(t, await client.submit(panel, { presets, prediction_length: '6', ...fields }), 422,
            'validation_error')
        ),
        [{ loc: ['body', name], type, msg: /\. / }],
        type
      )
    }
  })

  await t.test('another tenant does not have it', async (t) => {
    const other = new Client(service.baseUrl, await service.createKey('beta'))
    await expectError(t, await other.submit(panel, { presets }), 400, 'invalid_preset')
    await expectError(t, await other.request('GET', `/fine-tune/models/${modelId}`), 404, 'not_found')
  })

  await t.test('a model whose file is damaged or gone is refused by name, and no second try is advised', async (t) => {
    const [path] = (await objectsOf(service, 'acme', job.job_id)).filter((one) => one.endsWith('model.bin'))
    const file = join(service.folder, 'data', 'objects', path ?? '')
    const forecast = { presets: `ft:${modelId}`, prediction_length: '6' }
    const refused = async (what: RegExp) => {
      const envelope = await expectError(t, await client.submit(panel, forecast), 500, 'pipeline_failed')
      t.match(envelope, { retryable: false, detail: { detail: what } })
      t.match(suggestionOf(envelope), new RegExp(`Train a new model .* /fine-tune/models/${modelId}`))
    }
    await rename(file, `${file}.kept`)
    await refused(new RegExp(`ft:${modelId} .* gone`))
    await writeFile(file, 'no model at all')
    await refused(new RegExp(`ft:${modelId} .* damaged`))
    await rename(`${file}.kept`, file)
    t.match(await client.ended((await client.submitted(panel, forecast)).job_id), { status: 'completed' },
      'as it was, it is used')
    await copyFile(file, `${file}.kept`)
    await truncate(file, 100)
    await refused(/damaged/)
    await rename(`${file}.kept`, file)
  })

  await t.test('covariates: the model says which it needs, and a file without them is refused', async (t) => {
    const client = new Client(service.baseUrl, await service.createKey('shops'))
    const withPrice = panel.trimEnd().split('\n').map((line, at) =>
      at === 0 ? `${line},price` : `${line},${(at * 7) % 13}`
    )
    const future = Array.from({ length: 12 },
      (_, item) => Array.from({ length: 6 }, (_, step) => `series-${item},2021-0${step + 1}-01,,${step}`)).flat()
    const data = [...withPrice, ...future].join('\n') + '\n'
    const modelId = await trainedModel(t, client, (await train(client, data, { ...quick, covariates: 'price' })).job_id)
    t.match(await models(client), [{ covariates: ['price'] }])
    const done = await client.ended(
      (await client.submitted(data, { presets: `ft:${modelId}`, prediction_length: '6' })).job_id
    )
    t.match(done, { status: 'completed', effective_config: { covariates: ['price'] } })
    const [field] = fieldsOf(
      await expectError(t, await client.submit(panel, { presets: `ft:${modelId}`, prediction_length: '6' }), 422,
        'validation_error')
    )
    t.match(field, { type: 'model_columns_mismatch', msg: /price/ })
  })

  await t.test('a training keeps to its time, and one that cannot says so', async (t) => {
    const client = new Client(service.baseUrl, await service.createKey('hasty'))
    const { job_id: jobId } = await train(client, large, {
      ...quick,
      base_preset: 'balanced',
      max_runtime_seconds: '10'
    })
    await trainedModel(t, client, jobId)
    const tooShort = await client.ended(
      (await train(client, panelCsv(1_000, 120), {
        ...quick,
        base_preset: 'best',
        max_runtime_seconds: '1',
        validation_windows: '5'
      })).job_id
    )
    t.ok(tooShort.status === 'completed' || tooShort.error_code === 'timeout',
      `${tooShort.status} ${tooShort.error_code}`)
    t.equal((await models(client)).length, tooShort.status === 'completed' ? 2 : 1)
  })

  await t.test('switched off, it is still listed, used and deleted', async (t) => {
    await service.restart({ TABCAST_FINE_TUNE_ENABLED: 'false' })
    await until('a worker', async () => (await client.submit(panel, { presets: 'fast' })).status === 202)
    const form = new FormData()
    form.append('file', new Blob([panel]), 'history.csv')
    await expectError(t, await client.request('POST', '/fine-tune', { body: form }), 503, 'fine_tune_disabled')
    await expectError(t,
      await post(client, '/fine-tune/storage-object', { object_id: 'obj_01ARZ3NDEKTSV4RRFFQ69G5FAV' }), 503,
      'fine_tune_disabled')
    t.equal((await models(client)).length, 1)
    t.match(await client.ended((await client.submitted(panel, { presets, prediction_length: '2' })).job_id), {
      status: 'completed',
      model_version: modelId
    })
    t.equal((await client.request('DELETE', `/fine-tune/models/${modelId}`)).status, 204)
    await expectError(t, await client.submit(panel, { presets }), 400, 'invalid_preset')
  })
})

t.test('a worker and a slot that are killed while they train leave one model', async (t) => {
  const { service, client } = await open(t, {
    TABCAST_LEASE_MS: '2000',
    TABCAST_HEARTBEAT_MS: '300',
    TABCAST_RECONCILE_MS: '300',
    TABCAST_CLAIM_TIMEOUT_MS: '500',
    ...oneSlot
  })
  const { job_id: training } = await train(client, large)
  for (const role of ['slot', 'worker'] as const) {
    await until(`the training to run before its ${role} is killed`, async () => {
      const job = await client.job(training)
      if (job.status === 'completed' || job.status === 'failed') {
        throw new Error(`the training ended too early: ${job.status}`)
      }
      const { stage = 'queue' } = job['progress'] as { stage?: string }
      return job.status === 'running' && !['queue', 'running', 'queued'].includes(stage)
    }, 60_000)
    for (const pid of service.pids(role)) signal(pid, 'SIGKILL')
    await until(`${role}s to be back`, () => service.pids(role).length > 0, 60_000)
  }
  const modelId = await trainedModel(t, client, training)
  t.ok((await client.job(training))['attempt'] as number >= 2)
  t.match(await models(client), [{ model_id: modelId }])
  await until('what lost runs stored to go',
    async () => (await objectsOf(service, 'acme')).filter((path) => path.endsWith('model.bin')).length === 1)
  t.match(
    await client.ended((await client.submitted(panel, { presets: `ft:${modelId}`, prediction_length: '6' })).job_id),
    { status: 'completed' }
  )

  await t.test('a model that is deleted while a job waits for it is used once more, and then its bytes go', async (t) => {
    t.equal((await client.request('DELETE', `/jobs/${training}`)).status, 204)
    const { job_id: holder } = await holdSlot(t, client)
    const { job_id: jobId } = await client.submitted(panel, { presets: `ft:${modelId}`, prediction_length: '6' })
    t.equal((await client.request('DELETE', `/fine-tune/models/${modelId}`)).status, 204)
    await expectError(t, await client.submit(panel, { presets: `ft:${modelId}` }), 400, 'invalid_preset')
    const bytes = async () => (await objectsOf(service, 'acme', training)).map((path) => path.split('/').at(-1))
    t.strictSame(await bytes(), ['model.bin'], 'of the training only the model is left')
    t.equal((await client.request('DELETE', `/jobs/${holder}`)).status, 204)
    t.match(await client.ended(jobId), { status: 'completed', model_version: modelId })
    await until('the bytes to go', async () => (await bytes()).length === 0)
  })
})
