import { Compile } from 'typebox/compile'
import t from 'tap'
import { fineTunedModelSchema } from '../../../src/api/schemas/fine-tuned-model.ts'
import { messageVersion } from '../../../src/domain/message-version.ts'
import { openApi } from '../../support/api.ts'
import { askForForecast, askForTraining, endedJob, finishTraining, makeModel, trained,
  type SeenJob } from '../../support/fine-tuning.ts'
import { isSameAnswer, StorageCaller, type Json } from '../../support/storage.ts'
import { until } from '../../support/until.ts'

/*
 * The record, the store and the interface are real; the test plays the worker, so that it decides when a training
 * ends and how.
 */

const bucket = {
  connector_type: 's3',
  name: 'own',
  object_storage: {
    bucket: 'mine',
    region: 'us-east-1',
    endpoint_url: 'http://127.0.0.1:9',
    auth_method: 'access_key',
    file_format: 'csv',
    credentials: { access_key_id: 'AKIAEXAMPLE00000', secret_access_key: 'not-the-secret-of-anyone' }
  }
}
const checkModel = Compile(fineTunedModelSchema)
const objects = async ({ stage }: StorageCaller): Promise<string[]> => {
  const keys: string[] = []
  for await (const { key } of stage.store.list('')) keys.push(key)
  return keys
}
const models = async (caller: StorageCaller, query = ''): Promise<{ models: Json[], next_cursor: string | null }> =>
  await caller.json('GET', `/fine-tune/models${query}`)
const fieldsOf = (body: string): string[] => {
  const { detail } = JSON.parse(body) as { detail: Array<{ loc: string[], type: string }> }
  return detail.map(({ loc, type }) => `${loc.slice(1).join('.')} ${type}`)
}

t.test('a training is a job of its own type, and its end is a model', async (t) => {
  const stage = await openApi(t)
  const acme = new StorageCaller(stage)
  const fields: Array<[string, string]> = [
    ['name', 'spring'],
    ['base_preset', 'fast'],
    ['prediction_length', '6'],
    ['item_id_column', 'shop'],
    ['covariates', 'price,promo'],
    ['quantile_levels', '0.5'],
    ['feature_engineering', '{"lag_periods": [12, 1]}'],
    ['loss', 'wql'],
    ['max_runtime_seconds', '60'],
    ['validation_windows', '3'],
    ['metadata', '{"team": 7}']
  ]
  const answer = await askForTraining(stage, acme.key, fields)
  t.equal(answer.statusCode, 202, answer.body)
  const job = answer.json<SeenJob>()
  t.equal(answer.headers.location, `/jobs/${job.job_id}`)
  t.match(job, {
    job_type: 'fine_tune',
    status: 'pending',
    prediction_length: 6,
    name: 'spring',
    metadata: { team: 7 },
    model_version: null,
    download_url: null,
    effective_config: {
      presets: 'fast',
      item_id_column: 'shop',
      covariates: ['price', 'promo'],
      quantile_levels: [0.5],
      feature_engineering: { enabled: true, lag_periods: [1, 12], rolling_windows: [3, 7, 14, 30] },
      training: { loss: 'wql', validation_windows: 3, max_runtime_seconds: 60 }
    }
  })
  t.strictSame(await models(acme), { models: [], next_cursor: null }, 'no model before the end')
  t.match((await acme.json<{ jobs: Json[] }>('GET', '/jobs?job_type=fine_tune')).jobs, [{ job_id: job.job_id }])
  for (const format of ['', '?format=csv', '?format=zip', '?format=presign']) {
    const { status, text } = await acme.ask('GET', `/jobs/${job.job_id}/download${format}`)
    t.equal(status, 400, text)
    t.match(JSON.parse(text), { error_code: 'validation_error' })
  }
  const handle = await stage.takeNext('large')
  t.match(handle.message, {
    jobType: 'fine_tune',
    budgetMs: 60_000,
    spec: { training: { loss: 'wql', validationWindows: 3 } }
  })
  handle.nak()
  await finishTraining(stage, {
    numItems: 3,
    trained: trained({ covariates: ['price'] }),
    warnings: [{ code: 'past_only', message: 'promo', count: 1 }]
  })
  const ended = await endedJob(stage, acme.key, job.job_id)
  t.match(ended, {
    status: 'completed',
    model_version: /^ft_[0-9A-HJKMNP-TV-Z]{26}$/,
    num_items: 3,
    download_url: null,
    warnings: [{ code: 'past_only' }]
  })
  t.equal((await acme.ask('GET', `/jobs/${job.job_id}/download`)).status, 400,
    'a completed one has nothing to download either')
  const listed = await models(acme)
  const model = listed.models[0] as Json
  t.equal(listed.models.length, 1)
  t.ok(checkModel.Check(model), 'as the interface description says')
  t.match(model, {
    model_id: ended.model_version,
    name: 'spring',
    created_at: ended['completed_at'] as string,
    created_by: acme.key.split('_')[2],
    base_preset: 'fast',
    freq: 'MS',
    prediction_length: 6,
    columns: { item_id_column: 'shop', timestamp_column: 'timestamp', target_column: 'target' },
    covariates: ['price'],
    num_items: 3,
    metrics: { candidate: { mae: 1.5, mape: null }, baseline: { mae: 2 } },
    dataset_hash: 'd'.repeat(64),
    size_bytes: 20
  })
  t.equal(Date.parse(model['expires_at'] as string) - Date.parse(model['created_at'] as string), 30 * 86_400_000)
  t.strictSame(await acme.json('GET', `/fine-tune/models/${ended.model_version}`), model)
  const other = await StorageCaller.of(stage, 'beta')
  t.strictSame(await models(other), { models: [], next_cursor: null })
})

