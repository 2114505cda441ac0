import t from 'tap'
import type { ForecastIntent } from '../../../src/domain/forecast-intent.ts'
import { extractIntent } from '../../../src/services/agent/extract-intent.ts'
import { intentFaults } from '../../support/agent-intent-faults.ts'
import { agentProfile } from '../../support/agent-prompts.ts'
import { modelAt, openModelEndpoint, says } from '../../support/model-endpoint.ts'
import { understandPrompt } from '../../support/understand-prompt.ts'

/* What of a model's answer goes into an intent, and what stays as the rules have it. */

const german =
  'Wie viele Anmeldungen haben wir in den nächsten zwei Wochen, nur social, mit Werbeausgaben? Wir müssen Schichten ' +
  'planen.'
const nothing = { quotes: [] }

t.test('without a model, and where the rules used every word, nobody is asked', async (t) => {
  const endpoint = await openModelEndpoint(t, says({ forecast_target: 'signups', quotes: [] }))
  const rules = { intent: extractIntent(german, agentProfile('web')), generatedBy: 'rules', warnings: [] }
  t.strictSame(await understandPrompt(german, agentProfile('web'), null), rules)
  for (const prompt of ['', '   ', 'forecast visits', 'forecast visits for 14 days, WAPE']) {
    t.strictSame(await understandPrompt(prompt, agentProfile('web'), modelAt(endpoint.url)), {
      intent: extractIntent(prompt, agentProfile('web')),
      generatedBy: 'rules',
      warnings: []
    })
  }
  t.strictSame(endpoint.requests, [])
})

t.test('a model fills what the rules left open, and rules work out all that follows', async (t) => {
  const endpoint = await openModelEndpoint(t, says({
    forecast_target: 'signups',
    horizon_quantity: 2,
    horizon_unit: 'weeks',
    horizon_until: null,
    grouping_dimensions: [],
    filters: [{ column: 'campaign', op: 'eq', values: ['SOCIAL'] }],
    covariates: ['ad_spend'],
    evaluation_metric: null,
    backtest_strategy: null,
    confidence_intervals: [],
    anomaly_handling: null,
    missing_data_handling: null,
    deployment_target: null,
    user_constraints: ['integer'],
    business_objective: 'schichten planen',
    quotes: ['Wie viele Anmeldungen', 'in den nächsten zwei Wochen', 'mit Werbeausgaben', 'nobody said this']
  }))
  const profile = agentProfile('web')
  const { intent, generatedBy, warnings } = await understandPrompt(german, profile, modelAt(endpoint.url))
  t.equal(generatedBy, 'model')
  t.strictSame(warnings, [])
  const rules = extractIntent(german, profile)
  t.strictSame(intent, {
    ...rules,
    business_objective: 'Schichten planen',
    forecast_target: 'signups',
    horizon: 14,
    horizon_quantity: 2,
    horizon_unit: 'weeks',
    filters: [{ column: 'campaign', op: 'eq', value: 'social' }],
    covariates: ['ad_spend'],
    historical_features: ['ad_spend'],
    user_constraints: ['integer'],
    review_status: 'draft',
    missing_required_fields: [],
    clarification_questions: [],
    confidence: intent.confidence
  })
  t.ok(intent.confidence > rules.confidence && intent.confidence < 0.7, `confidence ${intent.confidence}`)
  t.equal(endpoint.requests.length, 1)
})

t.test('steps are counted by rules: a length on the calendar, an end after the data, no end before them', async (t) => {
  const cases: Array<[schema: string, answer: object, expected: Partial<ForecastIntent>]> = [
    ['finance', { horizon_quantity: 0.5, horizon_unit: 'years' }, {
      horizon: 6,
      horizon_quantity: 0.5,
      horizon_unit: 'years'
    }],
    ['finance', { horizon_until: '2024-12-31' }, { horizon: 7, horizon_quantity: 7, horizon_unit: 'steps' }],
    ['web', { horizon_until: '2024-09-30' }, { horizon: 30 }],
    ['web', { horizon_quantity: 3, horizon_unit: 'steps' }, { horizon: 3, horizon_unit: 'steps' }],
    ...[
      { horizon_until: '2024-01-31' },
      { horizon_until: '2024-13-31' },
      { horizon_until: 'tomorrow' },
      { horizon_quantity: 3 },
      { horizon_unit: 'days' },
      { horizon_quantity: -3, horizon_unit: 'days' },
      { horizon_quantity: 0, horizon_unit: 'days' },
      { horizon_quantity: 1e9, horizon_unit: 'steps' },
      { horizon: 12 },
      { horizon_quantity: '6', horizon_unit: 'days' }
    ].map((
      answer
    ): [string, object, Partial<ForecastIntent>] => ['web', answer, extractIntent(german, agentProfile('web'))])
  ]
  for (const [schema, answer, expected] of cases) {
    const { url } = await openModelEndpoint(t, says({ ...nothing, ...answer }))
    const { intent } = await understandPrompt(german, agentProfile(schema), modelAt(url))
    t.strictSame(
      Object.fromEntries(Object.keys(expected).map((field) => [field, intent[field as keyof ForecastIntent]])),
      expected,
      JSON.stringify(answer)
    )
  }
})

