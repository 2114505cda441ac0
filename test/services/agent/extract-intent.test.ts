import t from 'tap'
import type { ForecastIntent } from '../../../src/domain/forecast-intent.ts'
import { extractIntent } from '../../../src/services/agent/extract-intent.ts'
import { agentProfile } from '../../support/agent-prompts.ts'

/** Prompts about a file, each with what the intent has to have. */
type Cases = [schema: string, prompt: string, expected: Partial<ForecastIntent>][]

function check (name: string, cases: Cases): void {
  t.test(name, async (t) => {
    for (const [schema, prompt, expected] of cases) {
      const intent = extractIntent(prompt, agentProfile(schema))
      t.same(Object.fromEntries(Object.keys(expected).map((field) => [field, intent[field as keyof ForecastIntent]])),
        expected, prompt)
    }
  })
}

check('lengths', [
  ['web', 'visits, next dozen days', { horizon: 12 }],
  ['web', 'visits for twenty-one days', { horizon: 21 }],
  ['finance', 'revenue, next two and a half years', { horizon: 30, horizon_quantity: 2.5, horizon_unit: 'years' }],
  ['energy', 'demand for the next 90 minutes', { horizon: 3 }],
  ['calls', 'calls for the next 10 days', { horizon: 2 }],
  ['finance', 'revenue 18mo ahead', { horizon: 18 }],
  ['web', 'visits for the next 10k days', { horizon: 10_000 }],
  ['energy', 'demand for 2 1/2 days', { horizon: 120, horizon_quantity: 2.5 }],
  ['energy', 'demand for 1½ days', { horizon: 72 }],
  ['energy', 'demand for the next 1/2 day', { horizon: 24 }],
  // What is not understood is asked for.
  ['energy', 'demand next 2h30m', { horizon: null }],
  ['energy', 'demand until tmrw', { horizon: 48 }]
])

check('ends', [
  ['finance', 'revenue from January to March 2025', { horizon: 10 }],
  ['web', 'visits before October 2024', { horizon: 30 }],
  ['web', 'visits through 2024-Q4', { horizon: 122 }],
  ['web', 'visits until 15.09.2024', { horizon: 15 }],
  ['energy', 'demand until the end of the day after', { forecast_target: 'demand_mw' }],
  ['finance', 'revenue for H1 2025', { horizon: 13 }],
  ['finance', 'revenue until the end of our fiscal year', { horizon: 7 }],
  ['energy', 'demand until Sunday', { horizon: 96 }],
  ['energy', 'demand until Friday', { horizon: 336 }]
])

check('what is past is no horizon', [
  ['finance', 'forecast revenue for 6 months, train on the last 3 years', {
    horizon: 6,
    filters: [{ column: 'month', op: 'gt', value: '2021-05-01' }]
  }],
  ['web', 'visits next week; use only data since 2023', {
    horizon: 7,
    filters: [{ column: 'day', op: 'gte', value: '2023-01-01' }]
  }],
  ['web', 'visits next week, ignore everything before March 2023', {
    horizon: 7,
    filters: [{ column: 'day', op: 'gte', value: '2023-03-01' }]
  }],
  ['calls', 'calls for 4 weeks, backtest on the last 8 weeks', {
    horizon: 4,
    backtest_strategy: 'holdout',
    filters: []
  }],
  ['web', 'sales were bad last year. visits for 2 weeks', { horizon: 14, filters: [] }]
])

check('step lengths', [
  ['energy', 'daily demand for the next week', {
    granularity: 'daily',
    forecast_frequency: 'D',
    horizon: 7,
    seasonality: []
  }],
  ['energy', 'hourly demand for the next day', {
    granularity: 'hourly',
    forecast_frequency: 'h',
    horizon: 24,
    seasonality: [24]
  }],
  ['web', 'weekly seasonality, visits for 10 days', { granularity: 'daily', seasonality: [7], horizon: 10 }],
  ['energy', 'demand next day with daily and weekly cycles', { seasonality: [48, 336], horizon: 48 }],
  ['web', 'no seasonality please, visits 10 days', { seasonality: [] }],
  ['energy', 'from my half-hourly data make an hourly forecast of demand for 5 hours', {
    granularity: 'hourly',
    horizon: 5
  }]
])

