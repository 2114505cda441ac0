import t from 'tap'
import { compileValidator } from '../../../src/api/validation/compile-validator.ts'
import type { DataProfile } from '../../../src/domain/data-profile.ts'
import type { ForecastIntent } from '../../../src/domain/forecast-intent.ts'
import { anomalyHandlings, granularities, missingDataHandlings } from '../../../src/domain/intent-values.ts'
import { closedObject } from '../../../src/platform/closed-object.ts'
import { extractIntent } from '../../../src/services/agent/extract-intent.ts'
import { recommendForecast } from '../../../src/services/recommendations/recommend-forecast.ts'
import type { RecommendationInput } from '../../../src/services/recommendations/recommendation.ts'
import { storedForecast, type StoredForecast } from '../../../src/services/forecasts/batch-request.ts'
import { resolveForecast } from '../../../src/services/forecasts/resolve-forecast.ts'
import { noSources } from '../../../src/sources/covariates/resolve-external-covariates.ts'
import { agentProfile, agentPrompts, agentSchemas, promptFiles } from '../../support/agent-prompts.ts'
import { hotels, ledger } from '../../support/agent-tables.ts'
import { profileOf } from '../../support/profile-of.ts'
import { uniform } from '../../support/random.ts'

/* How an intent is run. */

const maxHorizon = 1000
const checkRequest = compileValidator(closedObject(storedForecast(maxHorizon)), 'body', false)

/** The specification of the request that is recommended, as a route makes it; throws where a route would refuse it. */
function resolved (input: Omit<RecommendationInput, 'maxHorizon' | 'p90Seconds'>) {
  const { config, ...told } = recommendForecast({ ...input, maxHorizon, p90Seconds: () => 1 })
  const request = checkRequest(JSON.parse(JSON.stringify({ ...config, object_id: 'obj_1' })))
  if ('error' in request) throw request.error
  const { object_id: _id, ...options } = request.value as StoredForecast
  return { spec: resolveForecast(options, () => undefined, noSources), ...told }
}

function intentOf (schema: string, prompt: string): { intent: ForecastIntent, data: DataProfile } {
  const data = agentProfile(schema)
  const intent = extractIntent(prompt, data)
  return {
    intent: {
      ...intent,
      forecast_target: intent.forecast_target ?? data.roles.target,
      time_column: intent.time_column ?? data.roles.timestamp
    },
    data
  }
}

const planned = (schema: string, prompt: string, addsCovariates = true) =>
  resolved({ ...intentOf(schema, prompt), horizon: null, addsCovariates })

t.test('what is recommended for any prompt, a forecast route takes', async (t) => {
  for (const { id, schema, prompt } of promptFiles.flatMap((file) => agentPrompts(file))) {
    t.doesNotThrow(() => planned(schema, prompt), `${id}: ${prompt.slice(0, 100)}`)
  }
})

t.test('what is recommended for any intent, a forecast route takes', async (t) => {
  const random = uniform(7)
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
  const some = <T>(values: readonly T[]): T[] => values.filter(() => random() < 0.3)
  for (let round = 0; round < 500; round++) {
    const { intent, data } = intentOf(pick(agentSchemas), '')
    const free = data.columns.map(({ name }) => name).filter((name) =>
      name !== intent.forecast_target && name !== intent.time_column
    )
    const grouping = some(free)
    const covariates = some(free.filter((name) => !grouping.includes(name) && !intent.entity_columns.includes(name)))
    const wild: ForecastIntent = {
      ...intent,
      granularity: pick(granularities),
      horizon: pick([null, 1, 7, 5000]),
      horizon_quantity: pick([null, 2, 0.5]),
      horizon_unit: pick([null, 'steps', 'weeks', 'years']),
      grouping_dimensions: grouping,
      covariates,
      known_future_features: some(covariates),
      filters: some(free).map((column) => ({ column, op: pick(['eq', 'in', 'between'] as const), value: '1, 2' })),
      confidence_intervals: some([0.5, 0.8, 0.9, 0.95, 0.123456789]),
      anomaly_handling: pick(anomalyHandlings),
      missing_data_handling: pick(missingDataHandlings),
      user_constraints: some(['reconciliation', 'reconciliation top_down', 'non_negative', 'max 5'])
    }
    t.doesNotThrow(() => resolved({ intent: wild, data, horizon: pick([null, 3]), addsCovariates: random() < 0.5 }),
      JSON.stringify(wild))
  }
})