t.test('what the rules found in the prompt is not asked for, and stays whatever the model says of it', async (t) => {
  const prompt =
    'predict signups by campaign for the next 14 days using ad_spend where visits > 10; 80% interval, WAPE, rolling ' +
    'origin, clip outliers, fill gaps with zero, once only, no negative values, in order to staff the desk, zackig ' +
    'gerne'
  const profile = agentProfile('web')
  const endpoint = await openModelEndpoint(t, says({
    forecast_target: 'visits',
    granularity: 'monthly',
    horizon_quantity: 99,
    horizon_unit: 'days',
    grouping_dimensions: [],
    filters: [{ column: 'campaign', op: 'eq', values: ['social'] }],
    covariates: ['visits'],
    evaluation_metric: 'MSE',
    backtest_strategy: 'none',
    confidence_intervals: [0.5],
    anomaly_handling: 'remove',
    missing_data_handling: 'drop',
    deployment_target: 'api',
    user_constraints: ['integer'],
    business_objective: 'zackig',
    seasonality: [3],
    horizon: 3,
    confidence: 1,
    review_status: 'confirmed',
    quotes: [prompt]
  }))
  const { intent, generatedBy } = await understandPrompt(prompt, profile, modelAt(endpoint.url))
  t.equal(generatedBy, 'rules')
  t.equal(JSON.stringify(intent), JSON.stringify(extractIntent(prompt, profile)))
  t.strictSame(Object.keys(endpoint.requests[0]?.body.response_format.json_schema?.schema.properties ?? {}), ['quotes'])
})

t.test('a name that the data do not have, and several targets, stay a question', async (t) => {
  for (const prompt of ['forecast net_profit, bitte zackig', 'forecast visits and signups, bitte zackig']) {
    const { url } = await openModelEndpoint(t, says({ ...nothing, forecast_target: 'visits' }))
    const { intent } = await understandPrompt(prompt, agentProfile('web'), modelAt(url))
    t.equal(intent.forecast_target, null)
    t.equal(intent.clarification_questions[0]?.field, 'forecast_target')
  }
})

t.test('a filter has values of the file where the profile knows them all, else words of the prompt', async (t) => {
  const web = agentProfile('web')
  const many = {
    ...web,
    columns: web.columns.map((column) => column.name === 'campaign' ? { ...column, distinct: 5000 } : column)
  }
  const cases: Array<
    [profile: typeof web, filter: { column: string, op: string, values: string[] }, value: string | null]
  > = [
    [web, { column: 'campaign', op: 'eq', values: ['Social'] }, 'social'],
    [web, { column: 'campaign', op: 'not_in', values: ['social', 'search'] }, 'social,search'],
    [web, { column: 'campaign', op: 'eq', values: ['Schichten'] }, null],
    [web, { column: 'campaign', op: 'in', values: ['social', 'tv'] }, null],
    [web, { column: 'campaign', op: 'eq', values: ['social', 'search'] }, null],
    [web, { column: 'campaign', op: 'gt', values: ['social'] }, null],
    [web, { column: 'campaign', op: 'contains', values: ['soci'] }, 'soci'],
    [web, { column: 'campaign', op: 'contains', values: ['news'] }, null],
    [web, { column: 'campaign', op: 'in', values: [] }, null],
    [many, { column: 'campaign', op: 'eq', values: ['Schichten'] }, 'Schichten'],
    [many, { column: 'campaign', op: 'eq', values: ['DROP TABLE'] }, null],
    [web, { column: 'ad_spend', op: 'between', values: ['10', '20.5'] }, '10,20.5'],
    [web, { column: 'ad_spend', op: 'gte', values: ['ten'] }, null],
    [web, { column: 'ad_spend', op: 'eq', values: ['129'] }, '129'],
    [web, { column: 'ad_spend', op: 'eq', values: ['999999'] }, null],
    [web, { column: 'day', op: 'gte', values: ['2024-01-01'] }, '2024-01-01'],
    [web, { column: 'day', op: 'gte', values: ['2025-01-01'] }, null],
    [web, { column: 'day', op: 'gte', values: ['last year'] }, null],
    [web, { column: 'kampagne', op: 'eq', values: ['social'] }, null]
  ]
  for (const [profile, filter, value] of cases) {
    const { url } = await openModelEndpoint(t, says({ ...nothing, filters: [filter] }))
    const { intent } = await understandPrompt(german, profile, modelAt(url))
    t.strictSame(intent.filters, value === null ? [] : [{ column: filter.column, op: filter.op, value }],
      JSON.stringify(filter))
    t.strictSame(intentFaults(intent), [])
  }
})

t.test('an objective is words of the prompt, in one sentence, or none', async (t) => {
  const cases: Array<[answer: string, objective: string | null]> = [
    ['Schichten planen', 'Schichten planen'],
    ['WIR MÜSSEN SCHICHTEN', 'Wir müssen Schichten'],
    ['mit Werbeausgaben? Wir müssen Schichten planen.', 'mit Werbeausgaben'],
    ['plan shifts', null],
    ['', null],
    [german.repeat(3), null],
    ['?', null]
  ]
  for (const [answer, objective] of cases) {
    const { url } = await openModelEndpoint(t, says({ ...nothing, business_objective: answer }))
    const { intent } = await understandPrompt(german, agentProfile('web'), modelAt(url))
    t.equal(intent.business_objective, objective, answer)
  }
})
