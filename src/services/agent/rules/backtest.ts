import type { BacktestStrategy } from '../../../domain/intent-values.ts'
import { phrase } from '../text/prompt-text.ts'
import { unitPattern } from '../time/horizon-wish.ts'
import type { Finding, Rule } from './rule.ts'

const test = 'backtest|backtests|backtesting|back test|back testing|validation|validating|validate|evaluation|cross ' +
  'validation|testing'
const strategies: [BacktestStrategy, string][] = [
  ['none', '(?:no|without|without any|skip|skip the|skipping|dont|no need to|no need for|dont need|omit|dont do|dont ' +
    `run)(?: (?:any|a|the|to|do|run|for|need|bother|with)){0,3} (?:${test})|(?:${test}) (?:is )?(?:not ` +
    'needed|unnecessary|not necessary|isnt needed|isnt necessary)'],
  ['rolling_origin', 'rolling origin(?: ~(?:backtest|backtesting|validation|evaluation))?|rolling ' +
    '(?:backtest|backtesting|validation|evaluation|cross validation|window backtest|window validation|window ' +
    'evaluation|forecast origin|windows?)|walk forward(?: (?:validation|testing|backtest|backtesting))?|sliding ' +
    'windows?(?: (?:validation|backtest|backtesting|evaluation))?|(?:time series )?cross ' +
    '(?:validation|validate|validated)|crossvalidation|tscv|several ' +
    '(?:origins|folds)|(?:backtest|backtests|backtested|test|tested|validate|validated|check|checked|evaluate|evaluated|score|scored)(?: ' +
    '(?:it|them|the|model|models|forecast|this|that|us)){0,3} (?:on|over|with|at|from|across|against|for) ' +
    '(?:several|multiple|many|various|different|\\d+)(?: different| past| historical)? ' +
    '(?:windows?|origins?|folds?|cut offs?|cutoffs?|start dates|starting point|splits?|dates|point in time|start ' +
    'point)'],
  ['expanding_window',
    '(?:expanding|growing|increasing) (?:training )?windows?(?: (?:validation|backtest|backtesting|evaluation))?'],
  ['holdout', 'hold out(?: set)?|holdout(?: set)?|held out|withhold|(?:single )?train test ' +
    'split|(?:test|validate|backtest|evaluate|check|score)(?: \\S+){0,3} (?:on|against|over|with) (?:the ' +
    `)?(?:last|final|most recent) (?:\\d+(?:\\.\\d+)? )?(?:${unitPattern}|step|period|point)|test set`]
]
const pattern = phrase(strategies.map(([name, words]) => `(?<${name}>${words})`).join('|'))
const rest = phrase(
  '(?:hold out|holdout|held out|withhold|keep|reserve|set aside) (?:the )?(?:last|final|most recent) ' +
    `(?:\\d+(?:\\.\\d+)? )?(?:${unitPattern}|step|period|point)(?: ~(?:testing|test|validation|evaluation))?`
)
const rolling = / (?:average|averages|mean|means|median|std|sum|statistics|features?) /

export const backtestRule: Rule = ({ text }) => {
  const findings: Finding[] = []
  for (const { from, to } of text.find(rest)) {
    findings.push({ field: 'backtest_strategy', value: 'holdout', from, to, weight: 1 })
  }
  for (const { from, to, groups } of text.find(pattern)) {
    const value = strategies.find(([name]) => groups[name] !== undefined)?.[0] as BacktestStrategy
    if (!rolling.test(text.keys(to, to + 1))) findings.push({ field: 'backtest_strategy', value, from, to, weight: 1 })
  }
  return findings
}