t.test('the horizon: the form, the intent, else two seasons and at most a quarter of the history', async (t) => {
  t.equal(planned('web', 'visits for the next 10 days').spec.predictionLength, 10)
  t.equal(
    resolved({ ...intentOf('web', 'visits for the next 10 days'), horizon: 3, addsCovariates: true }).spec
      .predictionLength,
    3
  )
  t.equal(planned('web', 'visits').spec.predictionLength, 14)
  t.equal(planned('finance', 'revenue').spec.predictionLength, 15, '60 months')
  t.equal(planned('web', 'visits for the next 10 years').spec.predictionLength, maxHorizon)
  t.match(planned('web', 'visits for the next 10 years').warnings.join(), /at most 1000/)
  const { intent, data } = intentOf('web', 'visits')
  t.equal(
    resolved({
      intent: { ...intent, horizon: null, horizon_quantity: 3, horizon_unit: 'weeks' },
      data,
      horizon: null,
      addsCovariates: true
    }).spec.predictionLength,
    21
  )
})

t.test('longer steps: sums of amounts, means of levels, and the step that the data end in', async (t) => {
  // The data end on Saturday, 31 August 2024.
  t.match(planned('web', 'weekly visits for the next 4 weeks').spec, {
    predictionLength: 5,
    freq: 'W-SUN',
    preparation: { step: 'W-SUN', aggregate: 'sum' }
  })
  t.match(planned('web', 'monthly visits for the next 3 months').spec, {
    predictionLength: 3,
    freq: 'MS',
    preparation: { step: 'MS', aggregate: 'sum' }
  }, 'the month is over')
  t.match(planned('filialen', 'Temperatur for the next 4 weeks, weekly').spec, {
    predictionLength: 4,
    preparation: { aggregate: 'mean' }
  })
  t.equal(planned('finance', 'monthly revenue for the next 3 months').spec.preparation?.step, null, 'as the data are')
})

t.test('series: groups that are asked for, else those of the data', async (t) => {
  t.equal(planned('calls', 'calls for 3 weeks').spec.columns.itemId, 'site')
  t.equal(planned('calls', 'calls for 3 weeks').spec.preparation, undefined, 'nothing is to be done')
  t.strictSame(planned('retail', 'units sold by region for 2 weeks').spec.preparation?.seriesColumns, ['region'])
  t.strictSame(planned('retail', 'units sold by region and store for 2 weeks').spec.preparation?.seriesColumns, [
    'region',
    'store'
  ])
  t.strictSame(planned('retail', 'units sold per sku for 2 weeks').spec.preparation?.seriesColumns, ['region', 'store',
    'sku'])
  t.strictSame(planned('web', 'visits for 2 weeks').spec.preparation?.seriesColumns, [])
  t.match(planned('retail', 'units sold for 2 weeks, reconciled top-down').spec, {
    preparation: { seriesColumns: ['region', 'store', 'sku'] },
    reconciliation: { method: 'top_down', hierarchyColumns: [], separator: '::' }
  })
})

t.test('covariates: those known ahead, but for what is to be left out', async (t) => {
  t.strictSame(planned('retail', 'units sold for 2 weeks').spec.columns.covariates, ['price', 'promo'])
  const longer = planned('retail', 'units sold for 3 weeks')
  t.equal(longer.spec.columns.covariates, undefined)
  t.match(longer.warnings, [/known for 14 of the 21 steps/])
  t.strictSame(planned('retail', 'units sold for 2 weeks, ignore promotions').spec.columns.covariates, ['price'])
  t.equal(planned('retail', 'units sold for 2 weeks', false).spec.columns.covariates, undefined)
  const { spec, warnings } = planned('retail', 'units sold for 2 weeks using price and stock')
  t.strictSame(spec.columns.covariates, ['price'])
  t.match(warnings.join(), /stock: has no values behind the last target/)
  const promised = planned('retail', 'units sold for 2 weeks. The price is planned, and the stock is known in advance.')
  t.strictSame(promised.spec.columns.covariates, ['price'], 'what is only said to be known')
  t.match(promised.warnings.join(), /stock: has no values behind the last target/)
})

t.test('rows that are prepared only where there is something to do', async (t) => {
  t.match(planned('calls', 'calls for 3 weeks, only for Leeds').spec.preparation, {
    filters: [{ column: 'site', op: 'eq', values: ['Leeds'] }]
  })
  t.equal(planned('calls', 'calls for 3 weeks, clip outliers').spec.preparation?.anomalies, 'clip')
  const { intent, data } = intentOf('calls', 'calls for 3 weeks, fill gaps with zero')
  const gaps: DataProfile = { ...data, series: data.series === null ? null : { ...data.series, missingness: 0.1 } }
  t.equal(resolved({ intent, data: gaps, horizon: null, addsCovariates: true }).spec.preparation?.missing, 'zero')
  t.equal(resolved({ intent, data, horizon: null, addsCovariates: true }).spec.preparation, undefined,
    'there are no gaps')
})

t.test('what has no effect is said', async (t) => {
  const { warnings } = planned('web', 'visits for 2 weeks, judged by RMSE, capped at 500, refreshed every Monday')
  t.match(warnings, [/^evaluation_metric RMSE/, /^deployment_target scheduled/, /^max 500/])
  t.strictSame(planned('calls', 'calls for 3 weeks').warnings, [])
})

