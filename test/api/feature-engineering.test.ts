import t, { type Test } from 'tap'
import type { ForecastSpec } from '../../src/domain/forecast-spec.ts'
import { messageVersion } from '../../src/domain/message-version.ts'
import { openApi, type ApiStage } from '../support/api.ts'
import { expectError, fieldsOf, type Answer } from '../support/expect-error.ts'
import { askForForecast, askForTraining, endedJob, makeModel, monthly, type SeenJob } from '../support/fine-tuning.ts'
import { forecastSpec } from '../support/job-message.ts'
import { StorageCaller, type Json } from '../support/storage.ts'

/* The `feature_engineering` block on every route that takes it. The test plays the worker. */

interface Route {
  name: string
  /** Where the block is in the body. */
  loc: Array<string | number>
  size: 'small' | 'large'
  send: (block: unknown) => Promise<Answer>
}

const defaults = {
  timeFeatures: true,
  cyclicalEncoding: true,
  lagFeatures: true,
  lagPeriods: [1, 7, 14, 30],
  rollingFeatures: true,
  rollingWindows: [3, 7, 14, 30],
  rollingStats: ['mean', 'std', 'min', 'max'],
  growthFeatures: true,
  growthPeriods: [1, 7],
  eventFlags: true
}

async function setup (
  t: Test
): Promise<{ stage: ApiStage, caller: StorageCaller, routes: Route[], checked: ForecastSpec[] }> {
  const stage = await openApi(t, { TABCAST_CONNECTOR_ALLOW_CIDRS: '127.0.0.0/8' })
  const caller = new StorageCaller(stage)
  const checked: ForecastSpec[] = []
  stage.beforeCheck = ({ spec }) => {
    checked.push(forecastSpec(spec))
  }
  const objectId = await caller.store(monthly)
  const { connection_id: connectionId } = JSON.parse((await caller.ask('POST', '/data-connections', {
    connector_type: 's3',
    name: 'warehouse',
    object_storage: {
      bucket: 'sales',
      endpoint_url: 'http://127.0.0.1:9',
      auth_method: 'access_key',
      file_format: 'csv',
      credentials: { access_key_id: 'AKIAEXAMPLE00000', secret_access_key: 'not-the-secret-of-anyone' }
    }
  })).text) as { connection_id: string }
  const loc = ['body', 'feature_engineering']
  // In a form the block is text, and nothing at all stands for one that is left out.
  const text = (block: unknown): Array<[string, string]> =>
    block === undefined ? [] : [['feature_engineering', JSON.stringify(block)]]
  const fields = (block: unknown): Json => block === undefined ? {} : { feature_engineering: block }
  const routes: Route[] = [
    {
      name: 'POST /forecast',
      loc,
      size: 'small',
      send: async (block) => asAnswer(await askForForecast(stage, stage.key, text(block)))
    },
    {
      name: 'POST /forecast/storage-object',
      loc,
      size: 'small',
      send: (block) => caller.ask('POST', '/forecast/storage-object', { object_id: objectId, ...fields(block) })
    },
    {
      name: 'POST /forecast/batch',
      loc: ['body', 'requests', 0, 'feature_engineering'],
      size: 'small',
      send: (block) => caller.ask('POST', '/forecast/batch', { requests: [{ object_id: objectId, ...fields(block) }] })
    },
    {
      name: 'POST /data-connections/{id}/forecast',
      loc,
      size: 'large',
      send: (block) => caller.ask('POST', `/data-connections/${connectionId}/forecast`, fields(block))
    },
    {
      name: 'POST /fine-tune',
      loc,
      size: 'large',
      send: async (block) => asAnswer(await askForTraining(stage, stage.key, text(block)))
    },
    {
      name: 'POST /fine-tune/storage-object',
      loc,
      size: 'large',
      send: (block) => caller.ask('POST', '/fine-tune/storage-object', { object_id: objectId, ...fields(block) })
    }
  ]
  return { stage, caller, routes, checked }
}

function asAnswer ({ statusCode, headers, payload }: Awaited<ReturnType<typeof askForForecast>>): Answer {
  return {
    status: statusCode,
    headers: new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    text: payload
  }
}

function jobOf ({ text }: Answer): Json {
  const body = JSON.parse(text) as Json
  return (Array.isArray(body['jobs']) ? body['jobs'][0] : body) as Json
}

t.test('{} is on with its defaults, and goes to the check and the worker', async (t) => {
  const { stage, caller, routes, checked } = await setup(t)
  for (const { name, size, send } of routes) {
    const answer = await send({})
    t.equal(answer.status, 202, `${name}: ${answer.text}`)
    const job = jobOf(answer)
    t.match((job['effective_config'] as Json)['feature_engineering'], {
      enabled: true,
      lag_periods: [1, 7, 14, 30],
      rolling_stats: ['mean', 'std', 'min', 'max']
    }, name)
    const handle = await stage.takeNext(size)
    t.strictSame(forecastSpec(handle.message.spec).featureEngineering, defaults, name)
    handle.ack()
    t.equal((await caller.ask('DELETE', `/jobs/${String(job['job_id'])}`)).status, 204)
  }
  t.strictSame(checked.map(({ featureEngineering }) => featureEngineering), Array(5).fill(defaults),
    'all but the connection, which the job reads')
})

