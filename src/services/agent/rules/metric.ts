import type { EvaluationMetric } from '../../../domain/intent-values.ts'
import { phrase } from '../text/prompt-text.ts'
import { isCorrected } from './corrections.ts'
import type { Finding, Rule } from './rule.ts'
import { isTakenBack } from './taken-back.ts'

const names: [EvaluationMetric, string][] = [
  ['SMAPE', 'smape|symmetric mape|symmetric mean absolute (?:percentage|%) error|symmetric (?:percentage|%) error'],
  ['WAPE', 'wape|wmape|volume weighted mape|weighted absolute % error|weighted mape|weighted (?:mean )?absolute ' +
    '(?:percentage|%) error|weighted (?:percentage|%) error'],
  ['MAPE',
    'mape|(?:mean |average )?absolute (?:percentage|%) error|mean (?:percentage|%) error|(?:percentage|%) error'],
  ['RMSSE', 'rmsse|root mean squared? scaled error|root mean scaled squared? error'],
  ['RMSE', 'rmse|rmsd|root mean squared? (?:error|deviation)'],
  ['MASE', 'mase|mean absolute scaled error|scaled error'],
  ['MAE', 'mae|mad|mean absolute (?:error|deviation)|average absolute error|absolute error|absolute deviation'],
  ['MSE', 'mse|mean squared? error|squared? error|least squares?'],
  ['WQL', 'wql|weighted quantile loss|quantile loss|pinball loss|pinball|crps'],
  // SQL alone is a language far more often.
  ['SQL', 'scaled quantile loss|(?:metric|score|minimi[sz]e|optimi[sz]e for)(?: (?:is|=|:|by|the))? sql']
]
const pattern = phrase(names.map(([name, words]) => `(?<${name}>${words})`).join('|'))

export const metricRule: Rule = ({ text }) => {
  const findings: Finding[] = []
  const takenBack = new Set<EvaluationMetric>()
  for (const { from, to, groups } of text.find(pattern)) {
    const name = names.find(([candidate]) => groups[candidate] !== undefined)?.[0] as EvaluationMetric
    if (isTakenBack(text, from, to)) findings.push({ field: 'none', value: null, from, to, weight: 0.8 })
    else findings.push({ field: 'evaluation_metric', value: name, from, to, weight: 1 })
    if (isTakenBack(text, from, to)) takenBack.add(name)
  }
  // `MAPE, sorry, WAPE. Not MAPE.`
  return findings.filter((finding, index) => {
    const next = findings.slice(index + 1).find(({ field }) => field === 'evaluation_metric')
    return finding.field !== 'evaluation_metric' ||
      !(takenBack.has(finding.value) || (next !== undefined && isCorrected(text, finding.to, next.from)))
  })
}
