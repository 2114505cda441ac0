import t, { type Test } from 'tap'
import { Type, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { errorCodeSchema } from '../../src/api/schemas/error.ts'
import { tabularJobSchema } from '../../src/api/schemas/tabular-job.ts'
import type { ContentError } from '../../src/domain/content-error.ts'
import { messageVersion } from '../../src/domain/message-version.ts'
import type { QuickCheckRequest } from '../../src/platform/queue/quick-messages.ts'
import { openApi, type ApiStage } from '../support/api.ts'
import { expectError, fieldsOf, suggestionOf, type Answer } from '../support/expect-error.ts'
import { endedJob } from '../support/fine-tuning.ts'
import { StorageCaller, type Json } from '../support/storage.ts'
import { churn, finishTabular, outcomeOf, predictions, tabularRoutes, upload,
  type TabularRoute } from '../support/tabular.ts'
import { readZip } from '../support/zip.ts'

/* The four routes for tables. The test plays the worker. */

interface Setup {
  tenant: string
  caller: StorageCaller
  routes: TabularRoute[]
  checked: QuickCheckRequest[]
}

const stage = await openApi(t)
let tenants = 0

/** A tenant of its own on the one service; its jobs are gone when the test is over. */
async function setup (t: Test): Promise<Setup> {
  stage.checkReply = { v: messageVersion, ok: true, profile: { rows: 120, columns: 3, labeledRows: 100 }, warnings: [] }
  const tenant = `tenant-${++tenants}`
  const caller = await StorageCaller.of(stage, tenant)
  const checked: QuickCheckRequest[] = []
  stage.beforeCheck = (request) => {
    checked.push(request)
  }
  t.teardown(async () => {
    const { jobs } = await caller.json<{ jobs: Json[] }>('GET', '/jobs?limit=200')
    await Promise.all(jobs.map(({ job_id: id }) => caller.ask('DELETE', `/jobs/${String(id)}`)))
  })
  return { tenant, caller, routes: await tabularRoutes({ stage, caller }), checked }
}

const jobOf = ({ text }: Answer): Json => JSON.parse(text) as Json
const defaults = {
  labelColumn: 'target',
  problemType: 'auto',
  inferenceMode: 'train_evaluate',
  trainSplitRatio: 0.8,
  validationHoldoutRatio: 0.2
}
const checkJob = Compile({ ErrorCode: errorCodeSchema } as never,
  Type.Object({ ...tabularJobSchema.properties }, { additionalProperties: false }) as TSchema)
const unknownYet = {
  completed_at: null,
  elapsed_seconds: null,
  num_samples: null,
  problem_type: null,
  accuracy: null,
  feature_importance: null,
  labeled_row_count: null,
  unlabeled_row_count: null,
  predicted_row_count: null,
  model_name: null,
  metrics: null,
  download_url: null,
  report_url: null,
  error: null,
  error_code: null
}

t.test('a request that says nothing has the defaults, in the check, the message and the job', async (t) => {
  const { caller, routes, checked } = await setup(t)
  for (const { path, task, send } of routes) {
    const answer = await send({})
    t.equal(answer.status, 202, `${path}: ${answer.text}`)
    const job = jobOf(answer)
    t.equal(answer.headers.get('location'), `/jobs/${String(job['job_id'])}`)
    t.equal(answer.headers.get('retry-after'), '1')
    t.match(job, {
      ...unknownYet,
      status: 'pending',
      job_type: task,
      inference_mode: 'train_evaluate',
      model_version: '0.1.0+tabular-balanced',
      effective_config: {
        label_column: 'target',
        problem_type: 'auto',
        inference_mode: 'train_evaluate',
        train_split_ratio: 0.8,
        validation_holdout_ratio: 0.2,
        time_column: null,
        sheet_name: null
      }
    }, path)
    t.strictSame(Object.keys(job), Object.keys(tabularJobSchema.properties))
    t.ok(checkJob.Check(job))
    const { message, ack } = await stage.takeNext('large')
    t.match(message, { jobType: task, limits: { maxCellChars: 32_768 } })
    t.strictSame(message.spec, { task, ...defaults })
    ack()
    t.equal((await caller.ask('DELETE', `/jobs/${String(job['job_id'])}`)).status, 204)
  }
  t.strictSame(checked.map(({ spec, depth }) => [spec, depth]),
    routes.map(({ task }) => [{ task, ...defaults }, 'full']))
})

t.test('every bound, on every route', async (t) => {
  const { routes } = await setup(t)
  const edges: Array<[field: string, taken: unknown[], refused: Array<[value: unknown, type: string]>]> = [
    ['label_column', ['x', 'ü'.repeat(200)], [['x'.repeat(201), 'string_too_long']]],
    ['train_split_ratio', [0.5, 0.95], [[0.4999, 'greater_than_equal'], [0.9501, 'less_than_equal']]],
    ['validation_holdout_ratio', [0.05, 0.5], [[0.0499, 'greater_than_equal'], [0.5001, 'less_than_equal']]],
    ['problem_type', ['auto'], [['x'.repeat(20), 'value_error'], ['x'.repeat(21), 'string_too_long']]],
    ['inference_mode', ['auto', 'train_evaluate', 'train_predict', 'predict_unlabeled'], [['Train_Evaluate',
      'value_error'], ['x'.repeat(20), 'value_error'], ['x'.repeat(21), 'string_too_long']]],
    ['time_column', ['x'.repeat(200)], [['x'.repeat(201), 'string_too_long'], ['target', 'value_error'], ['target ',
      'value_error'], [' target', 'value_error']]],
    ['name', ['x'.repeat(200)], [['x'.repeat(201), 'string_too_long']]],
    ['metadata', [{ a: 'x'.repeat(2000) }], [[{ a: 'x'.repeat(2048) }, 'too_long']]],
    ['callback_url', [], [['http://127.0.0.1/', 'callback_url_not_allowed'], [`https://example.com/${'x'.repeat(2048)}`,
      'string_too_long']]],
    ['explainability', [{ enabled: false }, { enabled: true }], [[[], 'dict_type']]]
  ]
  for (const { path, send } of routes) {
    for (const [field, taken, refused] of edges) {
      for (const value of taken) {
        const answer = await send({ [field]: value })
        t.equal(answer.status, 202,
          `${path} takes ${field} ${JSON.stringify(value).slice(0, 40)}: ${answer.text.slice(0, 200)}`)
      }
      for (const [value, type] of refused) {
        const fields = fieldsOf(await expectError(t, await send({ [field]: value }), 422, 'validation_error'))
        t.match(fields, [{ loc: ['body', field], type }],
          `${path} refuses ${field} ${JSON.stringify(value).slice(0, 40)}`)
        t.equal(fields.length, 1)
      }
    }
    t.match(fieldsOf(await expectError(t, await send({ presets: 'best' }), 422, 'validation_error')), [{
      loc: ['body', 'presets'],
      type: 'extra_forbidden'
    }])
    const both = await send({ problem_type: 'clustering', inference_mode: 'none' })
    t.strictSame(fieldsOf(await expectError(t, both, 422, 'validation_error')).map(({ loc }) => loc[1]), [
      'problem_type',
      'inference_mode'
    ], 'all that is wrong at once')
  }
})

t.test('each task has its problems, and auto is shown as what it was', async (t) => {
  const { caller, routes } = await setup(t)
  for (const { path, task, send } of routes) {
    const [own, other] = [['binary', 'multiclass'], ['regression', 'quantile']].sort(() =>
      task === 'classification' ? 0 : -1
    ) as [string[], string[]]
    for (const problem of own) {
      const job = jobOf(await send({ problem_type: problem, inference_mode: 'predict_unlabeled' }))
      t.match(job, {
        problem_type: problem,
        inference_mode: 'train_predict',
        effective_config: { inference_mode: 'train_predict' }
      }, `${path} ${problem}`)
      await stage.finishNext({}, { code: 'validation_error', error: 'No.' }, 'large')
    }
    for (const problem of other) {
      t.match(fieldsOf(await expectError(t, await send({ problem_type: problem }), 422, 'validation_error')), [{
        loc: ['body', 'problem_type'],
        msg: /auto/
      }], `${path} ${problem}`)
    }
    const asked = jobOf(await send({ inference_mode: 'auto' }))
    t.match(asked, { problem_type: null, inference_mode: null })
    await finishTabular(stage, task === 'classification'
      ? { problemType: 'multiclass', inferenceMode: 'train_predict' }
      : { problemType: 'quantile', inferenceMode: 'train_predict' })
    t.match(await endedJob(stage, caller.key, String(asked['job_id'])), {
      problem_type: task === 'classification' ? 'multiclass' : 'quantile',
      inference_mode: 'train_predict',
      effective_config: { problem_type: 'auto', inference_mode: 'auto' }
    })
  }
})

t.test('only a form has nothing for an empty field, and text for a number', async (t) => {
  const { caller, routes } = await setup(t)
  for (const { path, send } of routes) {
    if (path.endsWith('storage-object')) {
      for (const [field, value, type] of [['label_column', '', 'string_too_short'], ['label_column', null,
        'string_type'], ['problem_type', '', 'string_too_short'], ['inference_mode', '', 'string_too_short'], [
        'train_split_ratio',
        '0.8',
        'float_parsing'
      ], ['train_split_ratio', null, 'float_type']] as const) {
        t.match(fieldsOf(await expectError(t, await send({ [field]: value }), 422, 'validation_error')), [{
          loc: ['body', field],
          type
        }], `${path} ${field} ${String(value)}`)
      }
      const job = jobOf(
        await send({
          time_column: null,
          sheet_name: null,
          callback_url: null,
          name: null,
          metadata: null,
          explainability: null
        })
      )
      t.match(job, { status: 'pending', effective_config: { time_column: null, sheet_name: null } })
      t.equal(job['config_hash'], jobOf(await send({}))['config_hash'], 'null is as left out')
      await expectError(t, await send({ object_id: 'obj_01ARZ3NDEKTSV4RRFFQ69G5FAV' }), 404, 'not_found')
      t.match(fieldsOf(await expectError(t, await send({ object_id: 'x'.repeat(129) }), 422, 'validation_error')), [{
        loc: ['body', 'object_id']
      }])
    } else {
      const job = jobOf(
        await send({ label_column: '', problem_type: '', train_split_ratio: '', inference_mode: '', time_column: '' })
      )
      t.match(job, {
        status: 'pending',
        effective_config: { label_column: 'target', train_split_ratio: 0.8, inference_mode: 'train_evaluate' }
      }, path)
      t.match(fieldsOf(await expectError(t, await send({ train_split_ratio: 'most' }), 422, 'validation_error')), [{
        loc: ['body', 'train_split_ratio'],
        type: 'float_parsing'
      }])
      t.match(fieldsOf(await expectError(t, await send({ sheet_name: 'first' }), 422, 'validation_error')), [{
        loc: ['body', 'sheet_name']
      }])
      await expectError(t, await upload(stage, caller.key, path, {}, {}, 'churn.json'), 415, 'validation_error')
      await expectError(t, await upload(stage, caller.key, path, {}, {}, 'churn.parquet'), 415, 'validation_error')
    }
  }
})

t.test('the hash tells apart what is computed differently, and nothing else', async (t) => {
  const { routes: [classify, , regress] } = await setup(t)
  const hash = async (fields: Json, route = classify) =>
    jobOf(await (route as TabularRoute).send(fields))['config_hash']
  const plain = await hash({})
  t.equal(await hash({ problem_type: 'auto', train_split_ratio: '0.80', name: 'x', metadata: { a: 1 } }), plain)
  t.equal(await hash({ inference_mode: 'train_predict' }), await hash({ inference_mode: 'predict_unlabeled' }))
  const others = await Promise.all([hash({}, regress), hash({ label_column: 'plan' }), hash({ time_column: 'day' }),
    hash({ train_split_ratio: 0.7 }), hash({ problem_type: 'binary' })])
  t.equal(new Set([plain, ...others]).size, 6)
})

t.test('an empty upload is told without a word on series', async (t) => {
  const { caller } = await setup(t)
  const envelope = await expectError(t, await upload(stage, caller.key, '/v2/classify', {}, {}, 'churn.csv', ''), 400,
    'validation_error')
  t.match(suggestionOf(envelope), /header and rows/)
  t.notMatch(suggestionOf(envelope), /series/)
})

t.test('a job whose importance is not known says null, not a number that was made up', async (t) => {
  const { caller, routes: [classify] } = await setup(t)
  const jobId = String(jobOf(await (classify as TabularRoute).send({}))['job_id'])
  await finishTabular(stage, { featureImportance: [] })
  const job = await endedJob(stage, caller.key, jobId)
  t.ok(checkJob.Check(job))
  t.equal(job['feature_importance'], null)
})

t.test('a job that completes has its figures, its files and its report', async (t) => {
  const { caller, routes: [classify, , regress] } = await setup(t)
  const asked = jobOf(await (classify as TabularRoute).send({ name: 'churn', metadata: { a: 1 } }))
  const jobId = String(asked['job_id'])
  const address = `/jobs/${jobId}/download`
  await expectError(t, await caller.ask('GET', address), 409, 'job_not_completed')
  await finishTabular(stage, {
    featureImportance: [{ feature: '__proto__', share: 0.5 }, { feature: '7', share: 0.25 }, {
      feature: '__other__',
      share: 0.125
    }, { feature: '__other__', share: 0.125 }]
  }, { warnings: [{ code: 'leak', message: 'plan', count: 1 }] })
  const job = await endedJob(stage, caller.key, jobId)
  t.ok(checkJob.Check(job))
  t.strictSame(Object.keys(job), Object.keys(tabularJobSchema.properties))
  t.match(job, {
    status: 'completed',
    job_type: 'classification',
    num_samples: 120,
    labeled_row_count: 100,
    unlabeled_row_count: 20,
    predicted_row_count: 20,
    problem_type: 'binary',
    inference_mode: 'train_evaluate',
    accuracy: 0.9,
    metrics: {
      accuracy: 0.9,
      balanced_accuracy: 0.875,
      log_loss: 0.25,
      roc_auc: 0.95,
      r2: null,
      rmse: null,
      mae: null
    },
    model_name: 'tabular-balanced',
    dataset_hash: 'd'.repeat(64),
    timings: { fit: 1 },
    warnings: [{ code: 'leak' }],
    name: 'churn',
    metadata: { a: 1 },
    download_url: address,
    report_url: `/jobs/${jobId}/artifacts/report.html`
  })
  t.strictSame(Object.entries(job['feature_importance'] as Json), [['7', 0.25], ['__proto__', 0.5], ['__other__',
    0.25]], 'columns may be called anything')

  const table = await caller.ask('GET', `${address}?format=csv`)
  t.equal(table.text, predictions['predictions.csv'])
  t.match(table.headers.get('content-disposition'), `predictions_${jobId}.csv`)
  t.equal((await caller.ask('GET', `${address}?format=parquet`)).text, predictions['predictions.parquet'])
  for (const query of ['', '?format=presign']) {
    const redirect = await caller.ask('GET', address + query)
    t.equal(redirect.status, 307, 'a report is no second file')
    t.match(redirect.headers.get('location'), /predictions\.csv\?/)
  }
  const zip = await stage.app.inject({
    url: `${address}?format=zip`,
    headers: { authorization: `Bearer ${caller.key}` }
  })
  t.strictSame([...readZip(zip.rawPayload).keys()], ['metrics.json', 'predictions.csv', 'predictions.parquet',
    'report.html', 'report.json'])

  const second = jobOf(await (regress as TabularRoute).send({}))
  await stage.finishNext(predictions, { numItems: null, tabular: regression() }, 'large')
  const regressed = await endedJob(stage, caller.key, String(second['job_id']))
  t.ok(checkJob.Check(regressed))
  t.match(regressed, {
    job_type: 'regression',
    problem_type: 'regression',
    accuracy: null,
    metrics: { accuracy: null, log_loss: null, r2: 0.5, rmse: 2, mae: 1 }
  })

  t.test('lists have both shapes', async (t) => {
    const list = async (query: string) =>
      (jobOf(await caller.ask('GET', `/jobs${query}`))['jobs'] as Json[]).map(({ job_type: type }) => type)
    t.strictSame(await list(''), ['regression', 'classification'])
    t.strictSame(await list('?job_type=classification'), ['classification'])
    t.strictSame(await list('?job_type=regression&status=completed'), ['regression'])
    t.strictSame(await list('?job_type=forecast'), [])
  })
})

function regression () {
  const { accuracy: _none, ...rest } = outcomeOf({ problemType: 'regression', metrics: { r2: 0.5, rmse: 2, mae: 1 } })
  return rest
}

t.test('what is wrong with the table is said at once, in the words of the engine', async (t) => {
  const { caller, routes } = await setup(t)
  const cases: Array<Partial<ContentError> & { code: string, status: ContentError['status'] }> = [
    { code: 'missing_column', status: 422, column: 'target', suggestion: 'The columns are age, plan.' },
    { code: 'rare_classes', status: 422, column: 'target', count: 2 },
    { code: 'numeric_label', status: 422, column: 'target', suggestion: 'Use POST /v2/regress.' },
    { code: 'duplicate_column', status: 422, column: 'age' },
    { code: 'one_class', status: 400, suggestion: 'Send rows of two classes.' },
    { code: 'too_few_labels', status: 400, suggestion: 'Send 20 labelled rows.' },
    { code: 'no_unlabeled_rows', status: 400, suggestion: 'Use inference_mode=train_evaluate.' },
    { code: 'too_many_rows', status: 413, suggestion: 'Send fewer.' }
  ]
  for (const { path, send } of routes) {
    const data = path.endsWith('storage-object') ? 'object_id' : 'file'
    for (const wrong of cases) {
      const error: ContentError = {
        message: 'It is wrong.',
        column: null,
        row: null,
        item: null,
        count: null,
        suggestion: null,
        ...wrong
      }
      stage.beforeCheck = () => ({ v: messageVersion, ok: false, error })
      const envelope = await expectError(t, await send({}), wrong.status,
        wrong.status === 413 ? 'dataset_too_large' : 'validation_error')
      if (wrong.status === 422) {
        t.match(fieldsOf(envelope), [{ loc: ['body', data, wrong.column], type: wrong.code, msg: /It is wrong\./ }],
          path)
      } else t.equal(suggestionOf(envelope), wrong.suggestion, path)
    }
  }
  const { jobs } = jobOf(await caller.ask('GET', '/jobs'))
  t.strictSame(jobs, [], 'nothing is left of any of them')
})

t.test('a run that ends without an outcome fails its job, and one that fails says why', async (t) => {
  const { caller, routes: [classify, stored] } = await setup(t)
  const silent = jobOf(await (classify as TabularRoute).send({}))
  await stage.finishNext(predictions, { numItems: null }, 'large')
  t.match(await endedJob(stage, caller.key, String(silent['job_id'])), {
    status: 'failed',
    error_code: 'pipeline_failed',
    download_url: null,
    report_url: null
  })
  const failing = jobOf(await (stored as TabularRoute).send({}))
  await stage.finishNext({}, { code: 'validation_error', error: 'One class.', numItems: null, datasetHash: null },
    'large')
  const failed = await endedJob(stage, caller.key, String(failing['job_id']))
  t.match(failed, {
    ...unknownYet,
    completed_at: String,
    elapsed_seconds: Number,
    status: 'failed',
    error: 'One class.',
    error_code: 'validation_error'
  })
  t.ok(checkJob.Check(failed))
})

t.test('switched off, all four routes answer 503, and what there is stays', async (t) => {
  const { tenant, caller, routes: [classify] } = await setup(t)
  const jobId = String(jobOf(await (classify as TabularRoute).send({}))['job_id'])
  await finishTabular(stage)
  await endedJob(stage, caller.key, jobId)
  const off: ApiStage = { ...stage, app: stage.buildAnother({ TABCAST_TABULAR_ENABLED: 'false' }) }
  const reader = new StorageCaller(off, caller.key)
  const objectId = await caller.store(churn)
  for (const path of ['/v2/classify', '/v2/regress']) {
    const envelope = await expectError(t, await upload(off, caller.key, path, {}), 503, 'tabular_runtime_unavailable')
    t.equal(envelope.retryable, false)
    for (const payload of [{ object_id: objectId }, { nonsense: true }]) {
      await expectError(t, await reader.ask('POST', `${path}/storage-object`, payload), 503,
        'tabular_runtime_unavailable')
    }
    const { key } = await stage.keys.create({ tenant, scopes: ['forecast'] })
    await expectError(t, await upload(off, key, path, {}), 403, 'auth_failed')
  }
  t.match(jobOf(await reader.ask('GET', `/jobs/${jobId}`)), { status: 'completed', accuracy: 0.9 })
  t.equal((await reader.ask('GET', `/jobs/${jobId}/download?format=csv`)).status, 200)
})

t.test('scopes, tenants and Idempotency-Key are as of any job', async (t) => {
  const { tenant, caller, routes } = await setup(t)
  const [forecasts, tables] = await Promise.all([stage.keys.create({ tenant, scopes: ['forecast'] }),
    stage.keys.create({ tenant, scopes: ['tabular'] })])
  for (const [at, { path, send }] of routes.entries()) {
    if (path.endsWith('storage-object')) {
      await expectError(t, await new StorageCaller(stage, forecasts.key).ask('POST', path, { object_id: 'obj_1' }), 403,
        'auth_failed')
      const other = await StorageCaller.of(stage, 'other')
      await expectError(t, await other.ask('POST', path, { object_id: await caller.store(churn) }), 404, 'not_found')
    } else {
      await expectError(t, await upload(stage, forecasts.key, path, {}), 403, 'auth_failed')
      t.equal((await upload(stage, tables.key, path, {})).status, 202)
    }
    const headers = { 'idempotency-key': `table-${at}` }
    const first = await send({ label_column: 'plan' }, headers)
    const again = await send({ label_column: 'plan' }, headers)
    t.equal(again.headers.get('idempotent-replayed'), 'true')
    t.equal(again.text, first.text)
    await expectError(t, await send({ label_column: 'age' }, headers), 409, 'idempotency_conflict')
  }
})

t.test('the interface description has the four routes, the shape and the code', async (t) => {
  const document = JSON.parse((await stage.app.inject({ url: '/openapi.json' })).body) as {
    paths: Record<string, { post: Json }>
    components: { schemas: Json }
  }
  const fields = (path: string, type: string) => {
    const content = (document.paths[path]?.post['requestBody'] as {
      content: Record<string, { schema: { properties: Json, required?: string[] } }>
    }).content
    return content[type]?.schema ?? { properties: {} }
  }
  for (const path of ['/v2/classify', '/v2/regress']) {
    const [body, stored] = [fields(path, 'multipart/form-data'), fields(`${path}/storage-object`, 'application/json')]
    t.strictSame(body.required, ['file'])
    t.strictSame(stored.required, ['object_id'])
    t.match(stored.properties, {
      label_column: { minLength: 1, maxLength: 200, default: 'target' },
      problem_type: { minLength: 1, maxLength: 20, default: 'auto' },
      train_split_ratio: { minimum: 0.5, maximum: 0.95, default: 0.8 },
      inference_mode: { minLength: 1, maxLength: 20, default: 'train_evaluate' },
      validation_holdout_ratio: { minimum: 0.05, maximum: 0.5, default: 0.2 }
    })
    t.match(document.paths[path]?.post['responses'], {
      202: { content: { 'application/json': { schema: { $ref: '#/components/schemas/TabularJob' } } } }
    })
  }
  t.ok(document.components.schemas['TabularJob'])
})
