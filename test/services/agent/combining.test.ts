import t from 'tap'
import type { DataProfile } from '../../../src/domain/data-profile.ts'
import { natureOf, type Nature } from '../../../src/services/recommendations/natures.ts'
import { extractIntent } from '../../../src/services/agent/extract-intent.ts'
import { recommendForecast } from '../../../src/services/recommendations/recommend-forecast.ts'
import { agentProfile } from '../../support/agent-prompts.ts'

/* How rows become one: by the words of a prompt on the axis that they are about, else by what the column counts. */

function renamed (schema: string, names: Record<string, string>): DataProfile {
  const text = Object.entries(names).reduce((text, [name, other]) => text.replaceAll(`"${name}"`, `"${other}"`),
    JSON.stringify(agentProfile(schema)))
  return JSON.parse(text) as DataProfile
}

const units = agentProfile('retail')
/** Daily, of substations in regions. */
const load = renamed('retail', { units_sold: 'load_mw', store: 'substation' })
const hotels = renamed('retail', { units_sold: 'adr_eur', store: 'hotel' })
/** One series of half hours. */
const demand = agentProfile('energy')

function planned (data: DataProfile, prompt: string) {
  const intent = extractIntent(prompt, data)
  const { config, rationale, warnings } = recommendForecast({
    intent: {
      ...intent,
      forecast_target: intent.forecast_target ?? data.roles.target,
      time_column: data.roles.timestamp
    },
    data,
    horizon: 3,
    maxHorizon: 1000,
    addsCovariates: false,
    p90Seconds: () => 1
  })
  const { preparation } = config
  const how = preparation === null
    ? 'as it is'
    : `${preparation.series_columns === undefined ? '' : `[${preparation.series_columns?.join() ?? ''}] `}${
      preparation.step ?? '-'
    } ${preparation.aggregate}${preparation.across == null ? '' : ` of ${preparation.across}`}`
  return {
    how,
    constraints: intent.user_constraints,
    combined: rationale.filter((reason) => /^Rows/.test(reason)),
    warnings,
    target: intent.forecast_target
  }
}

