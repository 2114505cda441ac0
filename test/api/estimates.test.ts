import t, { type Test } from 'tap'
import { openApi, type ApiStage } from '../support/api.ts'
import { expectError, fieldsOf } from '../support/expect-error.ts'
import { StorageCaller, type Json } from '../support/storage.ts'
import { until } from '../support/until.ts'

/* The estimates. The test plays the worker. */

const csv = 'item_id,timestamp,target\na,2024-01-01,1\na,2024-02-01,2\n'
const counts = { num_items: 1000, total_rows: 100_000 }
const routes = ['/estimate/runtime', '/estimate/cost'] as const

async function setup (t: Test,
  settings: Record<string, string> = {}): Promise<{ stage: ApiStage, caller: StorageCaller }> {
  const stage = await openApi(t, settings)
  return { stage, caller: new StorageCaller(stage) }
}

interface Runtime {
  estimated_seconds: { p50: number, p90: number }
  queue_wait_seconds: number
  stages: Record<string, number>
  basis: string
  samples: number
  within_time_budget: boolean
  peak_memory_bytes: number
}

t.test('from counts: more work takes longer, more memory and more units', async (t) => {
  const { caller } = await setup(t)
  const small = await caller.json<Runtime>('POST', '/estimate/runtime', counts)
  t.match(small, { queue_wait_seconds: 0, stages: {}, basis: 'heuristic', samples: 0, within_time_budget: true })
  t.ok(small.estimated_seconds.p90 > small.estimated_seconds.p50)
  for (const more of [{ num_items: 10_000, total_rows: 1_000_000 }, { ...counts, presets: 'best' }, {
    ...counts,
    num_covariates: 10
  }, { ...counts, prediction_length: 1000 }]) {
    const large = await caller.json<Runtime>('POST', '/estimate/runtime', more)
    t.ok(large.estimated_seconds.p50 > small.estimated_seconds.p50, JSON.stringify(more))
    t.ok(large.peak_memory_bytes >= small.peak_memory_bytes, JSON.stringify(more))
  }
  const huge = await caller.json<Runtime>('POST', '/estimate/runtime', {
    num_items: 2e6,
    total_rows: 2e8,
    presets: 'best'
  })
  t.equal(huge.within_time_budget, false)
})

t.test('four billion covariates do not freeze the api: they are refused, and those of a wide deployment are a number', async (t) => {
  const { caller } = await setup(t)
  const asked = { num_items: 1, total_rows: 10, num_covariates: 4_000_000_000 }
  for (const route of routes) {
    const fields = fieldsOf(await expectError(t, await caller.ask('POST', route, asked), 422, 'validation_error'))
    t.match(fields, [{ loc: ['body', 'num_covariates'], type: 'less_than_equal', ctx: { le: 500 } }])
  }
  const wide = await setup(t, { TABCAST_MAX_COLUMNS: '100000' })
  const before = process.memoryUsage().rss
  const some = await wide.caller.json<Runtime>('POST', '/estimate/runtime', { ...asked, num_covariates: 10 })
  for (let turn = 0; turn < 200; turn++) {
    const most = await wide.caller.json<Runtime>('POST', '/estimate/runtime', { ...asked, num_covariates: 100_000 })
    t.ok(most.peak_memory_bytes > some.peak_memory_bytes, 'they count')
  }
  t.ok(process.memoryUsage().rss - before < 64 * 2 ** 20)
})