check('columns', [
  ['wide', 'predict discount rate for 5 days', { forecast_target: 'discountRate' }],
  ['wide', 'predict units_shipped for 5 days', { forecast_target: 'Units Shipped' }],
  ['filialen', 'predict Stueckzahl for 5 days', { forecast_target: 'Stückzahl' }],
  ['filialen', 'predict stückzahlen for 5 days', { forecast_target: 'Stückzahl' }],
  ['wide', 'I want Standing Desks only, net revenue, 5 days', {
    filters: [{ column: 'productFamily', op: 'eq', value: 'Standing Desks' }]
  }]
])

check('drivers', [
  ['calls', 'calls 4 weeks, promotions matter, use all available drivers', {
    covariates: ['staff', 'promotion', 'emails_sent'],
    known_future_features: ['promotion']
  }],
  ['retail', 'sales for 5 days, use price, but ignore promo', { covariates: ['price'] }],
  ['retail', 'sales for 5 days with school holidays in Germany', {
    covariates: [],
    user_constraints: ['use holidays Germany']
  }],
  ['retail', 'sales for 5 days without weather', { user_constraints: ['without weather'] }]
])

check('filters', [
  ['retail', 'sales 5 days, region in (North, South)', {
    filters: [{ column: 'region', op: 'in', value: 'North,South' }]
  }],
  ['retail', 'sales 5 days where stock is between 100 and 120', {
    filters: [{ column: 'stock', op: 'between', value: '100,120' }]
  }],
  ['retail', 'sales 5 days, price <= 1.1', { filters: [{ column: 'price', op: 'lte', value: '1.1' }] }],
  ['retail', 'sales 5 days, store is not bonn', { filters: [{ column: 'store', op: 'ne', value: 'Bonn' }] }],
  ['retail', 'sales 5 days where promo = 1', { filters: [{ column: 'promo', op: 'eq', value: '1' }] }]
])

check('measures and intervals', [
  ['web', 'visits 5 days, minimise the root mean squared error', { evaluation_metric: 'RMSE' }],
  ['web', 'visits 5 days, WAPE instead of MAPE', { evaluation_metric: 'WAPE' }],
  ['web', 'visits 5 days, store them in SQL', { evaluation_metric: 'MAPE' }],
  ['web', 'visits 5 days, quantiles 0.05, 0.5 and 0.95', { confidence_intervals: [0.9] }],
  ['web', 'visits 5 days with a confidence level of 95%', { confidence_intervals: [0.95] }],
  ['web', 'visits 5 days with a 0.000001% interval', { confidence_intervals: [] }],
  ['web', 'visits 5 days, quantiles 0.00001, 0.49999 and 0.9', { confidence_intervals: [0.8] }]
])

check('running it', [
  ['web', 'visits 5 days, rerun it every night', { deployment_target: 'scheduled' }],
  ['web', 'visits 5 days, push the results into our data warehouse', { deployment_target: 'write_back' }],
  ['web', 'visits 5 days, we poll a REST endpoint', { deployment_target: 'api' }],
  ['web', 'visits 5 days with time series cross-validation', { backtest_strategy: 'rolling_origin' }],
  ['web', 'visits 5 days, must not be negative, whole numbers, capped at 9000', {
    user_constraints: ['non_negative', 'integer', 'max 9000']
  }],
  ['retail', 'sales 5 days, bottom-up', { user_constraints: ['reconciliation bottom_up'] }],
  ['calls', 'calls 5 weeks in order to staff the lines', { business_objective: 'staff the lines' }]
])

