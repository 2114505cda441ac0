import t, { type Test } from 'tap'
import type { SourceValidation } from '../../src/domain/connector-results.ts'
import type { ForecastSpec } from '../../src/domain/forecast-spec.ts'
import { messageVersion } from '../../src/domain/message-version.ts'
import type { ReconciliationSummary } from '../../src/domain/reconciliation-summary.ts'
import type { QuickConnectorRequest } from '../../src/platform/queue/quick-messages.ts'
import { openApi, type ApiStage } from '../support/api.ts'
import { expectError, fieldsOf, type Answer } from '../support/expect-error.ts'
import { form } from '../support/form.ts'
import { forecastSpec } from '../support/job-message.ts'
import { StorageCaller, type Json } from '../support/storage.ts'
import { until } from '../support/until.ts'

/* The `reconciliation` block on every route that takes it, and what a job shows of it. The test plays the worker. */

const csv = 'item_id,timestamp,target\na,2024-01-01,1\na,2024-02-01,2\n'
const table = { 'forecast.csv': 'item_id,timestamp,mean\ntotal,2024-03-01 00:00:00,3.0\na,2024-03-01 00:00:00,3.0\n' }

interface Route {
  name: string
  /** Where the block is in the body. */
  loc: Array<string | number>
  send: (reconciliation: unknown, rest?: Json) => Promise<Answer>
}

interface Setup {
  stage: ApiStage
  caller: StorageCaller
  routes: Route[]
  /** What the worker was asked to check. */
  checked: ForecastSpec[]
  /** What the worker was asked of stores. */
  asked: QuickConnectorRequest[]
}

const nothing: SourceValidation = {
  rowCount: null,
  numItems: null,
  minLength: null,
  maxLength: null,
  start: null,
  end: null,
  columns: [],
  inferredFrequency: null,
  checks: [],
  warnings: [],
  truncated: false,
  schemaFingerprint: '',
  bytesRead: 0
}

async function setup (t: Test): Promise<Setup> {
  const stage = await openApi(t, { TABCAST_CONNECTOR_ALLOW_CIDRS: '127.0.0.0/8' })
  const caller = new StorageCaller(stage)
  const [checked, asked]: [ForecastSpec[], QuickConnectorRequest[]] = [[], []]
  stage.beforeCheck = ({ spec }) => {
    checked.push(forecastSpec(spec))
  }
  stage.worker.serveQuickConnector(async (request) => {
    asked.push(request)
    return { v: messageVersion, ok: true, result: nothing }
  })
  const objectId = await caller.store(csv)
  const made = JSON.parse((await caller.ask('POST', '/data-connections', {
    connector_type: 's3_compatible',
    name: 'warehouse',
    object_storage: {
      bucket: 'sales',
      endpoint_url: 'http://127.0.0.1:9',
      auth_method: 'access_key',
      file_format: 'csv',
      credentials: { access_key_id: 'AKIAEXAMPLE00000', secret_access_key: 'canary-secret-access-key' }
    }
  })).text) as { connection_id: string }
  const block = ['body', 'reconciliation']
  const routes: Route[] = [
    {
      name: 'POST /forecast',
      loc: block,
      send: (reconciliation, rest = {}) => upload(stage, { ...rest, reconciliation: JSON.stringify(reconciliation) })
    },
    {
      name: 'POST /forecast/storage-object',
      loc: block,
      send: (reconciliation, rest = {}) =>
        caller.ask('POST', '/forecast/storage-object', { object_id: objectId, ...rest, reconciliation })
    },
    {
      name: 'POST /forecast/batch',
      loc: ['body', 'requests', 0, 'reconciliation'],
      send: (reconciliation, rest = {}) =>
        caller.ask('POST', '/forecast/batch', { requests: [{ object_id: objectId, ...rest, reconciliation }] })
    },
    {
      name: 'POST /data-connections/{id}/forecast',
      loc: block,
      send: (reconciliation, rest = {}) =>
        caller.ask('POST', `/data-connections/${made.connection_id}/forecast`, { ...rest, reconciliation })
    },
    {
      name: 'POST /data-connections/{id}/validate',
      loc: block,
      send: (reconciliation, { covariates, ...rest } = {}) =>
        caller.ask('POST', `/data-connections/${made.connection_id}/validate`, {
          ...rest,
          ...(covariates === undefined ? {} : { known_covariates: [covariates] }),
          reconciliation
        })
    }
  ]
  return { stage, caller, routes, checked, asked }
}

async function upload (stage: ApiStage, fields: Json): Promise<Answer> {
  const { headers, payload } = form([
    ...Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
    ['file', csv, 'a.csv']
  ])
  const answer = await stage.app.inject({
    method: 'POST',
    url: '/forecast',
    headers: { ...headers, authorization: `Bearer ${stage.key}` },
    payload
  })
  return {
    status: answer.statusCode,
    headers: new Headers(Object.entries(answer.headers).map(([name, value]) => [name, String(value)])),
    text: answer.payload
  }
}

