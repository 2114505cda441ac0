import { phrase } from '../text/prompt-text.ts'
import type { Finding, Rule } from './rule.ts'

const number = '(?:- )?\\d+(?:\\.\\d+)?'
const result = '(?:forecast|prediction|value|result|results|numbers|figures|output|it|they|them|anything|sales|demand)'
const wishes: [string, RegExp][] = [
  ['non_negative', phrase(
    '(?:non|not|no|never|nonnegative|cant be|cannot be|never be|not be|not go|without|dont go|must be|shouldnt ' +
      'be|cannot go|cant go|avoid|wont be) ?(?:any )?(?:negative|negatives|below (?:0|zero)|less than ' +
      '(?:0|zero)|under (?:0|zero)|positive)(?: (?:value|numbers|forecast|prediction))?|nonnegative|only ' +
      'positive|positive (?:value|numbers|only)|(?:at least|>=|floor (?:of|at)|not below) (?:0|zero)'
  )],
  ['integer', phrase(
    'integers?(?: (?:value|only|numbers|forecast))?|whole numbers?|(?:no|without) ' +
      '(?:decimals|fractions)|round(?:ed)? ~(?:integers?|whole numbers?|full units|whole units|nearest \\S+)|whole ' +
      'units|round numbers|count data'
  )],
  ['without weekends', phrase(
    '(?:ignore|ignoring|without|exclude|excluding|no|skip|skipping|not|leave out) (?:the |on ' +
      ')?(?:weekends?|saturdays?|sundays?)'
  )],
  ['reconciliation top_down', phrase('top down|topdown')],
  ['reconciliation bottom_up', phrase('bottom up|bottomup')],
  ['reconciliation min_trace', phrase('min trace|mint|minimum trace')],
  ['reconciliation', phrase(
    '(?:coherent|reconcile|reconciled|reconciliation|add up|adds up|sum up|sums up|consistent across (?:the ' +
      ')?(?:levels?|hierarchy))(?: (?:forecast|hierarchy|across \\S+|levels?))?'
  )]
]
const most = phrase(
  '(?:(?:capped|cap|limit|limited|ceiling|maximum|upper limit|max)(?: ' +
    `(?:${result}|of|at|to|is|the|capacity|by|=|:)){0,3}|${result} (?:must|should|can|may|cannot|cant|shouldnt|must ` +
    'not|to)? ?(?:not |never )?(?:exceed|exceeds|be above|be more than|be over|go above|go over|stay below|stay ' +
    `under|be at most|be below)) (?<number>${number})`
)
const least = phrase(
  `(?:(?:floor|minimum|lower limit|min)(?: (?:${result}|of|at|to|is|the|by|=|:)){0,3}|${result} (?:must|should|to)? ` +
    '?(?:be at least|stay above|be above|not go below|not be below|never go below|never fall below|not fall below)) ' +
    `(?<number>${number})`
)

/** Wishes without a number. */
export const namedConstraints: readonly string[] = wishes.map(([name]) => name)

/** What no field of an intent is for: `non_negative`, `integer`, `reconciliation top_down`, `max 500`. */
export const constraintRule: Rule = ({ text }) => {
  const findings: Finding[] = []
  const add = (value: string, from: number, to: number) =>
    findings.push({ field: 'user_constraints', value, from, to, weight: 0.9 })
  for (const [value, pattern] of wishes) for (const { from, to } of text.find(pattern)) add(value, from, to)
  for (const { from, to, groups } of text.find(most)) {
    if (!isLength(text.key(to))) add(`max ${(groups['number'] as string).replace(' ', '')}`, from, to)
  }
  for (const { from, to, groups } of text.find(least)) {
    if (!isLength(text.key(to))) add(`min ${(groups['number'] as string).replace(' ', '')}`, from, to)
  }
  return findings
}

function isLength (key: string): boolean {
  return /^(?:minute|hour|day|businessday|week|month|quarter|year|step|period|point|%)$/.test(key)
}