/** `[series] step over`, and ` of across` where that is another. */
const cases: [what: string, data: DataProfile, [prompt: string, how: string, constraints?: string[]][]][] = [
  ['without words the column decides, on each axis', units, [
    ['units sold by region, weekly', '[region] W sum', []],
    ['units sold by region', '[region] - sum', []],
    ['stock by region, weekly', '[region] W mean of sum', []],
    ['weekly units sold per sku', '[region,store,sku] W sum', []],
    ['weekly stock per sku', '[region,store,sku] W mean', []]
  ]],
  ['levels', load, [
    ['weekly load by region', '[region] W mean of sum', []],
    ['total load of all substations', '[] - sum', ['across sum']],
    ['weekly total load of all substations', '[] W mean of sum', ['across sum']],
    ['total load of the substations by week', '[] W mean of sum', ['across sum']],
    ['total weekly MW', '[] W mean of sum', ['across sum']],
    ['total load by region, weekly', '[region] W mean of sum', ['across sum']],
    ['load of all substations together, weekly', '[] W mean of sum', []],
    ['weekly peak load by region', '[region] W max of sum', ['aggregate max']],
    ['peak load per week by region', '[region] W max of sum', ['aggregate max']],
    ['peak weekly load by region', '[region] W max of sum', ['aggregate max']],
    ['highest load per week by region', '[region] W max of sum', ['combine max']],
    ['weekly maximum of load by region', '[region] W max of sum', ['aggregate max']],
    ['peak of the total load per week', '[] W max of sum', ['aggregate max', 'across sum']],
    ['the weekly minimum of the combined load by region', '[region] W min of sum', ['aggregate min', 'across sum']],
    ['load troughs per week by region', '[region] W min of sum', ['aggregate min']],
    ['weekly mean of load by region', '[region] W mean of sum', ['aggregate mean']],
    ['average load by region, weekly', '[region] W mean', ['combine mean']],
    ['average load across all substations', '[] - mean', ['across mean']],
    ['load averaged across the substations, weekly', '[] W mean', ['across mean']],
    ['weekly sum of load by region', '[region] W sum', ['aggregate sum']],
    ['combined load of North and South, weekly', '[] W mean of sum', ['across sum']],
    ['peak load across all substations per week', '[] W max of sum', ['aggregate max']]
  ]],
  ['rates', hotels, [
    ['average ADR by region, weekly', '[region] W mean', ['combine mean']],
    ['ADR by region, weekly', '[region] W mean', []],
    ['average ADR across all hotels per week', '[] W mean', ['across mean']],
    ['overall ADR by region', '[region] - mean', []],
    ['highest ADR by region per week', '[region] W max', ['combine max']],
    ['lowest ADR by region', '[region] - min', ['combine min']],
    ['total ADR by region', '[region] - sum', ['combine sum']]
  ]],
  ['amounts', units, [
    ['total units sold by region, weekly', '[region] W sum', ['across sum']],
    ['total units sold', '[] - sum', ['across sum']],
    ['total units sold per sku', '[region,store,sku] - sum', ['across sum']],
    ['total units sold across all stores', '[] - sum', ['across sum']],
    ['units sold summed over all stores', '[] - sum', ['across sum']],
    ['average units sold by region per week', '[region] W mean', ['combine mean']],
    ['weekly mean of units sold by region', '[region] W mean of sum', ['aggregate mean']],
    ['average units sold across all stores, weekly', '[] W sum of mean', ['across mean']],
    ['average daily units by region', '[region] - mean', ['aggregate mean']],
    ['units sold by region, weekly, aggregate by max', '[region] W max of sum', ['combine max']],
    ['highest weekly units sold per sku', '[region,store,sku] W max', ['aggregate max']]
  ]],
  ['one series', demand, [
    ['daily demand', '[] D mean', []],
    ['daily peak load', '[] D max', ['aggregate max']],
    ['forecast daily peaks of demand', '[] D max', ['aggregate max']],
    ['daily maxima of demand', '[] D max', ['aggregate max']],
    ['lowest demand per day', '[] D min', ['combine min']],
    ['daily minimum demand', '[] D min', ['aggregate min']],
    ['average demand per day', '[] D mean', ['combine mean']],
    ['total demand per day', '[] D sum', ['combine sum']],
    ['average demand', '[] - mean', ['combine mean']]
  ]]
]

for (const [what, data, prompts] of cases) {
  t.test(`rows become one: ${what}`, async (t) => {
    for (const [prompt, how, constraints] of prompts) {
      const found = planned(data, `${prompt}, next 3 weeks`)
      t.equal(found.how, how, prompt)
      if (constraints !== undefined) t.strictSame(found.constraints, constraints, prompt)
      t.notMatch(found.warnings.join('\n'), /(?:aggregate|across|combine) (?:sum|mean|max|min)|Not used/, prompt)
    }
  })
}

t.test('words that say something else', async (t) => {
  const others = [
    'units sold by region, mean absolute error please',
    'units sold by region, fill missing days with the mean',
    'I mean units sold by region',
    'units sold by region, capped at a maximum of 500',
    'units sold by region, max 500',
    'units sold by region, the peak season is near',
    'units sold by region where price is above average',
    'units sold by region with a 4 week moving average',
    'units sold by region with maximum accuracy',
    'units sold by region, clip peaks',
    'units sold by region combined with promo',
    'units sold by region, what does this mean for us',
    'units sold by region using average price',
    'units sold by region, with a minimum of 5 days',
    'units sold by region, not the total'
  ]
  for (const prompt of others) {
    const { how, constraints } = planned(units, `${prompt}, weekly, next 3 weeks`)
    t.equal(how.replace(/ with.*/, ''), '[region] W sum', prompt)
    t.notMatch(constraints.join('\n'), /^(?:aggregate|across|combine) /m, prompt)
  }
  const named = renamed('retail', { units_sold: 'total_load', price: 'max_temperature' })
  t.strictSame(planned(named, 'forecast total_load by region, weekly').constraints, [], 'a name is no wish')
  t.strictSame(planned(named, 'forecast total load by region, weekly').constraints, [], 'nor in words')
})