const full = {
  enabled: true,
  hierarchy_columns: ['region', 'store'],
  method: 'min_trace',
  weights: 'shrink',
  top_down_method: 'proportions_of_historical_totals',
  separator: '-',
  total_label: 'all',
  residual_windows: 5
}
const resolved = {
  hierarchyColumns: ['region', 'store'],
  method: 'min_trace',
  weights: 'shrink',
  topDownMethod: 'proportions_of_historical_totals',
  separator: '-',
  totalLabel: 'all',
  residualWindows: 5
}

t.test('every route refuses a wrong block, and names the field', async (t) => {
  const { routes, checked, asked, caller } = await setup(t)
  const cases: Array<[block: unknown, field: string[], type: string, rest?: Json]> = [
    [{ enabled: true, method: 'middle_out' }, ['method'], 'literal_error'],
    [{ enabled: true, weights: 'mint' }, ['weights'], 'literal_error'],
    [{ enabled: true, top_down_method: 'average' }, ['top_down_method'], 'literal_error'],
    [{ enabled: true, residual_windows: 0 }, ['residual_windows'], 'greater_than_equal'],
    [{ enabled: true, residual_windows: 6 }, ['residual_windows'], 'less_than_equal'],
    [{ enabled: true, residual_windows: 1.5 }, ['residual_windows'], 'int_from_float'],
    [{ enabled: true, separator: '' }, ['separator'], 'string_too_short'],
    [{ enabled: true, separator: '\t' }, ['separator'], 'string_pattern_mismatch'],
    [{ enabled: true, total_label: '' }, ['total_label'], 'string_too_short'],
    [{ enabled: true, total_label: 'a\u0000' }, ['total_label'], 'string_pattern_mismatch'],
    [{ enabled: true, hierarchy_columns: Array.from({ length: 21 }, (_, at) => `c${at}`) }, ['hierarchy_columns'],
      'too_long'],
    [{ enabled: true, hierarchy_columns: ['region', 'region'] }, ['hierarchy_columns'], 'value_error'],
    [{ enabled: true, hierarchy_columns: ['target'] }, ['hierarchy_columns'], 'value_error'],
    [{ enabled: true, hierarchy_columns: ['region', 'price'] }, ['hierarchy_columns'], 'value_error', {
      covariates: 'price'
    }],
    [{ enabled: false, nonnegative: true }, ['nonnegative'], 'extra_forbidden'],
    [['region'], [], 'dict_type']
  ]
  for (const { name, loc, send } of routes) {
    for (const [block, field, type, rest] of cases) {
      const found = fieldsOf(await expectError(t, await send(block, rest), 422, 'validation_error'))
      t.match(found, [{ loc: [...loc, ...field], type }], `${name}: ${field} ${type}`)
      t.equal(found.length, 1)
    }
  }
  t.strictSame([checked, asked], [[], []], 'nothing came as far as a worker')
  t.strictSame((await caller.json<{ jobs: unknown[] }>('GET', '/jobs')).jobs, [])
  const defaults = await caller.ask('POST', '/forecast/batch', {
    requests: [{ object_id: 'x' }],
    defaults: { reconciliation: { enabled: true, method: 'x' } }
  })
  t.match(fieldsOf(await expectError(t, defaults, 422, 'validation_error')), [{
    loc: ['body', 'defaults', 'reconciliation', 'method'],
    type: 'literal_error'
  }])
})

t.test('every route takes the block to the worker, and the job shows it', async (t) => {
  const { stage, routes, checked, asked, caller } = await setup(t)
  const [validation, ...forecasts] = routes.toReversed()
  for (const { name, send } of forecasts.reverse()) {
    const answer = await send(full)
    t.equal(answer.status, 202, `${name}: ${answer.text}`)
    const body = JSON.parse(answer.text) as Json
    const job = (Array.isArray(body['jobs']) ? body['jobs'][0] : body) as Json
    t.strictSame((job['effective_config'] as Json)['reconciliation'], full, name)
    t.equal(job['reconciliation'], null, 'nothing was done yet')
    const handle = await stage.takeNext(name.includes('data-connections') ? 'large' : 'small')
    t.strictSame(forecastSpec(handle.message.spec).reconciliation, resolved, name)
    handle.ack()
    t.equal((await caller.ask('DELETE', `/jobs/${String(job['job_id'])}`)).status, 204)
  }
  t.strictSame(checked.map(({ reconciliation }) => reconciliation), [resolved, resolved, resolved],
    'the content check knows it too')
  t.equal((await validation?.send(full))?.status, 200)
  t.match(asked, [{
    operation: 'validate',
    dataset: { hierarchy: { columns: ['region', 'store'], separator: '-', totalLabel: 'all' } }
  }])
})