t.test('what is missing is asked for, at most three things, with what the data have', async (t) => {
  const intent = extractIntent('', {
    columns: agentProfile('finance').columns,
    roles: { timestamp: null, target: null, itemId: null, otherTargets: [], otherTimestamps: [] },
    series: null,
    unreadable: 'no time was found'
  })
  t.same(intent.missing_required_fields, ['forecast_target', 'time_column', 'granularity', 'horizon'])
  t.same(intent.clarification_questions.map(({ field }) => field), ['forecast_target', 'time_column', 'horizon'])
  t.equal(intent.review_status, 'needs_clarification')
  t.equal(intent.confidence, 0)
  t.same(
    extractIntent('forecast revenu_total for 3 months', agentProfile('finance')).clarification_questions[0]
      ?.suggestions[0],
    'revenue'
  )
})

t.test('a name that the data do not have is no column, in any place', async (t) => {
  const intent = extractIntent('forecast visits by country for 7 days using humidity where os = linux',
    agentProfile('web'))
  t.same([intent.forecast_target, intent.grouping_dimensions, intent.covariates, intent.filters, intent.horizon], [
    'visits',
    [],
    [],
    [],
    7
  ])
})

t.test('what was not understood is told, shortened', async (t) => {
  const intent = extractIntent(`visits for 7 days. ${'Lorem ipsum dolor sit amet consectetur '.repeat(10)}.`,
    agentProfile('web'))
  t.equal(intent.user_constraints.length, 1)
  t.match(intent.user_constraints[0], /^Not used: Lorem ipsum.*…$/u)
  t.ok(intent.confidence < extractIntent('visits for the next 7 days', agentProfile('web')).confidence)
})

t.test('the later of two horizons counts where the prompt takes the first back', async (t) => {
  t.equal(extractIntent('visits for the next 7 days, sorry, make that the next 10 days', agentProfile('web')).horizon,
    10)
  t.equal(extractIntent('visits for the next 7 days, that is the next 1 week', agentProfile('web')).horizon, 7)
})

// As people wrote who had never seen the rules.
check('exclusions',
  ['excl Leeds', 'excl. Leeds', 'ex Leeds', 'w/o Leeds', 'Leeds excluded', 'Leeds is not needed', '(except Leeds)'].map(
    (words) => ['calls', `calls for 3 weeks, ${words}`, { filters: [{ column: 'site', op: 'ne', value: 'Leeds' }] }]
  ))

check('corrections', [
  ['web', 'visits for 2 weeks. Actually make that 3 weeks.', { horizon: 21 }],
  ['web', 'visits for 2 weeks, I meant 3 weeks', { horizon: 21 }],
  ['web', 'visits for 10 days and also 3 months', { horizon: null }]
])

check('one series of everything', [
  ['calls', 'total calls over all sites for the next 3 weeks', { entity_columns: [], grouping_dimensions: [] }],
  ['calls', 'calls for all sites together, 3 weeks', { entity_columns: [] }],
  ['calls', 'calls for the whole company, 3 weeks', { entity_columns: [] }],
  ['retail', 'total demand across all stores, next month, group by region', { grouping_dimensions: ['region'] }],
  ['calls', 'calls for all sites, 3 weeks', { entity_columns: ['site'] }]
])

check('what the data do not have is said', [
  ['calls', 'calls for 3 weeks, only Manchester', { filters: [], user_constraints: ['Not used: only Manchester'] }],
  ['calls', 'calls in London for 3 weeks', { filters: [], user_constraints: ['Not used: in London'] }],
  ['energy', 'peak demand for the next day, ignore weekends', {
    user_constraints: ['aggregate max', 'without weekends']
  }]
])

check('what is known ahead is not the target', [
  ['retail', 'how is promo affecting units? next 7 days', { forecast_target: 'units_sold' }],
  ['retail', 'units sold for 7 days, promo is known', {
    forecast_target: 'units_sold',
    known_future_features: ['promo']
  }],
  ['web', 'visits for 10 days, with a seasonality that is weekly', { granularity: 'daily' }],
  ['web', 'as discussed in the Tuesday meeting, visits for the next 10 days for our budget for 2026', { horizon: 10 }]
])

