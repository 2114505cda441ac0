import t from 'tap'
import { TabcastError } from '../../../src/platform/errors.ts'
import { openHorizonQuestion } from '../../../src/services/agent/choices/choose-horizon.ts'
import { extractIntent } from '../../../src/services/agent/extract-intent.ts'
import { obstaclesOf, refuseObstacles, type ObstacleInput } from '../../../src/services/agent/obstacles.ts'
import { settleIntent } from '../../../src/services/agent/settle-intent.ts'
import { agentProfile, agentPrompts, agentSchemas } from '../../support/agent-prompts.ts'

/* What a forecast is refused for before its rows are looked at, and what is said of it. */

function inputOf (schema: string, prompt: string, change: Partial<ObstacleInput> = {}): ObstacleInput {
  const data = agentProfile(schema)
  return {
    intent: settleIntent(extractIntent(prompt, data), { horizon: null, columns: {} }),
    data,
    horizon: null,
    maxHorizon: 1000,
    source: 'prompt',
    ...change
  }
}

t.test('whatever is open of a prompt stands against a forecast, but for a horizon that nobody named; and is said ' +
  'whenever it is refused', async (t) => {
  const prompts = ['prompts.json', 'more-prompts.json', 'third-prompts.json'].flatMap((file) => agentPrompts(file)).map(
    ({ prompt }) => prompt
  )
  let refused = 0
  for (const schema of agentSchemas) {
    for (const prompt of prompts) {
      const input = inputOf(schema, prompt)
      const obstacles = obstaclesOf(input)
      const open = input.intent.clarification_questions.filter(({ question }) => question !== openHorizonQuestion)
      if (open.length > 0 && obstacles.length !== open.length) t.fail(`${schema}: ${prompt}`, { open, obstacles })
      // Whoever refuses and whoever says it ask the same.
      const fields = refusedFields(input)
      if (fields.length !== obstacles.length) {
        t.fail(`${schema}: ${prompt} is said to be refused, or refused without it being said`, { fields, obstacles })
      }
      if (obstacles.length > 0) refused++
    }
  }
  t.ok(refused > 100, `${refused} are refused`)
})

t.test('steps that are too fine, too long or too many', async (t) => {
  t.match(obstaclesOf(inputOf('sensors', 'pressure by week for the next 4 weeks')), [{
    error: { loc: ['body', 'prompt'], type: 'steps_too_long' },
    sentence: /too few for a forecast/
  }])
  t.match(obstaclesOf(inputOf('web', 'visits for the next 10 years')), [{
    error: { loc: ['body', 'prompt'], type: 'horizon_too_long' },
    sentence: /^3652 steps were asked for, and this deployment forecasts at most 1000/
  }])
  t.strictSame(obstaclesOf(inputOf('web', 'visits for the next 10 years', { horizon: 14 })), [], 'the form settles it')
  const { intent, data } = inputOf('web', 'visits for 14 days')
  const wanted = { ...intent, granularity: 'hourly' as const }
  t.match(obstaclesOf({ intent: wanted, data, horizon: null, maxHorizon: 1000, source: 'intent' }), [{
    error: { loc: ['body', 'intent', 'granularity'], type: 'steps_too_fine' }
  }])
})

t.test('a question names the field that answers it', async (t) => {
  t.match(obstaclesOf(inputOf('finance', 'next 6 months')), [{
    error: { loc: ['body', 'target_column'], type: 'needs_clarification', msg: /give target_column/ },
    sentence: /^forecast_target: Which column/
  }])
  t.match(obstaclesOf(inputOf('calls', 'calls for 3 weeks, only Manchester')), [{
    error: { loc: ['body', 'prompt'], msg: /Leeds.*Say it in the prompt/ }
  }])
  t.match(obstaclesOf(inputOf('web', 'visits', { source: 'intent' })), [{
    error: { loc: ['body', 'intent', 'horizon'], msg: /Change horizon of the intent/ }
  }])
  t.strictSame(obstaclesOf(inputOf('web', 'visits')), [])
})

function refusedFields (input: ObstacleInput): unknown[] {
  try {
    refuseObstacles(input)
    return []
  } catch (error) {
    if (!(error instanceof TabcastError)) throw error
    return error.fields ?? []
  }
}