t.test('fields have their bounds, in the form and in the body', async (t) => {
  const stage = await openApi(t)
  const acme = new StorageCaller(stage)
  const wrong: Array<[string, string, string]> = [
    ['prediction_length', '0', 'greater_than_equal'],
    ['prediction_length', '1001', 'less_than_equal'],
    ['loss', 'mase', 'literal_error'],
    ['validation_windows', '0', 'greater_than_equal'],
    ['validation_windows', '6', 'less_than_equal'],
    ['validation_windows', '1.5', 'int_parsing'],
    ['max_runtime_seconds', '0', 'greater_than_equal'],
    ['max_runtime_seconds', '3601', 'less_than_equal'],
    ['freq', 'daily', 'frequency_alias'],
    ['quantile_levels', '0', 'value_error'],
    ['covariates', 'a,,b', 'value_error'],
    ['callback_url', 'http://127.0.0.1/', 'callback_url_not_allowed'],
    ['reconciliation', '{}', 'extra_forbidden'],
    ['presets', 'fast', 'extra_forbidden'],
    ['base_preset', '', 'none']
  ]
  for (const [field, text, type] of wrong) {
    const answer = await askForTraining(stage, acme.key, [[field, text]])
    if (type === 'none') t.equal(answer.statusCode, 202, 'empty is not given')
    else t.strictSame(fieldsOf(answer.body), [`${field} ${type}`], `${field} ${text}`)
  }
  t.strictSame(
    fieldsOf((await askForTraining(stage, acme.key, [['feature_engineering', '{"growth_periods": [0]}']])).body),
    ['feature_engineering.growth_periods.0 greater_than_equal']
  )
  for (const base of ['turbo', 'ft:ft_01ARZ3NDEKTSV4RRFFQ69G5FAV']) {
    const answer = await askForTraining(stage, acme.key, [['base_preset', base]])
    t.equal(answer.statusCode, 400)
    t.match(answer.json(), { error_code: 'invalid_preset', detail: { suggestion: 'Use one of fast, balanced, best.' } },
      'no model is trained from a model')
  }
  const body = async (fields: Json) => await acme.ask('POST', '/fine-tune/storage-object', fields)
  t.strictSame(fieldsOf((await body({})).text), ['object_id missing'])
  t.strictSame(fieldsOf((await body({ object_id: 'x', max_runtime_seconds: '60', loss: null })).text).sort(), [
    'loss literal_error',
    'max_runtime_seconds int_parsing'
  ])
  t.equal((await body({ object_id: 'obj_01ARZ3NDEKTSV4RRFFQ69G5FAV' })).status, 404)
  const objectId = await acme.store('item_id,timestamp,target\na,2024-01-01,1\na,2024-02-01,2\n')
  const accepted = await body({
    object_id: objectId,
    base_preset: 'best_quality',
    freq: null,
    covariates: null,
    max_runtime_seconds: null,
    feature_engineering: null,
    name: null
  })
  t.equal(accepted.status, 202, accepted.text)
  t.match(JSON.parse(accepted.text), {
    job_type: 'fine_tune',
    effective_config: { presets: 'best', training: { loss: 'mae', validation_windows: 1, max_runtime_seconds: null } }
  })
})