check('small words around what is wanted', [
  ['calls', 'calls for the next 3 weeks (Monday to Friday, nobody rings at weekends)', {
    horizon: 3,
    clarification_questions: []
  }],
  ['finance', 'I have to present our EBITDA to the board and they want to see it until December 2025', {
    forecast_target: 'ebitda'
  }],
  ['web', 'For every campaign I want to know the signups during the next 3 weeks', {
    forecast_target: 'signups',
    covariates: []
  }],
  ['retail', 'for every combination of store and sku, units sold, 7 days', {
    forecast_target: 'units_sold',
    entity_columns: ['store', 'sku']
  }],
  ['contact_centre', 'How many callers will be abandoned over the next 12 hours?', {
    forecast_target: 'calls_abandoned'
  }],
  ['contact_centre', 'How many calls will we be offered over the next 12 hours?', { forecast_target: 'calls_offered' }],
  ['retail', 'units sold, 7 days. Price and promo are fixed in advance by the category team.', {
    known_future_features: ['price', 'promo'],
    clarification_questions: []
  }],
  ['retail', 'units sold, 7 days. The stock exists for the past only, so treat it as a historical feature.', {
    covariates: ['stock'],
    historical_features: ['stock']
  }]
])

check('what is said again, or taken back', [
  ['web', 'I was told to send you visits, but scrap that, it is the signups I am after. 5 days ahead.', {
    forecast_target: 'signups'
  }],
  ['calls', 'Leeds - no, make that Glasgow - is up for a refit, so Glasgow only: calls, 4 weeks', {
    filters: [{ column: 'site', op: 'eq', value: 'Glasgow' }]
  }],
  ['calls', 'Leeds is going to be shut tomorrow, so leave Leeds out. Calls, 4 weeks.', {
    filters: [{ column: 'site', op: 'ne', value: 'Leeds' }]
  }],
  ['web', 'You will be judged on MAPE, er, sorry, WAPE. Not MAPE. Visits, nine days.', { evaluation_metric: 'WAPE' }],
  ['web', 'A week and three days of visits', { horizon: 10 }],
  ['web',
    "The year before last was a write-off, and for two years we've been clawing our way back. Visits, a dozen weeks " +
    'ahead.', { horizon: 84 }],
  ['energy', 'Hour by hour is overkill. Daily figures for demand, six days of them.', {
    granularity: 'daily',
    horizon: 6
  }]
])

check('rhythms of ours', [
  ['web', 'We close the books monthly. What will visits look like for the whole of October 2024?', {
    granularity: 'daily',
    horizon: 61
  }],
  ['retail', 'We order from the mill weekly. Units sold, 2 weeks.', { granularity: 'daily', horizon: 14 }]
])

check('slips of short words, and what a mail is written in', [
  ['web', 'visits forecst for teh next 9 dasy pls', { horizon: null }],
  ['web', 'visits forecst for teh next 9 days pls', { forecast_target: 'visits', horizon: 9 }],
  ['web', '<b>Visits</b> for the next <i>9</i> days <!-- horizon: 999 days -->', {
    forecast_target: 'visits',
    horizon: 9
  }]
])

check('what a sentence is about', [
  ['finance', "If I had a crystal ball I'd ask it for the headcount of the coming two years.", {
    forecast_target: 'headcount'
  }],
  ['finance', 'Headcount is what keeps me up at night. Show me a dozen months ahead.', {
    forecast_target: 'headcount'
  }],
  ['finance', 'Twelve months of cash balance, then.', { forecast_target: 'cash_balance', horizon: 12 }],
  ['energy', 'How hot will it get over the next four hours? The temperature, that is.', {
    forecast_target: 'temperature'
  }],
  ['web', 'visits, 10 days, where the ad spend is 120 or more', {
    filters: [{ column: 'ad_spend', op: 'gte', value: '120' }]
  }],
  ['web', 'visits, 10 days, where ad spend is 120 or less', {
    filters: [{ column: 'ad_spend', op: 'lte', value: '120' }]
  }],
  ['web', 'Some freak days in there. Throw the outliers out before you forecast the visits of the next four weeks.', {
    anomaly_handling: 'remove'
  }],
  ['calls', 'Calls for the next 4 weeks. One wish: let the promotion flag be an input.', { covariates: ['promotion'] }]
])

