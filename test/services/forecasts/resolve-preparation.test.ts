import t from 'tap'
import { compileValidator } from '../../../src/api/validation/compile-validator.ts'
import { closedObject } from '../../../src/platform/closed-object.ts'
import { TabcastError } from '../../../src/platform/errors.ts'
import type { PreparationBlock } from '../../../src/services/forecasts/blocks/preparation.ts'
import { forecastOptions, type ForecastRequest } from '../../../src/services/forecasts/forecast-request.ts'
import { resolveForecast } from '../../../src/services/forecasts/resolve-forecast.ts'
import { noSources } from '../../../src/sources/covariates/resolve-external-covariates.ts'

/* What is done with the rows before the forecast, as a request says it. */

const check = compileValidator(closedObject(forecastOptions(1000)), 'body', false)

/** The specification of a request with this block, or what is wrong with it. */
function resolve (preparation: object | null, rest: object = {}) {
  const request = check({ preparation, ...rest })
  if ('error' in request) return request.error.fields ?? []
  try {
    return resolveForecast(request.value as ForecastRequest, () => undefined, noSources)
  } catch (error) {
    if (!(error instanceof TabcastError) || error.fields === undefined) throw error
    return error.fields
  }
}

t.test('a block that asks for nothing is none, so that the hash is that of a request without one', async (t) => {
  const without = resolve(null)
  for (const block of [{}, { filters: [] }, { aggregate: 'mean' }, { across: 'max' }, {
    series_columns: null,
    step: null,
    missing: 'none',
    anomalies: 'none'
  }]) t.strictSame(resolve(block), without)
  t.notOk('preparation' in without)
})

t.test('defaults are filled in and the step is canonical', async (t) => {
  t.match(resolve({ step: 'W', series_columns: ['region'] }), {
    preparation: {
      filters: [],
      seriesColumns: ['region'],
      step: 'W-SUN',
      aggregate: 'sum',
      missing: 'none',
      anomalies: 'none'
    }
  })
  t.strictSame((resolve({ series_columns: [] }) as { preparation: object }).preparation, {
    filters: [],
    seriesColumns: [],
    step: null,
    aggregate: 'sum',
    missing: 'none',
    anomalies: 'none'
  })
  t.strictSame((resolve({ series_columns: [], across: null }) as { preparation: object }).preparation,
    (resolve({ series_columns: [] }) as { preparation: object }).preparation, 'null is left out')
  t.match(resolve({ series_columns: [], step: 'D', aggregate: 'max', across: 'sum' }), {
    preparation: { aggregate: 'max', across: 'sum' }
  })
  t.match(resolve({ filters: [{ column: 'price', op: 'between', values: ['1', '2'] }], missing: 'zero' }), {
    preparation: { filters: [{ column: 'price', op: 'between', values: ['1', '2'] }], missing: 'zero' }
  })
})

t.test('each wrong field is told', async (t) => {
  const filter = { column: 'price', op: 'eq', values: ['1'] }
  const wrong: Array<[object | PreparationBlock, Array<string | number>, object?]> = [
    [{ step: 'fortnight' }, ['step']],
    [{ filters: [{ ...filter, op: 'like' }] }, ['filters', 0, 'op']],
    [{ filters: [{ ...filter, values: [] }] }, ['filters', 0, 'values']],
    [{ filters: [{ ...filter, values: ['1', '2'] }] }, ['filters', 0, 'values']],
    [{ filters: [{ ...filter, op: 'between' }] }, ['filters', 0, 'values']],
    [{ filters: [{ ...filter, colour: 1 }] }, ['filters', 0, 'colour']],
    [{ series_columns: ['timestamp'] }, ['series_columns']],
    [{ series_columns: ['a', 'a'] }, ['series_columns']],
    [{ missing: 'guess' }, ['missing']],
    [{ anomalies: 'drop' }, ['anomalies']],
    [{ aggregate: 'median' }, ['aggregate']],
    [{ across: 'median' }, ['across']],
    [{ series_columns: ['region'] }, ['series_columns'], {
      reconciliation: { enabled: true, hierarchy_columns: ['region', 'store'] }
    }]
  ]
  for (const [block, path, rest] of wrong) {
    t.match(resolve(block, rest), [{ loc: ['body', 'preparation', ...path] }], JSON.stringify(block))
  }
  t.match(resolve({ step: 'W' }, { reconciliation: { enabled: true, hierarchy_columns: ['region', 'store'] } }), {
    preparation: { step: 'W-SUN' },
    reconciliation: { hierarchyColumns: ['region', 'store'] }
  })
})