t.test('units add up, and have an amount where there are prices', async (t) => {
  const { caller } = await setup(t)
  t.strictSame(await caller.json('POST', '/estimate/cost', { ...counts, prediction_length: 12, presets: 'fast' }), {
    units: 12_000,
    unit: 'forecast_point',
    amount: null,
    currency: null,
    rate_card_version: 'default',
    breakdown: { predict: 12_000, residual_windows: 0, explainability: 0, covariates: 0 }
  })
  const priced = await setup(t, {
    TABCAST_CPU_SECOND_PRICE: '0.001',
    TABCAST_CURRENCY: 'EUR',
    TABCAST_RATE_CARD_VERSION: '2026-11'
  })
  const full = await priced.caller.json<Json & { units: number, amount: number, breakdown: Record<string, number> }>(
    'POST',
    '/estimate/cost',
    {
      ...counts,
      num_covariates: 3,
      explainability: { enabled: true },
      reconciliation: { enabled: true, hierarchy_columns: ['region', 'store'], weights: 'shrink', residual_windows: 5 }
    }
  )
  t.match(full, { currency: 'EUR', rate_card_version: '2026-11' })
  t.ok(full.amount > 0)
  t.ok(Object.values(full.breakdown).every((part) => part > 0), 'each part costs')
  t.equal(Object.values(full.breakdown).reduce((sum, part) => sum + part, 0), full.units)
})

t.test('of a stored object the content check says what it is like', async (t) => {
  const { stage, caller } = await setup(t)
  const objectId = await caller.store(csv)
  stage.checkReply = {
    v: 1,
    ok: true,
    profile: { rows: 100_000, series: 1000, minLength: 100, maxLength: 100, freq: 'MS' },
    warnings: []
  }
  t.strictSame(await caller.json('POST', '/estimate/runtime', { object_id: objectId }),
    await caller.json('POST', '/estimate/runtime', counts))
  t.strictSame(await caller.json('POST', '/estimate/cost', { object_id: objectId }),
    await caller.json('POST', '/estimate/cost', counts))
  stage.checkReply = { v: 1, ok: true, profile: { rows: 500, columns: 12, labeledRows: 500 }, warnings: [] }
  t.strictSame(await caller.json('POST', '/estimate/runtime', { object_id: objectId, problem: 'regression' }),
    await caller.json('POST', '/estimate/runtime', { problem: 'regression', rows: 500, columns: 12 }))
  stage.checkReply = {
    v: 1,
    ok: false,
    error: {
      code: 'missing_column',
      status: 422,
      message: 'There is no column target.',
      column: 'target',
      row: null,
      item: null,
      count: null,
      suggestion: null
    }
  }
  t.match(
    fieldsOf(
      await expectError(t, await caller.ask('POST', '/estimate/runtime', { object_id: objectId }), 422,
        'validation_error')
    ),
    [{ loc: ['body', 'object_id', 'target'], type: 'missing_column' }]
  )
  const foreign = await StorageCaller.of(stage, 'globex')
  await expectError(t, await foreign.ask('POST', '/estimate/runtime', { object_id: objectId }), 404, 'not_found')
})

t.test('what is not read for an estimate is refused with what to give instead', async (t) => {
  const { caller } = await setup(t, { TABCAST_SYNC_CHECK_MAX_BYTES: '10' })
  const objectId = await caller.store(csv)
  for (const route of routes) {
    const { detail } = await expectError(t, await caller.ask('POST', route, { object_id: objectId }), 413,
      'file_too_large')
    t.match(detail, { suggestion: /num_items and total_rows/ })
  }
})

t.test('jobs that end here are learned from; those that fail are not', async (t) => {
  const { stage, caller } = await setup(t)
  const objectId = await caller.store(csv)
  for (const [at, failed] of [false, false, true].entries()) {
    const { job_id: jobId } = await caller.json<{ job_id: string }>('POST', '/forecast/storage-object', {
      object_id: objectId
    })
    await stage.finishNext({ 'forecast.csv': 'item_id,timestamp,mean\n' },
      failed ? { code: 'pipeline_failed', error: 'no' } : { timings: { ingest: 0.01, covariates: 0.01, fit: 0.02 } })
    await until(`job ${at} ended`, () => ['completed', 'failed'].includes(stage.jobs.get('acme', jobId)?.status ?? ''))
  }
  const seen = await caller.json<Runtime>('POST', '/estimate/runtime', { num_items: 2, total_rows: 6 })
  t.equal(seen.samples, 2)
  t.strictSame(Object.keys(seen.stages).sort(), ['fit', 'ingest'], 'and of those stages that it will have')
  const enriched = await caller.json<Runtime>('POST', '/estimate/runtime', {
    num_items: 2,
    total_rows: 6,
    external_covariates: { holidays: { enabled: true, country_code: 'AT' } }
  })
  t.ok(Number(enriched.stages['covariates']) > 0)
  t.equal(
    (await caller.json<Runtime>('POST', '/estimate/runtime', { num_items: 2, total_rows: 6, presets: 'best' })).samples,
    0,
    'each preset has its own'
  )
})