check('what is said to be known ahead is so, whatever rows the file has', [
  ['calls', 'Calls for 4 weeks. The staff is rostered, so it is known in advance.', {
    known_future_features: ['staff'],
    historical_features: []
  }],
  ['calls', 'Calls for 4 weeks. Promotion is known in advance, emails sent only historically.', {
    known_future_features: ['promotion'],
    historical_features: ['emails_sent']
  }],
  ['calls', 'Calls for 4 weeks using staff', { known_future_features: [], historical_features: ['staff'] }]
])

check('mails, notes and lists', [
  ['web', 'gimme next 2wks, visits', { forecast_target: 'visits', horizon: 14 }],
  ['web', 'The editors got nervous, could you have a look at signups? ten days ahead is plenty', {
    forecast_target: 'signups',
    horizon: 10
  }],
  ['web', 'target → signups\nsteps → 16', { forecast_target: 'signups', horizon: 16 }],
  ['retail', 'Forecast: Units Sold\nAhead: 4 days\nKnown in advance: Price, Promo', {
    forecast_target: 'units_sold',
    horizon: 4,
    known_future_features: ['price', 'promo']
  }],
  ['web', 'visits for the next 2 weeks as a one-off, without setting up anything that repeats', {
    clarification_questions: [],
    deployment_target: 'one_off'
  }],
  ['calls', 'Calls, 3 weeks. To be limited to the site Leeds, as the Glasgow one is planned by others.', {
    filters: [{ column: 'site', op: 'eq', value: 'Leeds' }]
  }],
  ['calls', 'Calls for the site Leeds for 3 weeks. Also for the site Glasgow.', {
    filters: [{ column: 'site', op: 'in', value: 'Leeds,Glasgow' }]
  }],
  ['calls', 'Leeds was shut last spring. Calls, 3 weeks.', { filters: [] }],
  ['web', 'If only rows with ad spend of at least 120 are used, what visits do you get for the next 15 days?', {
    filters: [{ column: 'ad_spend', op: 'gte', value: '120' }]
  }]
])

check('values that differ in their sign', [
  ['bloodbank', 'units collected of B- for 7 days', { filters: [{ column: 'bloodGroup', op: 'eq', value: 'B-' }] }],
  ['bloodbank', 'unitsIssued next 5 days, bloodGroup in (O+, O-)', {
    filters: [{ column: 'bloodGroup', op: 'in', value: 'O+,O-' }]
  }],
  ['retail', 'units sold, 7 days, store != Bonn, price != 2', {
    filters: [{ column: 'store', op: 'ne', value: 'Bonn' }, { column: 'price', op: 'ne', value: '2' }]
  }]
])

check('a value that the file has with another sign only is asked for', [
  ['bloodbank', 'unitsIssued of A- for 7 days', { filters: [], review_status: 'needs_clarification' }]
])

check('what is known of drivers, as people who model say it', [
  ['calls', 'calls, 4 weeks, staff as a known future regressor', { known_future_features: ['staff'] }],
  ['calls', 'calls, 4 weeks, emails_sent is a past-only covariate', { historical_features: ['emails_sent'] }],
  ['calls', 'calls, 4 weeks. Staff should be included.', { covariates: ['staff'] }],
  ['retail', 'units sold 5 days, stock can also be used', { covariates: ['stock'] }]
])