t.test('a batch takes the block from its defaults, and a request may replace it', async (t) => {
  const { checked, caller } = await setup(t)
  const objectId = await caller.store(csv)
  const request = { object_id: objectId }
  const off = { ...request, reconciliation: { enabled: false } }
  const own = { ...request, reconciliation: { enabled: true, method: 'bottom_up' } }
  await caller.json('POST', '/forecast/batch', { requests: [request, off, own], defaults: { reconciliation: full } })
  t.strictSame(checked.map(({ reconciliation }) => reconciliation?.method).sort(), ['bottom_up', 'min_trace',
    undefined])
})

t.test('a job that is not asked to reconcile is as it was, and equal jobs have equal hashes', async (t) => {
  const { stage, routes, checked } = await setup(t)
  const hashOf = async (reconciliation: unknown, name = 'POST /forecast'): Promise<string> => {
    const answer = await routes.find((route) => route.name === name)?.send(reconciliation)
    return (JSON.parse(answer?.text ?? '') as { config_hash: string }).config_hash
  }
  const plain = (JSON.parse((await upload(stage, {})).text) as Json)['config_hash']
  for (const block of [null, {}, { enabled: false }, { ...full, enabled: false }]) {
    t.equal(await hashOf(block), plain, JSON.stringify(block))
  }
  t.ok(checked.every((spec) => !('reconciliation' in spec)))
  t.not(await hashOf(full), plain)
  t.equal(await hashOf({ ...full, top_down_method: 'forecast_proportions' }),
    await hashOf(full, 'POST /forecast/storage-object'))
  t.equal(await hashOf({ enabled: true, method: 'bottom_up', weights: 'wls_var', residual_windows: 4 }),
    await hashOf({ enabled: true, method: 'bottom_up' }))
  const hashes = await Promise.all(
    [{ separator: '/' }, { total_label: 'sum' }, { residual_windows: 4 }, { weights: 'wls_var' }, {
      hierarchy_columns: []
    }].map((change) => hashOf({ ...full, ...change }))
  )
  t.equal(new Set([...hashes, await hashOf(full)]).size, 6, 'whatever changes the work changes the hash')
})

t.test('a completed job shows what the reconciliation did, with null for what does not apply', async (t) => {
  const { stage, caller, routes } = await setup(t)
  const done: ReconciliationSummary = {
    method: 'min_trace',
    weights: 'wls_struct',
    levels: [{ name: 'total', numNodes: 1 }, { name: 'region', numNodes: 2 }, { name: 'store', numNodes: 6 }],
    numSeries: 9,
    numBottom: 6,
    totalLabel: 'all',
    separator: '-',
    residualWindowsUsed: 0,
    maxIncoherenceBefore: 12.5,
    maxIncoherenceAfter: 0,
    fallback: { from: 'shrink', to: 'wls_struct', reason: 'The histories are too short.' },
    warnings: ['One series has no forecast of its own.']
  }
  const jobWith = async (reconciliation: ReconciliationSummary): Promise<Json> => {
    const answer = await routes[0]?.send(full)
    const { job_id: jobId } = JSON.parse(answer?.text ?? '') as { job_id: string }
    await stage.finishNext(table, { numItems: 6, timings: { fit: 0.002, reconcile: 0.0012 }, reconciliation })
    return await until('the job ends', async () => {
      const job = await caller.json('GET', `/jobs/${jobId}`)
      return job['status'] === 'completed' ? job : undefined
    })
  }
  const expected = {
    enabled: true,
    method: 'min_trace',
    weights: 'wls_struct',
    top_down_method: null,
    levels: [{ name: 'total', num_nodes: 1 }, { name: 'region', num_nodes: 2 }, { name: 'store', num_nodes: 6 }],
    num_series: 9,
    num_bottom: 6,
    total_label: 'all',
    separator: '-',
    residual_windows_used: 0,
    shrinkage: null,
    max_incoherence_before: 12.5,
    max_incoherence_after: 0,
    fallback: { from: 'shrink', to: 'wls_struct', reason: 'The histories are too short.' },
    warnings: ['One series has no forecast of its own.']
  }
  const job = await jobWith(done)
  t.strictSame(job['reconciliation'], expected)
  t.match(job, { num_items: 6, timings: { fit: 0.002, reconcile: 0.001 } }, 'aggregates are not items')

  const { fallback: _fallback, weights: _weights, ...others } = done
  const divided = await jobWith({ ...others, method: 'top_down', topDownMethod: 'forecast_proportions' })
  t.strictSame(divided['reconciliation'], {
    ...expected,
    method: 'top_down',
    weights: null,
    top_down_method: 'forecast_proportions',
    fallback: null
  })
  const shrunk = await jobWith({ ...others, weights: 'shrink', shrinkage: 0.25, residualWindowsUsed: 3 })
  t.strictSame(shrunk['reconciliation'], {
    ...expected,
    weights: 'shrink',
    shrinkage: 0.25,
    residual_windows_used: 3,
    fallback: null
  })
  const { jobs } = await caller.json<{ jobs: Json[] }>('GET', '/jobs')
  t.strictSame(jobs.map((one) => (one['reconciliation'] as Json)['method']), ['min_trace', 'top_down', 'min_trace'],
    'in lists too')
})
