import type { ProfiledColumn } from '../../../domain/data-profile.ts'
import type { FilterOperator } from '../../../domain/intent-values.ts'
import { phrase } from '../text/prompt-text.ts'
import type { Finding, Rule } from './rule.ts'

const operators: [FilterOperator, string][] = [
  ['between', 'between|in the range|ranges from|from'],
  ['gte', '>=|at least|no less than|not less than|greater than or equal to|minimum of|or more than'],
  ['lte', '<=|at most|no more than|not more than|less than or equal to|maximum of|up to'],
  ['gt', '>|above|over|greater than|more than|larger than|higher than|exceeds|exceeding|bigger than'],
  ['lt', '<|below|under|less than|smaller than|lower than|fewer than'],
  ['ne', '!=|<>|not equal to|not|isnt'],
  ['eq', '=|==|equals|equal to|is|are|was|equaling']
]
const pattern = phrase(
  `(?:(?:"|'|is|are|was|stays|value|were|of) )?(?:${
    operators.map(([name, words]) => `(?<${name}>${words})`).join('|')
  }) (?<number>- \\d+(?:\\.\\d+)?|\\d+(?:\\.\\d+)?)(?: %)?(?: (?:and|to|-) (?<second>\\d+(?:\\.\\d+)?))?`
)

/** `is 40 or more`. */
const openEnd =
  /^ (?:or|and) (?:(?<up>more|above|over|higher|greater|up|upwards?|larger|bigger)|less|below|under|fewer|lower|smaller) /

/** `where price > 10`, `ad_spend is between 120 and 150`: a column, an operator and a number. */
export const comparisonRule: Rule = ({ text, mentionBefore }) => {
  const findings: Finding[] = []
  for (const { from, to, groups } of text.find(pattern)) {
    const mention = mentionBefore.get(from)
    const column = mention?.columns.find(isComparable)
    if (mention === undefined || column === undefined) continue
    const op = operators.find(([name]) => groups[name] !== undefined)?.[0] as FilterOperator
    const [number, second] = [(groups['number'] as string).replace(' ', ''), groups['second']]
    if (op === 'between' && second === undefined) continue
    // Of other operators a second number belongs to what follows.
    const end = op !== 'between' && second !== undefined ? to - 2 : to
    // `calls over 3 weeks` is a horizon, `price up to 2` is not.
    if (/^ (?:second|minute|quarterhour|halfhour|hour|day|businessday|week|month|quarter|year|step|period|point|interval|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|th|st|nd|rd|of|\. ) /
      .test(text.keys(end, end + 1))) continue
    const open = op === 'eq' ? openEnd.exec(text.keys(end, end + 2)) : null
    const lead = text.keys(mention.from - 6, mention.from)
    const said = open === null ? op : open.groups?.['up'] === undefined ? 'lte' : 'gte'
    const isNegative =
      / (?:excluding|exclude|except|ignore|ignoring|drop|without|remove|leave out|skip|omit|discard) (?:(?:the|all|any|those|data|row|rows|day|week|month|record|records|reading|observation|period|point|value|where|when|with|that|which|have) ){0,4}$/
        .test(lead)
    findings.push({
      field: 'filters',
      value: [{
        column: column.name,
        op: isNegative ? opposite[said] ?? said : said,
        value: op === 'between' ? `${number},${second}` : number
      }],
      from: / (?:where|when|with|if|while|only) $/.test(lead) ? mention.from - 1 : mention.from,
      to: open === null ? end : end + 2,
      weight: 1
    })
  }
  return findings
}

const opposite: Partial<Record<FilterOperator, FilterOperator>> = {
  gt: 'lte',
  gte: 'lt',
  lt: 'gte',
  lte: 'gt',
  eq: 'ne',
  ne: 'eq'
}

function isComparable ({ kind }: ProfiledColumn): boolean {
  return kind === 'number' || kind === 'boolean'
}