t.test('absent, null and disabled are off, and one job', async (t) => {
  const { routes } = await setup(t)
  for (const { name, send } of routes) {
    const jobs = await Promise.all(
      [undefined, null, { enabled: false }, { enabled: false, lag_periods: [5] }].map(async (block) =>
        jobOf(await send(block))
      )
    )
    t.equal(new Set(jobs.map((job) => job['config_hash'])).size, 1, name)
    for (const job of jobs) t.equal((job['effective_config'] as Json)['feature_engineering'], null)
    t.not(jobOf(await send({}))['config_hash'], jobs[0]?.['config_hash'], 'and on is another one')
  }
})

t.test('39: every route refuses a wrong block, and names the field', async (t) => {
  const { routes, checked } = await setup(t)
  const cases: Array<[block: unknown, field: Array<string | number>, type: string]> = [
    [{ lag_periods: [0] }, ['lag_periods', 0], 'greater_than_equal'],
    [{ lag_periods: [1, -7] }, ['lag_periods', 1], 'greater_than_equal'],
    [{ rolling_windows: [10_001] }, ['rolling_windows', 0], 'less_than_equal'],
    [{ growth_periods: [1.5] }, ['growth_periods', 0], 'int_from_float'],
    [{ enabled: false, growth_periods: Array(65).fill(1) }, ['growth_periods'], 'too_long'],
    [{ rolling_stats: ['median'] }, ['rolling_stats', 0], 'literal_error'],
    [{ holidays: true }, ['holidays'], 'extra_forbidden'],
    [[], [], 'dict_type']
  ]
  for (const { name, loc, send } of routes) {
    for (const [block, field, type] of cases) {
      const found = fieldsOf(await expectError(t, await send(block), 422, 'validation_error'))
      t.match(found, [{ loc: [...loc, ...field], type }], `${name}: ${field.join('.')} ${type}`)
      t.equal(found.length, 1)
    }
  }
  t.strictSame(checked, [], 'nothing came as far as a worker')
})

t.test('what features and the model of all series cost decides in which line a job waits', async (t) => {
  const stage = await openApi(t)
  const counts = (first: number): number[] => Array.from({ length: 64 }, (_, index) => first + index)
  const wide = JSON.stringify({ lag_periods: counts(1), rolling_windows: counts(2), growth_periods: counts(1) })
  const cases: Array<[line: 'small' | 'large', series: number, length: number, fields: Record<string, string>]> = [
    ['large', 40, 120, { presets: 'balanced', feature_engineering: wide }],
    ['large', 5, 120, { presets: 'balanced', feature_engineering: wide }],
    ['small', 40, 120, { presets: 'fast', feature_engineering: wide }],
    ['small', 5, 60, { presets: 'balanced', feature_engineering: '{}' }],
    ['large', 40, 120, { presets: 'best' }],
    ['small', 2, 72, { presets: 'best' }],
    ['large', 40, 120, { presets: 'balanced' }],
    ['small', 23, 60, { presets: 'balanced' }]
  ]
  for (const [line, series, length, fields] of cases) {
    stage.checkReply = {
      v: messageVersion,
      ok: true,
      profile: { rows: series * length, series, minLength: length, maxLength: length, freq: 'D' },
      warnings: []
    }
    const asked = await askForForecast(stage, stage.key, [['prediction_length', '24'], ...Object.entries(fields)])
    t.equal(asked.statusCode, 202, asked.body)
    await stage.finishNext({ 'forecast.csv': 'x', 'forecast.parquet': 'y' }, {}, line)
    t.match(await endedJob(stage, stage.key, asked.json<SeenJob>().job_id), { status: 'completed' },
      `${series} x ${length} ${JSON.stringify(fields).slice(0, 60)} is ${line}`)
  }
})

t.test('a forecast with a model fits nothing, so it is small', async (t) => {
  const stage = await openApi(t)
  const modelId = await makeModel(new StorageCaller(stage))
  stage.checkReply = {
    v: messageVersion,
    ok: true,
    profile: { rows: 120_000, series: 1_000, minLength: 120, maxLength: 120, freq: 'MS' },
    warnings: []
  }
  const asked = await askForForecast(stage, stage.key, [['presets', `ft:${modelId}`]])
  await stage.finishNext({ 'forecast.csv': 'x', 'forecast.parquet': 'y' })
  t.match(await endedJob(stage, stage.key, asked.json<SeenJob>().job_id), { status: 'completed' })
})
