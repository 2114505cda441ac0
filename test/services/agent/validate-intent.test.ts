import t from 'tap'
import { extractIntent } from '../../../src/services/agent/extract-intent.ts'
import { validateIntent } from '../../../src/services/agent/validate-intent.ts'
import { intentFaults } from '../../support/agent-intent-faults.ts'
import { agentProfile } from '../../support/agent-prompts.ts'

const columns = ['month', 'revenue', 'operating_costs', 'ebitda']
const whole = { forecast_target: 'revenue', time_column: 'month', granularity: 'monthly' as const, horizon: 6 }

t.test('a complete intent is ready, and stays confirmed or rejected', async (t) => {
  t.match(validateIntent(whole, columns), {
    review_status: 'ready',
    missing_required_fields: [],
    clarification_questions: [],
    evaluation_metric: 'MAPE',
    deployment_target: 'one_off'
  })
  t.equal(validateIntent({ ...whole, review_status: 'confirmed' }, columns).review_status, 'confirmed')
  t.equal(validateIntent({ review_status: 'rejected' }, columns).review_status, 'rejected')
  t.same(intentFaults(validateIntent({}, columns)), [])
})

t.test('missing fields are named and asked for, whatever the client says of them', async (t) => {
  const intent = validateIntent({
    review_status: 'confirmed',
    missing_required_fields: ['confidence'],
    clarification_questions: [{ field: 'x', question: 'y', suggestions: [] }]
  }, columns)
  t.same(intent.missing_required_fields, ['forecast_target', 'time_column', 'granularity', 'horizon'])
  t.same(intent.clarification_questions.map(({ field }) => field), ['forecast_target', 'time_column', 'horizon'])
  t.equal(intent.review_status, 'needs_clarification')
})

t.test('a quantity and its unit are a horizon', async (t) => {
  const { horizon, ...rest } = whole
  t.equal(validateIntent({ ...rest, horizon_quantity: 6, horizon_unit: 'months' }, columns).review_status, 'ready')
  t.equal(validateIntent({ ...rest, horizon_quantity: 6 }, columns).review_status, 'needs_clarification')
  t.equal(validateIntent({ ...rest, horizon: 0 }, columns).review_status, 'needs_clarification')
  t.equal(horizon, 6)
})

t.test('an unknown column is asked about with the three nearest names', async (t) => {
  const intent = validateIntent({
    ...whole,
    forecast_target: 'revenu',
    covariates: ['cost'],
    filters: [{ column: 'mnth', op: 'eq', value: '1' }],
    review_status: 'confirmed'
  }, columns)
  t.equal(intent.review_status, 'needs_clarification')
  t.same(intent.missing_required_fields, [])
  t.same(intent.clarification_questions.map(({ field }) => field), ['forecast_target', 'filters', 'covariates'])
  t.equal(intent.clarification_questions[0]?.suggestions.length, 3)
  t.equal(intent.clarification_questions[0]?.suggestions[0], 'revenue')
})

t.test('an extracted intent whose questions are answered is ready', async (t) => {
  const profile = agentProfile('web')
  const names = profile.columns.map(({ name }) => name)
  const intent = extractIntent('forecast visits', profile)
  t.equal(validateIntent(intent, names).review_status, 'needs_clarification')
  t.equal(validateIntent({ ...intent, horizon: 14 }, names).review_status, 'ready')
})
