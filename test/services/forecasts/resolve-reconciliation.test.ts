import t from 'tap'
import { datasetSchema } from '../../../src/api/schemas/connection.ts'
import { compileValidator } from '../../../src/api/validation/compile-validator.ts'
import type { FieldError } from '../../../src/domain/error-codes.ts'
import type { ForecastSpec } from '../../../src/domain/forecast-spec.ts'
import { closedObject } from '../../../src/platform/closed-object.ts'
import { TabcastError } from '../../../src/platform/errors.ts'
import { resolveDataset, type DatasetRequest } from '../../../src/services/connections/resolve-dataset.ts'
import { forecastOptions, type ForecastRequest } from '../../../src/services/forecasts/forecast-request.ts'
import { resolveForecast } from '../../../src/services/forecasts/resolve-forecast.ts'
import { noSources } from '../../../src/sources/covariates/resolve-external-covariates.ts'

const validate = compileValidator(closedObject(forecastOptions(1000)), 'body', false)
const validateDataset = compileValidator(datasetSchema, 'body', false)

function resolve (reconciliation: unknown, rest: object = {}): ForecastSpec {
  const result = validate({ ...rest, reconciliation })
  if ('error' in result) throw result.error
  return resolveForecast(result.value as ForecastRequest, () => undefined, noSources)
}

function fieldsOf (work: () => unknown): FieldError[] {
  try {
    work()
  } catch (error) {
    if (error instanceof TabcastError) return error.fields ?? []
    throw error
  }
  return []
}

/** `<field> <type>` of each error. */
const faults = (reconciliation: unknown, rest: object = {}): string[] =>
  fieldsOf(() => resolve(reconciliation, rest)).map(({ loc, type }) => `${loc.slice(1).join('.')} ${type}`)

const defaults = {
  hierarchyColumns: [],
  method: 'min_trace',
  weights: 'wls_struct',
  topDownMethod: 'proportions_of_historical_totals',
  separator: '/',
  totalLabel: 'total',
  residualWindows: 1
}

t.test('a block that is not enabled is not there, so that other jobs keep their hashes', async (t) => {
  for (const block of [null, undefined, {}, { enabled: false }, {
    enabled: false,
    hierarchy_columns: ['target'],
    method: 'top_down'
  }]) {
    t.notOk('reconciliation' in resolve(block), JSON.stringify(block))
  }
})

t.test('every default is resolved', async (t) => {
  t.strictSame(resolve({ enabled: true }).reconciliation, defaults)
  t.strictSame(resolve({ enabled: true, hierarchy_columns: ['region', 'store'] }).reconciliation, {
    ...defaults,
    hierarchyColumns: ['region', 'store']
  })
  const all = {
    enabled: true,
    hierarchy_columns: ['store'],
    method: 'min_trace',
    weights: 'shrink',
    separator: ' | ',
    total_label: 'all | shops',
    residual_windows: 5
  }
  t.strictSame(resolve(all).reconciliation, {
    ...defaults,
    hierarchyColumns: ['store'],
    weights: 'shrink',
    separator: ' | ',
    totalLabel: 'all | shops',
    residualWindows: 5
  }, "the separator may be in the total's label")
})

t.test('what a method ignores is resolved to its default, so that equal jobs have equal hashes', async (t) => {
  const ignored = { weights: 'shrink', top_down_method: 'forecast_proportions', residual_windows: 3 }
  t.strictSame(resolve({ enabled: true, method: 'bottom_up', ...ignored }).reconciliation, {
    ...defaults,
    method: 'bottom_up'
  })
  t.strictSame(resolve({ enabled: true, method: 'top_down', ...ignored }).reconciliation, {
    ...defaults,
    method: 'top_down',
    topDownMethod: 'forecast_proportions'
  })
  t.strictSame(resolve({ enabled: true, ...ignored }).reconciliation, {
    ...defaults,
    weights: 'shrink',
    residualWindows: 3
  })
  for (const weights of ['ols', 'wls_struct']) {
    t.strictSame(resolve({ enabled: true, weights, residual_windows: 3 }).reconciliation, { ...defaults, weights },
      `${weights} needs no residuals`)
  }
  t.equal(resolve({ enabled: true, weights: 'wls_var', residual_windows: 3 }).reconciliation?.residualWindows, 3)
})