t.test('what is combined is always said, with the reason; what cannot be is said where it was asked for', async (t) => {
  t.match(planned(load, 'weekly load by region').combined, [
    /same time become one by their sum.*load_mw is a level, which adds up over series/,
    /steps of W by their mean.*and not over time/
  ])
  t.match(planned(load, 'weekly peak load by region').combined, [/by their sum/,
    /by their maximum: as asked for; without such words it would be their mean/])
  t.match(planned(hotels, 'ADR by region').combined, [/by their mean: because adr_eur is a rate/])
  t.match(planned(units, 'units sold by region').combined, [/by their sum: because units_sold is an amount/])
  t.strictSame(planned(units, 'units sold per sku').combined, [], 'nothing is combined')
  t.strictSame(planned(demand, 'average demand').combined, [])
  t.strictSame(planned(demand, 'average demand').warnings, [], 'an average of one row is that row')
  t.match(planned(demand, 'peak demand').warnings, [
    /^The maximum of a step was asked for, and there is one row a step of 30min/
  ])
  t.match(planned(demand, 'average daily peak load').warnings, [/^The mean is not taken as well/])
  t.strictSame(planned(demand, 'daily peak load').warnings, [])
  t.match(planned(load, 'min and max load by region, weekly').warnings, ['Not used: max'])
})

t.test('an intent may be changed by hand', async (t) => {
  const { intent, data } = {
    intent: { ...extractIntent('weekly load by region', load), user_constraints: ['aggregate max', 'across mean'] },
    data: load
  }
  const { config, warnings } = recommendForecast({
    intent,
    data,
    horizon: 3,
    maxHorizon: 1000,
    addsCovariates: false,
    p90Seconds: () => 1
  })
  t.match(config.preparation, { aggregate: 'max', across: 'mean' })
  t.strictSame(warnings, [])
})

t.test('series without times in common have no sum at one time, and that is said', async (t) => {
  const series = load.series
  if (series === null) throw new Error('the fixture has series')
  t.match(planned({ ...load, series: { ...series, freq: null } }, 'weekly load by region').warnings.join('\n'),
    /no regular times in common/)
})

t.test('what a column counts, by its name', async (t) => {
  const names: Record<Nature, string[]> = {
    amount: ['sales', 'units_sold', 'calls', 'energy_kwh', 'consumptionMWh', 'load_kwh', 'power_kWh', 'visits', 'value',
      'Umsätze (€)', 'shares_traded', 'revenue', 'rainfall'],
    level: ['load', 'load_mw', 'power', 'Power (kW)', 'demand_MW', 'stock', 'inventory_level', 'headcount',
      'population', 'queue_length', 'cash_balance', 'avg_load', 'Lagerbestand', 'staff'],
    rate: ['price', 'Zimmerpreis', 'conversion_rate', 'ADR', 'adr_eur', 'occupancy %', '%', 'market_share',
      'temperature', 'Temperatur', 'utilisation', 'occupancy', 'Belegung', 'Bettenbelegung', 'Auslastung', 'wind_speed',
      'score', 'stock_index', 'stock_price', 'ratio', 'calls_per_agent', 'EUR/MWh', 'unemployment_rate', 'water_level',
      'avg_basket', 'load_factor', 'page_load_time', 'prices']
  }
  for (const [nature, columns] of Object.entries(names)) {
    for (const column of columns) t.equal(natureOf(column), nature, column)
  }
})