check('lists of levels, dates with a time, corrections, columns with a sign of comparison', [
  ['web', 'visits 5 days with a 50 and a 90 percent range', { confidence_intervals: [0.5, 0.9] }],
  ['web', 'visits 5 days, coverage 50/80/95 %', { confidence_intervals: [0.5, 0.8, 0.95] }],
  ['energy', 'demand until 17 March 2024 23:30', { horizon: 96 }],
  ['energy', 'demand until 16 March 2024, 12:00', { horizon: 25 }],
  ['web', 'visits 5 days, MAE... wait, RMSE', { evaluation_metric: 'RMSE' }],
  ['web', 'visits, h = 2w', { horizon: 14, horizon_unit: 'weeks' }],
  ['finance', 'ebitda or revenue is the dependent variable, 6 months', { forecast_target: null }],
  ['bills', 'bill amount, 12 months, only rows with Bill Month >= 2021-01-01', {
    filters: [{ column: 'Bill Month', op: 'gte', value: '2021-01-01' }]
  }]
])

check('what the file does not have is asked for', [
  ['retail', 'What will profit be next month?', { forecast_target: null }],
  ['retail', 'How much revenue will we make next month?', { forecast_target: null }],
  ['retail', 'How many pieces will we sell next week?', { forecast_target: 'units_sold', clarification_questions: [] }],
  ['calls', 'How many people will ring us in the next 3 weeks?', {
    forecast_target: 'calls',
    clarification_questions: []
  }],
  ['retail', 'units from tomorrow to 20 June 2024', { horizon: 20, clarification_questions: [] }],
  ['retail', 'units sold for store S1 and S2, 2 weeks', { user_constraints: ['Not used: store S1'] }],
  ['retail', 'units sold 1 week, all stores but S1', { user_constraints: ['Not used: but S1'] }],
  ['retail', 'units for Q3', { user_constraints: [], clarification_questions: [] }]
])

check('what may be meant where nobody says it', [
  ['depots', 'need a forecast for the next 10 days', { forecast_target: null }],
  ['calls', 'need a forecast for the next 10 weeks', { forecast_target: 'calls' }],
  ['hosts', 'CPU 12 steps ahead', { forecast_target: 'cpu_pct' }]
])

check('more of how people write', [
  ['tourism', 'trips to NSW for the next 6 months', {
    filters: [{ column: 'State', op: 'eq', value: 'New South Wales' }]
  }],
  ['web',
    'What will signups look like over the next eight (8) weeks? In August we had to handle 300 visits within 5 days.', {
    forecast_target: 'signups',
    horizon: 56
  }],
  ['finance', 'Please carry headcount forward through December 2024.', {
    forecast_target: 'headcount',
    missing_data_handling: 'ffill',
    horizon: 7
  }],
  ['finance', '- metric: headcount\n- last month to show: December 2024', { forecast_target: 'headcount', horizon: 7 }],
  ['calls', 'HR has already planned the staff. Calls, 4 weeks.', { known_future_features: ['staff'] }]
])

check('the end of the data cut off',
  ['ignore everything after 2024-02-05', 'exclude data after 2024-02-05', 'do not use data after 5 February 2024',
    'without the data after 2024-02-05'].map((
      words
    ) => ['web', `visits for 5 days, ${words}`, {
      filters: [{ column: 'day', op: 'lte', value: '2024-02-05' }],
      horizon: 5
    }]))

check('rows to learn from that end before the data do', [
  ['web', 'forecast visits for 14 days, exclude the last 2 weeks', {
    horizon: 14,
    filters: [{ column: 'day', op: 'lte', value: '2024-08-17' }]
  }],
  ['web', 'visits for 10 days, last 90 days excluded from training', {
    horizon: 10,
    filters: [{ column: 'day', op: 'lte', value: '2024-06-02' }],
    user_constraints: []
  }],
  ['web', 'forecast visits for 30 days, only data until March 2024', {
    horizon: 30,
    filters: [{ column: 'day', op: 'lte', value: '2024-03-31' }]
  }],
  ['web', 'visits for the next 14 days, use data up to June', {
    horizon: 14,
    filters: [{ column: 'day', op: 'lte', value: '2024-06-30' }]
  }],
  ['web', 'visits for the next 14 days, data before June 2024', {
    horizon: 14,
    filters: [{ column: 'day', op: 'lt', value: '2024-06-01' }]
  }],
  ['web', 'visits for 10 days, train on 2023 only', {
    horizon: 10,
    filters: [{ column: 'day', op: 'between', value: '2023-01-01,2023-12-31' }]
  }]
])