t.test('with jobs that wait there is a wait', async (t) => {
  const { caller } = await setup(t)
  const objectId = await caller.store(csv)
  for (let job = 0; job < 4; job++) await caller.json('POST', '/forecast/storage-object', { object_id: objectId })
  t.ok((await caller.json<Runtime>('POST', '/estimate/runtime', counts)).queue_wait_seconds > 0)
})

t.test('wrong bodies name the field', async (t) => {
  const { caller, stage } = await setup(t)
  const cases: Array<[body: Json, field: string, type: string]> = [
    [{}, 'num_items', 'missing'],
    [{ num_items: 3 }, 'total_rows', 'missing'],
    [{ num_items: 3, total_rows: 2 }, 'total_rows', 'value_error'],
    [{ num_items: 0, total_rows: 2 }, 'num_items', 'greater_than_equal'],
    [{ num_items: 1.5, total_rows: 2 }, 'num_items', 'int_from_float'],
    [{ num_items: 1, total_rows: 200_000_001 }, 'total_rows', 'less_than_equal'],
    [{ num_items: 2_000_001, total_rows: 2_000_001 }, 'num_items', 'less_than_equal'],
    [{ ...counts, num_covariates: 501 }, 'num_covariates', 'less_than_equal'],
    [{ problem: 'regression', rows: 200_000_001, columns: 5 }, 'rows', 'less_than_equal'],
    [{ problem: 'regression', rows: 5, columns: 501 }, 'columns', 'less_than_equal'],
    [{ num_items: 1, total_rows: '7' }, 'total_rows', 'int_parsing'],
    [{ ...counts, object_id: 'obj_1' }, 'num_items', 'value_error'],
    [{ ...counts, rows: 5 }, 'rows', 'value_error'],
    [{ problem: 'regression', rows: 5 }, 'columns', 'missing'],
    [{ problem: 'regression', rows: 5, columns: 5, num_covariates: 1 }, 'num_covariates', 'value_error'],
    [{ problem: 'ranking', rows: 5, columns: 5 }, 'problem', 'literal_error'],
    [{ ...counts, prediction_length: 0 }, 'prediction_length', 'greater_than_equal'],
    [{ ...counts, callback_url: 'https://example.com' }, 'callback_url', 'extra_forbidden'],
    [{ ...counts, freq: 'fortnight' }, 'freq', 'frequency_alias']
  ]
  for (const route of routes) {
    for (const [body, field, type] of cases) {
      const fields = fieldsOf(await expectError(t, await caller.ask('POST', route, body), 422, 'validation_error'))
      t.match(fields[0], { loc: ['body', field], type }, `${JSON.stringify(body)}: ${JSON.stringify(fields[0])}`)
    }
    const unknown = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`k${index}`, index]))
    const many = fieldsOf(
      await expectError(t, await caller.ask('POST', route, { ...unknown, num_items: 0, total_rows: 1 }), 422,
        'validation_error')
    )
    t.equal(many.length, 64, 'however many there are, some are told')
    t.ok(many.some(({ type }) => type === 'greater_than_equal') && many.some(({ type }) => type === 'extra_forbidden'),
      'of every kind')
    await expectError(t, await caller.ask('POST', route, { ...counts, presets: 'deepest' }), 400, 'invalid_preset')
    const reader = new StorageCaller(stage, (await stage.keys.create({ tenant: 'acme', scopes: ['jobs:read'] })).key)
    await expectError(t, await reader.ask('POST', route, counts), 403, 'auth_failed')
  }
})