t.test('the same Idempotency-Key makes one training, also of the last model that there is room for', async (t) => {
  const stage = await openApi(t, { TABCAST_FINE_TUNE_MAX_MODELS: '1' })
  const ask = async (fields: Array<[string, string]> = []) =>
    await askForTraining(stage, stage.key, fields, { 'idempotency-key': 'a' })
  const [first, second] = [await ask(), await ask()]
  t.equal(second.headers['idempotent-replayed'], 'true')
  t.equal(second.body, first.body)
  t.equal((await ask([['name', 'x']])).statusCode, 409)
})

t.test('a tenant has so many models, those in training counted', async (t) => {
  const stage = await openApi(t, { TABCAST_FINE_TUNE_MAX_MODELS: '2' })
  const acme = new StorageCaller(stage)
  const modelId = await makeModel(acme)
  const waiting = (await askForTraining(stage, acme.key)).json<SeenJob>()
  const refuse = async () => {
    const answer = await askForTraining(stage, acme.key)
    t.equal(answer.statusCode, 400)
    t.match(answer.json(), {
      error_code: 'validation_error',
      detail: { detail: /at most 2 fine-tuned models/, suggestion: /DELETE \/fine-tune\/models/ }
    })
  }
  await refuse()
  t.equal((await askForTraining(stage, (await StorageCaller.of(stage, 'beta')).key)).statusCode, 202,
    'others have room of their own')
  t.equal((await acme.ask('DELETE', `/jobs/${waiting.job_id}`)).status, 204)
  const failing = (await askForTraining(stage, acme.key)).json<SeenJob>()
  await refuse()
  // Of both tenants, in whatever order.
  for (let waiting = 2; waiting > 0; waiting--) {
    await stage.finishNext({}, { code: 'pipeline_failed', error: 'no' }, 'large')
  }
  t.match(await endedJob(stage, acme.key, failing.job_id), {
    status: 'failed',
    error_code: 'pipeline_failed',
    model_version: null
  })
  t.equal((await models(acme)).models.length, 1, 'a failed training leaves no model')
  t.equal((await acme.ask('DELETE', `/fine-tune/models/${modelId}`)).status, 204)
  const racing = await Promise.all(Array.from({ length: 5 }, () => askForTraining(stage, acme.key)))
  t.strictSame(racing.map(({ statusCode }) => statusCode).sort(), [202, 202, 400, 400, 400],
    'a burst does not overshoot')
})

t.test('switched off: a training is refused before anything is looked at, and the list works', async (t) => {
  const stage = await openApi(t, { TABCAST_FINE_TUNE_ENABLED: 'false' })
  const acme = new StorageCaller(stage)
  const answer = await askForTraining(stage, acme.key, [['bogus', 'x']])
  t.equal(answer.statusCode, 503)
  t.match(answer.json(), { error_code: 'fine_tune_disabled', retryable: false })
  t.notOk('retry_after_seconds' in answer.json<{ detail: object }>().detail, 'later is no better')
  t.notOk('retry-after' in answer.headers)
  t.match(JSON.parse((await acme.ask('POST', '/fine-tune/storage-object', { bogus: 1 })).text), {
    error_code: 'fine_tune_disabled'
  })
  t.strictSame(await models(acme), { models: [], next_cursor: null })
})

t.test('the list goes on with a cursor that is bound to its tenant', async (t) => {
  const stage = await openApi(t)
  const acme = new StorageCaller(stage)
  const ids: string[] = []
  for (const name of ['one', 'two', 'three']) ids.unshift(await makeModel(acme, [['name', name]]))
  const first = await models(acme, '?limit=2')
  const second = await models(acme, `?limit=2&cursor=${first.next_cursor}`)
  t.strictSame([...first.models, ...second.models].map((model) => model['model_id']), ids, 'newest first')
  t.equal(second.next_cursor, null)
  const other = await StorageCaller.of(stage, 'beta')
  t.equal((await other.ask('GET', `/fine-tune/models?cursor=${first.next_cursor}`)).status, 422)
  for (const query of ['?limit=0', '?limit=201', '?cursor=zzz', '?status=x']) {
    t.equal((await acme.ask('GET', `/fine-tune/models${query}`)).status, 422, query)
  }
})

