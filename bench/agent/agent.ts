import { extractIntent } from '../../src/services/agent/extract-intent.ts'
import { agentProfile, agentPrompts, ratesOf, scorePrompt } from '../../test/support/agent-prompts.ts'
import type { Bench } from '../bench.ts'
import { quantile } from '../quantile.ts'
import type { Measurement } from '../result.ts'
import { measureProfileCost } from './profile-cost.ts'

/** Rules have learnt from the last three since these were first read. */
const files: [string, string][] = [
  ['prompts.json', 'written before the rules'],
  ['more-prompts.json', 'written after their first version'],
  ['third-prompts.json', 'written after their second version'],
  ['fourth-prompts.json', 'written after the third version of the rules'],
  ['fifth-prompts.json', 'written after the third version of the rules, about files that are new too'],
  ['sixth-prompts.json', 'kept aside: no rule was changed for them'],
  ['seventh-prompts.json', 'about six new files, written after all rules: none was changed for them'],
  ['eighth-prompts.json',
    'of retail, logistics and finance, by a writer who had seen neither rules nor prompts; learned from since'],
  ['ninth-prompts.json', 'of energy, health and public services, by a second such writer; learned from since'],
  ['tenth-prompts.json', 'of data scientists and executives, by a third such writer; learned from since'],
  ['eleventh-prompts.json', 'of retail, tourism and a theatre, by a writer who had seen neither rules nor prompts'],
  ['twelfth-prompts.json', 'of energy, hospitals and logistics, by a second such writer'],
  ['thirteenth-prompts.json', 'of finance, servers and agriculture, by a third such writer']
]

/** What of the prompts of the tests is understood, how long that takes, and what the profile before it costs. */
export const benchAgent: Bench = async (
  options
) => [...measureRates(options.log), ...measureTime(options.trial), ...await measureProfileCost(options)]

function measureRates (log: (line: string) => void): Measurement[] {
  return files.flatMap(([file, when]) => {
    const scores = agentPrompts(file).map(scorePrompt)
    for (const { prompt, wrong, needless, unasked } of scores) {
      if (wrong.length + needless.length + unasked.length > 0) {
        log(
          `${prompt.id}: ${
            [...wrong, ...needless.map((field) => `asks for ${field}`), ...unasked.map((field) =>
              `does not ask for ${field}`
            )].join(', ')
          }`
        )
      }
    }
    const rates = ratesOf(scores)
    const of = `${rates.prompts} prompts ${when}`
    return [
      { what: `${of}: fields as expected`, figure: percent(rates.fieldAccuracy), unit: '%', gate: { atLeast: 95 } },
      {
        what: `${of}: whole intents as expected`,
        figure: percent(rates.exactIntents),
        unit: '%',
        gate: { atLeast: 85 }
      },
      {
        what: `${of}: columns that the data do not have`,
        figure: rates.inventedColumns,
        unit: '',
        gate: { atMost: 0 }
      },
      {
        what: `${of}: questions without need`,
        figure: percent(rates.needlessQuestions),
        unit: '%',
        gate: { atMost: 10 }
      },
      {
        what: `${of}: needed questions that are asked`,
        figure: percent(rates.askedQuestions),
        unit: '%',
        gate: { atLeast: 90 }
      }
    ]
  })
}

/** Of each prompt the median of several runs, so that what else the machine does is not counted. */
function measureTime (trial: boolean): Measurement[] {
  const prompts = files.flatMap(([file]) => agentPrompts(file))
  const runs = trial ? 3 : 15
  const times = prompts.map(({ prompt, schema }) =>
    quantile(Array.from({ length: runs }, () => {
      const start = performance.now()
      extractIntent(prompt, agentProfile(schema))
      return performance.now() - start
    }), 0.5)
  )
  return [
    { what: `a prompt, p95 of ${prompts.length}`, figure: quantile(times, 0.95), unit: 'ms', gate: { atMost: 20 } },
    { what: 'a prompt of 64 KiB', figure: timeOf(prompts.map(({ prompt }) => prompt).join(' ')), unit: 'ms' },
    {
      what: `64 KiB of one phrase again and again, the slowest of ${repeated.length}`,
      figure: Math.max(...repeated.map(timeOf)),
      unit: 'ms',
      gate: { atMost: 5_000 }
    }
  ]
}

/** Phrases that rules read far ahead from, or back over. */
const repeated = ['of ', 'end of ', 'until ', 'from 1 to ', 'north, ', 'only north and ', 'except north, ',
  'price > 10 and ', 'q1 ', 'week 12 ', 'units and ', 'daily peak ', '90% ', 'total ', '. ']

function timeOf (text: string): number {
  const prompt = text.repeat(Math.ceil(65_536 / text.length)).slice(0, 65_536)
  const start = performance.now()
  extractIntent(prompt, agentProfile('retail'))
  return performance.now() - start
}

function percent (share: number): number {
  return Math.round(share * 1e4) / 100
}