t.test('the most accurate preset that ends soon', async (t) => {
  const input = { ...intentOf('web', 'visits for 2 weeks'), horizon: null, addsCovariates: true, maxHorizon }
  const seconds = { best: 100, balanced: 20, fast: 1 }
  const presetAt = (factor: number) =>
    recommendForecast({ ...input, p90Seconds: (_config, preset) => factor * seconds[preset] }).config.presets
  t.strictSame([0.1, 1, 30, 1000].map(presetAt), ['best', 'balanced', 'balanced', 'fast'])
})

t.test('what an intent asks for beside its covariates, and what is wrong with the data, is said', async (t) => {
  const { intent, data } = intentOf('retail', 'units sold for 7 days')
  const { spec, warnings } = resolved({
    intent: { ...intent, covariates: ['price', 'units_sold', 'stock'] },
    data,
    horizon: null,
    addsCovariates: false
  })
  t.strictSame(spec.columns.covariates, ['price'])
  t.match(warnings.join(), /units_sold: has no values.*stock: has no values/)
  const series = data.series
  if (series === null) throw new Error('the fixture has series')
  const sparse = resolved({
    intent,
    data: { ...data, series: { ...series, missingness: 0.9999 } },
    horizon: null,
    addsCovariates: false
  })
  t.match(sparse.warnings.join(), /100 % of the steps/)
  t.equal(sparse.spec.preparation?.missing, 'none')
})

t.test('rows that nothing tells apart are counted, as they may be the same rows twice', async (t) => {
  const days = Array.from({ length: 40 },
    (_, day) => `${new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10)},${100 + day % 7}`)
  const told = async (lines: string[]) => {
    const data = await profileOf(`timestamp,sales\n${lines.join('\n')}\n`)
    return resolved({ intent: extractIntent('sales for 7 days', data), data, horizon: null, addsCovariates: true })
      .warnings.join()
  }
  t.match(await told(days.flatMap((line) => [line, line])),
    /40 rows have a time that another row has, and no column tells them apart: they become one by their sum/)
  t.notMatch(await told(days), /another row/)
})

t.test('why it is so: of which rows, what nests once they are filtered, and from when to when', async (t) => {
  const tables = { hotels: await profileOf(hotels), ledger: await profileOf(ledger) }
  const reasons = (name: string, prompt: string): string => {
    const data = tables[name as 'hotels'] ?? agentProfile(name)
    const intent = extractIntent(prompt, data)
    return resolved({
      intent: { ...intent, forecast_target: intent.forecast_target ?? data.roles.target },
      data,
      horizon: null,
      addsCovariates: true
    }).rationale.join('\n')
  }
  t.match(reasons('hotels', 'rooms sold for 14 days'), /Region > Hotel nest.*\n.*about 3 series and 600 rows/)
  const one = reasons('hotels', 'rooms sold for Hotel Alpen, 14 days')
  t.match(one, /Only rows are used where Hotel is Alpen\.[^]*about 1 series and 200 rows/)
  t.notMatch(one, /nest/)
  t.notMatch(reasons('ledger', 'amount for 6 months'), /nest/, 'they cross')
  t.notMatch(reasons('ledger', 'amount by cost center for 6 months'), /nest/)
  t.match(reasons('ledger', 'Revenue for the next 6 months'), /account is Revenue[^]*about 3 series and 144 rows/)
  t.match(reasons('retail', 'units sold for 2 weeks'), /region > store nest/)
  t.notMatch(reasons('retail', 'total units sold over all stores for 2 weeks'), /nest/)

  for (const [schema, prompt, span] of [
    ['web', 'visits for the next 10 days', '2024-09-01 to 2024-09-10'],
    ['web', 'visits for the next day', '2024-09-01'],
    ['web', 'weekly visits for the next 4 weeks', '2024-09-01 to 2024-09-29'],
    ['web', 'monthly visits for 3 months', '2024-09 to 2024-11'],
    ['web', 'quarterly visits for the next 2 quarters', '2024-Q3 to 2025-Q1'],
    ['finance', 'revenue until the end of 2025', '2024-06 to 2025-12'],
    ['energy', 'demand for the next day', '2024-03-16T00:00:00Z to 2024-03-16T23:30:00Z'],
    ['calls', 'calls for 3 weeks', '2024-10-07 to 2024-10-21']
  ] as const) t.match(reasons(schema, prompt).split('\n'), [/steps:/, `The forecast is of ${span}.`], prompt)
  t.notMatch(reasons('web', 'visits for 10 days, only data until March 2024'), /The forecast is of/,
    'it begins where the rows end')
  t.doesNotThrow(() => reasons('web', 'visits for the next 100000 days'))
})

t.test('a horizon that nobody named is a warning', async (t) => {
  t.match(planned('web', 'visits').warnings, [/^Nothing says how far the forecast shall reach: it has 14 steps/])
  t.strictSame(planned('web', 'visits for 2 weeks').warnings, [])
})