t.test('scopes: models to train and to manage, forecast to use', async (t) => {
  const stage = await openApi(t)
  const acme = new StorageCaller(stage)
  const modelId = await makeModel(acme)
  const [trainer, forecaster] = [(await stage.keys.create({ tenant: 'acme', scopes: ['models'] })).key,
    (await stage.keys.create({ tenant: 'acme', scopes: ['forecast'] })).key]
  t.equal((await askForTraining(stage, trainer)).statusCode, 202)
  t.equal((await askForTraining(stage, forecaster)).statusCode, 403)
  for (const [method, url] of [['GET', '/fine-tune/models'], ['GET', `/fine-tune/models/${modelId}`], ['DELETE',
    `/fine-tune/models/${modelId}`], ['POST', '/fine-tune/storage-object']] as const) {
    t.equal(
      (await new StorageCaller(stage, forecaster).ask(method, url, method === 'POST' ? { object_id: 'x' } : undefined))
        .status,
      403,
      `${method} ${url}`
    )
  }
  t.equal((await askForForecast(stage, trainer, [['presets', `ft:${modelId}`]])).statusCode, 403)
  t.equal((await askForForecast(stage, forecaster, [['presets', `ft:${modelId}`]])).statusCode, 202)
})

t.test('the bytes of a model outlive its job, and go with the model when no job uses it any more', async (t) => {
  const stage = await openApi(t, { TABCAST_SWEEP_MS: '100' })
  const acme = new StorageCaller(stage)
  const training = (await askForTraining(stage, acme.key)).json<SeenJob>()
  await finishTraining(stage)
  const modelId = (await endedJob(stage, acme.key, training.job_id)).model_version as string
  t.equal((await acme.ask('DELETE', `/jobs/${training.job_id}`)).status, 204)
  const [kept, ...others] = await objects(acme)
  t.match(kept, new RegExp(`^acme/${training.job_id}/[0-9A-Z]{26}/model.bin$`),
    'the job is gone and the model is there')
  t.strictSame(others, [])
  const using = (await askForForecast(stage, acme.key, [['presets', `ft:${modelId}`]])).json<SeenJob>()
  t.match(using, { model_version: modelId, effective_config: { presets: `ft:${modelId}` } })
  t.equal((await acme.ask('DELETE', `/fine-tune/models/${modelId}`)).status, 204)
  t.equal((await acme.ask('GET', `/fine-tune/models/${modelId}`)).status, 404)
  t.equal((await acme.ask('DELETE', `/fine-tune/models/${modelId}`)).status, 404)
  t.match((await askForForecast(stage, acme.key, [['presets', `ft:${modelId}`]])).json(), {
    error_code: 'invalid_preset'
  })
  const handle = await stage.takeNext()
  t.match(handle.message, { model: { modelId, key: kept, bytes: 20 }, spec: { modelId } })
  handle.nak()
  await new Promise((resolve) => setTimeout(resolve, 300))
  t.ok((await objects(acme)).includes(kept as string), 'sweeps passed, and the job can still read the model')
  await stage.finishNext({ 'forecast.csv': 'x', 'forecast.parquet': 'y' })
  t.match(await endedJob(stage, acme.key, using.job_id), { status: 'completed', model_version: modelId })
  await until('the bytes of the model to go', async () => !(await objects(acme)).includes(kept as string))
})

t.test('a model expires by itself, and a job that was taken before is still made', async (t) => {
  const stage = await openApi(t, { TABCAST_SWEEP_MS: '100', TABCAST_FINE_TUNE_MODEL_TTL: '2' })
  const acme = new StorageCaller(stage)
  const modelId = await makeModel(acme)
  const using = (await askForForecast(stage, acme.key, [['presets', `ft:${modelId}`]])).json<SeenJob>()
  await until('the model to expire', async () => (await acme.ask('GET', `/fine-tune/models/${modelId}`)).status === 404)
  t.strictSame(await models(acme), { models: [], next_cursor: null })
  t.match((await askForForecast(stage, acme.key, [['presets', `ft:${modelId}`]])).json(), {
    error_code: 'invalid_preset'
  })
  const isThere = async () => (await objects(acme)).some((key) => key.endsWith('/model.bin'))
  await new Promise((resolve) => setTimeout(resolve, 300))
  t.ok(await isThere(), 'it is used')
  t.equal((await acme.ask('DELETE', `/jobs/${using.job_id}`)).status, 204, 'a deletion ends the use as well')
  await until('the bytes of the model to go', async () => !await isThere())
})