t.test('each bound, from both sides', async (t) => {
  const names = (count: number) => Array.from({ length: count }, (_, at) => `level-${at}`)
  const inside: object[] = [
    { hierarchy_columns: [] },
    { hierarchy_columns: names(1) },
    { hierarchy_columns: names(20) },
    { hierarchy_columns: ['x'.repeat(200)] },
    { separator: 'x' },
    { separator: 'x'.repeat(16) },
    { separator: ' ' },
    { separator: '→' },
    { total_label: 'x' },
    { total_label: 'x'.repeat(200) },
    { total_label: 'a/b' },
    { total_label: '=sum()' },
    { residual_windows: 1, weights: 'wls_var' },
    { residual_windows: 5, weights: 'wls_var' },
    ...['bottom_up', 'top_down', 'min_trace'].map((method) => ({ method })),
    ...['ols', 'wls_struct', 'wls_var', 'shrink'].map((weights) => ({ weights })),
    ...['proportions_of_historical_totals', 'average_historical_proportions', 'forecast_proportions'].map((name) => ({
      method: 'top_down',
      top_down_method: name
    }))
  ]
  for (const block of inside) t.strictSame(faults({ enabled: true, ...block }), [], JSON.stringify(block).slice(0, 80))

  const outside: Array<[object, string]> = [
    [{ hierarchy_columns: names(21) }, 'hierarchy_columns too_long'],
    [{ hierarchy_columns: ['a', 'b', 'a'] }, 'hierarchy_columns value_error'],
    [{ hierarchy_columns: ['a', ''] }, 'hierarchy_columns.1 string_too_short'],
    [{ hierarchy_columns: ['x'.repeat(201)] }, 'hierarchy_columns.0 string_too_long'],
    [{ hierarchy_columns: ['a', 1] }, 'hierarchy_columns.1 string_type'],
    [{ hierarchy_columns: 'region' }, 'hierarchy_columns list_type'],
    [{ method: 'middle_out' }, 'method literal_error'],
    [{ method: 'MIN_TRACE' }, 'method literal_error'],
    [{ method: null }, 'method literal_error'],
    [{ weights: 'mint' }, 'weights literal_error'],
    [{ weights: '__proto__' }, 'weights literal_error'],
    [{ top_down_method: 'average' }, 'top_down_method literal_error'],
    [{ separator: '' }, 'separator string_too_short'],
    [{ separator: 'x'.repeat(17) }, 'separator string_too_long'],
    [{ separator: '\n' }, 'separator string_pattern_mismatch'],
    [{ separator: 'a\u0000' }, 'separator string_pattern_mismatch'],
    [{ separator: 1 }, 'separator string_type'],
    [{ total_label: '' }, 'total_label string_too_short'],
    [{ total_label: 'x'.repeat(201) }, 'total_label string_too_long'],
    [{ total_label: 'to\u007ftal' }, 'total_label string_pattern_mismatch'],
    [{ total_label: 'to\u0085tal' }, 'total_label string_pattern_mismatch'],
    [{ residual_windows: 0 }, 'residual_windows greater_than_equal'],
    [{ residual_windows: 6 }, 'residual_windows less_than_equal'],
    [{ residual_windows: 1.5 }, 'residual_windows int_from_float'],
    [{ residual_windows: '1' }, 'residual_windows int_parsing'],
    [{ enabled: 'true' }, 'enabled bool_parsing'],
    [{ levels: 2 }, 'levels extra_forbidden']
  ]
  for (const [block, fault] of outside) {
    for (const enabled of [true, false]) {
      t.strictSame(faults({ enabled, ...block }), [`reconciliation.${fault}`],
        `${fault}, ${enabled ? 'enabled' : 'disabled'}`)
    }
  }
  t.strictSame(faults([]), ['reconciliation dict_type'])
  t.match(faults({ enabled: true, method: 'x', weights: 'y', residual_windows: 9 }), { length: 3 }, 'all at once')
})

t.test('a hierarchy column may be the item id, and nothing else', async (t) => {
  const columns = (...names: string[]) => ({ enabled: true, hierarchy_columns: names })
  const clash = 'reconciliation.hierarchy_columns value_error'
  t.strictSame(faults(columns('region', 'item_id')), [])
  t.strictSame(faults(columns('region', 'sku'), { item_id_column: 'sku' }), [])
  t.strictSame(faults(columns('target')), [clash])
  t.strictSame(faults(columns('region', 'timestamp')), [clash])
  t.strictSame(faults(columns('region', 'price'), { covariates: 'price' }), [clash])
  t.strictSame(faults(columns('day', 'sales'), { timestamp_column: 'day', target_column: 'sales' }), [clash, clash])
  t.match(fieldsOf(() => resolve(columns('target'))), [{
    loc: ['body', 'reconciliation', 'hierarchy_columns'],
    input: 'target',
    msg: /hierarchy column/
  }])
})

t.test('a validation of a source looks for the same columns', async (t) => {
  const dataset = (body: object) => {
    const result = validateDataset(body)
    if ('error' in result) throw result.error
    return resolveDataset(result.value as DatasetRequest)
  }
  t.notOk('hierarchy' in dataset({}))
  t.notOk('hierarchy' in dataset({ reconciliation: { enabled: false, hierarchy_columns: ['region'] } }))
  t.notOk('hierarchy' in dataset({ reconciliation: { enabled: true } }), 'item ids are split when they are forecast')
  t.strictSame(
    dataset({ reconciliation: { enabled: true, hierarchy_columns: ['region', 'store'], separator: '-' } }).hierarchy,
    {
      columns: ['region', 'store'],
      separator: '-',
      totalLabel: 'total'
    }
  )
  const clash = fieldsOf(() =>
    dataset({ known_covariates: ['price'], reconciliation: { enabled: true, hierarchy_columns: ['price'] } })
  )
  t.match(clash, [{ loc: ['body', 'reconciliation', 'hierarchy_columns'], input: 'price' }])
  t.match(fieldsOf(() => dataset({ reconciliation: { enabled: true, residual_windows: 0 } })), [{
    type: 'greater_than_equal'
  }])
})
