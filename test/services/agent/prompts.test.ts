import t, { type Test } from 'tap'
import { agentProfile, agentPrompts, promptFiles, ratesOf, scorePrompt, type AgentPrompt,
  type PromptScore } from '../../support/agent-prompts.ts'

// The first was written before the rules, the others without looking at them: the second after their first version, the
// third after the second, the fourth and the fifth after the third. The sixth was kept aside while rules were mended by
// the five others, and no rule was changed for it, though its score, not its text, told once that a new one was too
// wide; nor for the seventh, which came after the last rule and is about files of its own. When they were first read,
// 83 % of the intents of the fourth were right, and of the fifth, which is about other files, 77 %.
for (const file of promptFiles) {
  t.test(`the prompts of ${file} are understood`, async (t) => {
    meetsGates(t, agentPrompts(file).map(scorePrompt))
  })
}

t.test('what is said in other words is understood the same', async (t) => {
  const prompts = paraphrases()
  t.equal(prompts.length, 40)
  meetsGates(t, prompts.map(scorePrompt))
})

function meetsGates (t: Test, scores: PromptScore[]): void {
  for (const { prompt, intent, wrong, needless, unasked } of scores) {
    if (wrong.length + needless.length + unasked.length > 0) {
      t.comment(`${prompt.id}: ${prompt.prompt.slice(0, 120)}`,
        wrong.map((field) => [field, intent[field as keyof typeof intent]]), { needless, unasked })
    }
  }
  const rates = ratesOf(scores)
  t.comment(rates)
  t.ok(rates.fieldAccuracy >= 0.95, 'fields')
  t.ok(rates.exactIntents >= 0.85, 'whole intents')
  t.equal(rates.inventedColumns, 0, 'no column is invented')
  t.ok(rates.needlessQuestions <= 0.1, 'no question without need')
  t.ok(rates.askedQuestions >= 0.9, 'what is missing is asked for')
}

/** Ten ways to say it, each of four files. */
function paraphrases (): AgentPrompt[] {
  const subjects = [
    { schema: 'web', name: 'visits', column: 'visits', unit: 'days', length: 1 },
    { schema: 'calls', name: 'the number of calls', column: 'calls', unit: 'weeks', length: 1 },
    { schema: 'finance', name: 'operating costs', column: 'operating_costs', unit: 'months', length: 1 },
    { schema: 'energy', name: 'demand', column: 'demand_mw', unit: 'days', length: 48 }
  ]
  const templates: ((name: string, count: string, unit: string) => string)[] = [
    (name, count, unit) => `Forecast ${name} for the next ${count} ${unit}.`,
    (name, count, unit) => `i want to predict ${name} ${count} ${unit} ahead`,
    (name, count, unit) => `${count}-${unit.slice(0, -1)} forecast of ${name}`,
    (name, count, unit) => `What will ${name} be over the coming ${count} ${unit}?`,
    (name, count, unit) => `Could you please estimate ${name}? We look ${count} ${unit} into the future.`,
    (name, count, unit) => `${name.toUpperCase()} NEXT ${count.toUpperCase()} ${unit.toUpperCase()}`,
    (name, count, unit) => `Target: ${name}. Horizon: ${count} ${unit}.`,
    (name, count, unit) => `Using the last 2 years, project ${name} forward ${count} ${unit}`,
    (name, count, unit) =>
      `Hello,\nwe would need a projection of ${name}\nfor a period of ${count} ${unit}.\n\nBest regards`,
    (name, count, unit) => `over the following ${count} ${unit}, how do you expect ${name} to develop`
  ]
  return subjects.flatMap(({ schema, name, column, unit, length }) =>
    templates.map((template, index) => ({
      id: `${schema}-${index}`,
      group: 'paraphrase',
      schema,
      prompt: template(name, index % 2 === 0 ? '4' : 'four', unit),
      ask: [],
      expect: {
        forecast_target: column,
        horizon: 4 * length,
        time_column: agentProfile(schema).roles.timestamp,
        horizon_quantity: 4,
        horizon_unit: unit as 'days'
      }
    }))
  )
}