t.test('a job that is deleted while it trains leaves nothing, whatever its run says afterwards', async (t) => {
  const stage = await openApi(t, { TABCAST_SWEEP_MS: '100' })
  const acme = new StorageCaller(stage)
  const job = (await askForTraining(stage, acme.key)).json<SeenJob>()
  const handle = await stage.takeNext('large')
  handle.ack()
  t.equal((await acme.ask('DELETE', `/jobs/${job.job_id}`)).status, 204)
  const run = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
  await stage.store.putBytes(`${handle.message.outputPrefix}${run}/model.bin`, Buffer.from('late'))
  await stage.worker.publishEvent({
    v: 1,
    jobId: job.job_id,
    tenant: 'acme',
    run,
    code: null,
    error: null,
    resultSha256: 'a'.repeat(64)
  })
  await until('nothing to be left', async () => (await objects(acme)).length === 0)
  t.strictSame(await models(acme), { models: [], next_cursor: null })
})

t.test('a foreign model, one that is gone and one that never was are one and the same to a forecast', async (t) => {
  const stage = await openApi(t, { TABCAST_CONNECTOR_ALLOW_CIDRS: '127.0.0.0/8' })
  const acme = new StorageCaller(stage)
  const beta = await StorageCaller.of(stage, 'beta')
  const modelId = await makeModel(acme)
  const connections = await Promise.all(
    [acme, beta].map(async (caller) =>
      JSON.parse((await caller.ask('POST', '/data-connections', bucket)).text) as { connection_id: string }
    )
  )
  const [own, foreign] = connections.map(({ connection_id: id }) => `/data-connections/${id}/forecast`)
  t.match(await acme.json('POST', own ?? '', { presets: `ft:${modelId}` }), {
    status: 'pending',
    model_version: modelId
  })
  const object = await beta.store('item_id,timestamp,target\na,2024-01-01,1\na,2024-02-01,2\n')
  const unknown = `${modelId.slice(0, -4)}ZZZZ`
  const routes: Array<(presets: string) => ReturnType<StorageCaller['ask']>> = [
    (presets) => beta.ask('POST', '/forecast/storage-object', { object_id: object, presets }),
    (presets) => beta.ask('POST', '/forecast/batch', { requests: [{ object_id: object, presets }] }),
    (presets) => beta.ask('POST', '/forecast/batch', { requests: [{ object_id: object }], defaults: { presets } }),
    (presets) => beta.ask('POST', foreign ?? '', { presets })
  ]
  for (const ask of routes) {
    const [anothers, nobodys] = [await ask(`ft:${modelId}`), await ask(`ft:${unknown}`)]
    t.equal(anothers.status, 400)
    t.match(JSON.parse(anothers.text), { error_code: 'invalid_preset' })
    t.ok(isSameAnswer(anothers, nobodys))
  }
  for (const name of [`ft:${unknown}`, 'ft:', 'ft:__proto__', `ft:${modelId}\u0000`, `FT:${modelId}`, modelId,
    `ft:ft:${modelId}`]) {
    t.match((await askForForecast(stage, beta.key, [['presets', name]])).json(), {
      error_code: 'invalid_preset',
      detail: { suggestion: /one of fast, balanced, best/ }
    }, name)
  }
})

t.test('a model that is deleted while a forecast with it is checked is unknown, not broken', async (t) => {
  const stage = await openApi(t)
  const acme = new StorageCaller(stage)
  const modelId = await makeModel(acme)
  const object = await acme.store('item_id,timestamp,target\na,2024-01-01,1\na,2024-02-01,2\n')
  stage.beforeCheck = async () => {
    t.equal((await acme.ask('DELETE', `/fine-tune/models/${modelId}`)).status, 204)
    // What a worker says that was asked before and reads after.
    return { v: messageVersion, ok: false, failed: 'pipeline_failed', message: 'its file is gone' }
  }
  const answer = await acme.ask('POST', '/forecast/storage-object', { object_id: object, presets: `ft:${modelId}` })
  t.match({ status: answer.status, ...JSON.parse(answer.text) as Json }, { status: 400, error_code: 'invalid_preset' })
})