check('parts of months, and lengths from a later start', [
  ['web', 'visits until the first week of November', { horizon: 68 }],
  ['web', 'visits through the first half of October', { horizon: 45 }],
  ['web', 'visits until the last 3 days of September', { horizon: 30 }],
  ['web', 'visits for early october', { horizon: 40 }],
  ['web', 'visits starting January 2025 for 6 months', { horizon: 303 }],
  ['finance', 'revenue starting January 2027 for 6 months', { horizon: 37 }],
  ['finance', '6 months of revenue from January 2027', { horizon: 37 }]
])

check('wishes that nothing does are named', ([
  ['web', 'visits for 14 days, remove January', 'remove January'],
  ['web', 'visits for 14 days, leave out december 2023', 'leave out december 2023'],
  ['web', 'visits for 14 days, without 2023-12-24 to 2023-12-31', 'without 2023-12-24 to 2023-12-31'],
  ['web', 'visits for 7 days on log scale', 'log scale'],
  ['web', 'visits for 14 days with prophet', 'prophet'],
  ['retail', 'units sold for 2 weeks using price, weather and footfall', 'weather and footfall'],
  ['retail', 'units for 7 days, only the 5 best selling skus', 'only the 5 best selling skus'],
  ['calls', 'calls for the next 3 weeks between 9am and 5pm', 'between 9am and 5pm'],
  ['energy', 'demand for next 24 hours with temperature and solar radiation as drivers', 'solar radiation as drivers'],
  ['finance', 'forecast ebit for 6 months', 'ebit']
] as const).map(([schema, prompt, words]) => [schema, prompt, { user_constraints: [`Not used: ${words}`] }]))

check('a measure that the data do not have is no other one', [['finance', 'forecast ebit for 6 months', {
  forecast_target: null
}]])

check('ends that are weeks, times of day, and days named before', [
  ['calls', 'calls until week 45', { horizon: 5 }],
  ['calls', 'calls for weeks 41 to 48', { horizon: 8 }],
  ['calls', 'calls to 2024-W50', { horizon: 10 }],
  ['depots', 'orders to the week starting 6 October', { horizon: 6 }],
  ['depots', 'orders until Black Friday', { horizon: 13 }],
  ['web', 'visits until the 15th', { horizon: 15 }],
  ['web', 'visits through Friday, 13 September', { horizon: 13 }],
  ['web', 'The campaign ends on 30 September. Visits up to then.', { horizon: 30 }],
  ['finance', 'revenue up to March next year', { horizon: 10 }],
  ['energy', 'demand until 6pm on 16 March', { horizon: 37 }],
  ['contact_centre', 'calls_offered until 14:00 tomorrow', { horizon: 57 }],
  ['depots', 'orders through the end of the month after next', { horizon: 9 }],
  ['calls', 'calls for 4 weeks, the board meets in week 45', { horizon: 4 }],
  ['web', 'visits Sept-Nov', { horizon: 91 }],
  ['finance', 'revenue to Jun-25', { horizon: 13 }],
  ['web', 'ad spend is planned through Christmas; visits for 30 days', { horizon: 30 }],
  ['segments', 'EBIT for 4 quarters', { horizon: 4 }]
])

check('lengths in two units, of trades, and without a unit', [
  ['energy', 'demand over the next 2 hours and 30 minutes', { horizon: 5 }],
  ['energy', 'demand, coming 12 dispatch intervals', { horizon: 12, horizon_unit: 'steps' }],
  ['finance', 'rolling 12-month outlook for revenue', { horizon: 12 }],
  ['finance', 'revenue in quarters, the next four of them', { horizon: 4, granularity: 'quarterly' }],
  ['web', 'visits for 6 weeks, actually 8', { horizon: 56 }],
  ['web', 'visits for 2 weeks, actually 3 sites closed', { horizon: 14 }],
  ['web', 'visits for 6-8 weeks', { horizon: null }],
  ['web', 'visits in the coming weeks', { horizon: null }]
])

check('names in other words', [
  ['finance', 'opex for 6 months', { forecast_target: 'operating_costs' }],
  ['contact_centre', 'average handling time for 2 hours', { forecast_target: 'aht_sec' }],
  ['contact_centre', 'abandoned calls for 2 hours', { forecast_target: 'calls_abandoned' }],
  ['contact_centre', 'call volume for 2 hours', { forecast_target: 'calls_offered' }],
  ['segments', 'operating profit for 4 quarters', { forecast_target: 'EBIT (EUR k)' }],
  ['segments', 'the figures for 4 quarters', { forecast_target: null }],
  ['web', 'in order to plan, a view of registrations for 2 weeks', { forecast_target: 'signups' }],
  ['wide', 'gross takings for 14 days', { forecast_target: 'grossRevenue' }],
  ['szpital', 'no-shows for 2 weeks', { forecast_target: 'Nieobecności' }]
])

check('what is said of drivers', [
  ['retail', 'units sold 7 days; price explains a lot and we already know its future values', {
    known_future_features: ['price']
  }],
  ['retail', 'units sold 7 days, using price. We only have its past values.', {
    known_future_features: [],
    historical_features: ['price']
  }],
  ['retail', 'units sold 7 days, price is not a factor', { covariates: [] }],
  ['web', 'What drives visits? Forecast visits for 10 days', { forecast_target: 'visits', covariates: [] }],
  ['depots', 'orders 6 weeks; vans_available helps, peak_season is known in advance', {
    covariates: ['peak_season', 'vans_available'],
    known_future_features: ['peak_season']
  }]
])

check('values that are numbers, and series of several columns', [
  ['drugstore', 'Qty Sold next 10 days, everything but stores 412, 518 and 733', {
    filters: [{ column: 'Store #', op: 'not_in', value: '412,518,733' }]
  }],
  ['drugstore', 'Qty Sold per store 14 days', { filters: [], horizon: 14 }],
  ['smartmeter', 'usage of meter 10482 for the next day', {
    filters: [{ column: 'MeterSerial', op: 'eq', value: 'MTR-10482' }]
  }],
  ['calls', 'calls for 5 weeks, Glasgow is closing so leave it off', {
    filters: [{ column: 'site', op: 'ne', value: 'Glasgow' }]
  }],
  ['retail', 'units sold for every store and sku combination, 14 days', {
    entity_columns: ['store', 'sku'],
    grouping_dimensions: []
  }],
  ['tourism', 'trips by state for 6 months', { grouping_dimensions: ['State'] }],
  ['tourism', 'business trips, next 6 months', { filters: [{ column: 'Purpose', op: 'eq', value: 'Business' }] }]
])

check('what is taken back', [
  ['web', 'signups rather than visits, 10 days', { forecast_target: 'signups' }],
  ['web', 'visits. Sorry, I meant signups. 10 days.', { forecast_target: 'signups' }],
  ['calls', 'calls 6 weeks, we switched from MAPE to sMAPE', { evaluation_metric: 'SMAPE' }],
  ['calls', 'calls 6 weeks, MAPE is useless for us, take RMSE', { evaluation_metric: 'RMSE' }],
  ['web', "visits 7 days. Don't fill gaps with zero, interpolate them", { missing_data_handling: 'interpolate' }],
  ['web', 'visits 7 days, mark odd days', { anomaly_handling: 'flag' }]
])
