import type { IntentFilter } from '../../../domain/forecast-intent.ts'
import { mayBeTarget } from '../columns/column-roles.ts'
import type { ValueMention } from '../columns/mentions.ts'
import { filterText } from '../filter-values.ts'
import type { PromptText } from '../text/prompt-text.ts'
import { readValues, type MentionList } from './lists.ts'
import type { Finding, Reading, Rule } from './rule.ts'

const positive =
  / (?:only|just|solely|exclusively|for|in|at|from|of|where|within|on|limited to|restricted to|filter to|filter by|filter on|focus on|focusing on|consider|is|are|=|==|equals|equal to|to|with|about|namely|like) (?:(?:only|just|the|our|my|all|both|either|"|'|\() )*$/
const negative =
  / (?:excluding|exclude|excludes|excl|excl \.|ex|ex \.|w \/ o|wo|neither|nor|except|except for|without|other than|apart from|besides|aside from|not|not in|isnt|ignore|ignoring|bar|barring|save|save for|minus|lose|cut|ditch|disregard|disregarding|discard|discarding|skipping over|excepting|excl of|exclusive of|leave out|leaving out|skip|skipping|omit|omitting|minus|drop|dropping|but|dont include|dont use|not including|not counting|no|!=|<>|remove|removing|dont forecast) (?:(?:the|our|my|all|both|either|any|those|for|in|from|of|on|"|'|\(|value|rows?|row|data|day|days|week|weeks|month|period|record|records|reading|observation|entry|entries|point|customer|customers|series|when|where|with|that|which|have|are|is|was|were) ){0,6}$/
const negativeAfter =
  /^ (?:(?:"|'|\)|and|stores?|shops?|region|series) ){0,2}(?:is |are |was |were |should be |must be |can be |may be |could be |shall be |has to be |have to be |needs to be |need to be |to be |being |be )?(?:excluded|left out|left off|taken out|kept out|stripped out|out|aside|to one side|omitted|ignored|skipped|dropped|removed|not needed|isnt needed|not wanted|not included|not required|closed|out of scope|not relevant) /
/** `Glasgow is closing so leave it out`. */
const pronounAfter =
  /^ (?:(?!\. )[^ ]+ ){0,6}?(?:so |and |, |- )(?:please |just )?(?:(?:leave|take|keep|cut|strip) (?:it|them|that one|those|these|that) (?:out|off|aside)|(?:exclude|skip|omit|ignore|drop) (?:it|them|that one|those) ?(?:(?:from|please|,|\.|and) )?)/
const tells =
  /^ (?:is|was|are|were|has been|have been|had|got|gets?) (?:(?:also|still|just|now|soon) )?(?!needed|wanted|required|interesting|missing)\S+(?:ing|ed) /
const contains =
  / (?:contains|containing|contain|like|includes|matching|starts with|starting with) (?:(?:the|word|text|"|') )*$/
const onlyAfter = /^ (?:(?:"|'|\)|please|pls|data|rows|series) ){0,2}(?:only|exclusively|alone) /

/** Values of the file that a prompt names: `only North`, `for office chairs`, `except pump-b and pump-c`. */
export const valueFilterRule: Rule = (reading) => {
  const findings: Finding[] = []
  let done = 0
  for (const mention of reading.values) {
    if (mention.from < done) continue
    const list = readValues(reading, mention.from)
    if (list === undefined) continue
    const finding = readFilter(reading, mention, list)
    if (finding !== undefined) findings.push(finding)
    // What says nothing as a list says nothing as the rest of it.
    done = finding?.to ?? list.to
  }
  return findings
}

function readFilter (reading: Reading, mention: ValueMention, list: MentionList<ValueMention>): Finding | undefined {
  const { text } = reading
  // The column beside it says which is meant: `region North`, `North region`, `status is ok`.
  const before = columnBefore(reading, mention.from)
  const after = reading.mentionAt.get(list.to)
  const named = [...before?.columns ?? [], ...after?.columns ?? []].map(({ name }) => name)
  const chosen = list.items.map(({ values }) => values.find(({ column }) => named.includes(column)) ?? values[0])
    .filter((value) => value !== undefined)
  const isBeside = chosen.some(({ column }) => named.includes(column))
  const usesAfter = after?.columns.some(({ name }) => chosen.some(({ column }) => column === name)) === true
  const first = isBeside && before?.columns.some(({ name }) => chosen.some(({ column }) => column === name)) === true
    ? before.from
    : mention.from
  const to = usesAfter && after !== undefined ? after.to : list.to
  const lead = text.keys(mention.from - 8, mention.from)
  const leadFirst = text.keys(first - 8, first)
  const isNegative = negative.test(lead) || isLeftOut(text, first, to)
  const isContained = contains.test(lead)
  const isPositive = positive.test(lead) || positive.test(leadFirst) || onlyAfter.test(text.keys(to, to + 3))
  // A word that only happens to be a value counts where it is written as the value is, as a name.
  const isName = list.items.some(({ from, values }) =>
    values.some(({ value }) =>
      /^\p{Lu}/u.test(value) && text.source(from, from + 1) === value.slice(0, text.source(from, from + 1).length) &&
      from > 0
    )
  )
  const isMarked = list.items.some(({ from, to: end, values }) =>
    values.some(({ value }) => isCode(value, text.source(from, end)) || isHeading(reading, from, end, value))
  )
  // `business trips`: what kind of what is forecast.
  const isKind =
    reading.mentionAt.get(list.to)?.columns.some((column) =>
      mayBeTarget(column) && column.name === reading.data.roles.target
    ) === true
  // `Leeds is growing` tells of it.
  if (!isNegative && !isPositive && !isBeside && !isContained && !isMarked && !isKind &&
    tells.test(text.keys(to, to + 4))) return undefined
  if (!isNegative && !isPositive && !isBeside && !isName && !isContained && !isMarked && !isKind) return undefined
  const columns = [...new Set(chosen.map(({ column }) => column))]
  const value: IntentFilter[] = columns.map((column) => {
    const values = [...new Set(chosen.filter((one) => one.column === column).map((one) => one.value))]
    const op = isContained
      ? 'contains'
      : values.length === 1
      ? (isNegative ? 'ne' : 'eq')
      : (isNegative ? 'not_in' : 'in')
    return { column, op, value: filterText(values) }
  })
  return {
    field: 'filters',
    value,
    from: Math.min(first, mention.from - 1 >= 0 && (isNegative || isPositive) ? mention.from - 1 : first),
    to,
    weight: isNegative || isBeside ? 1 : isPositive ? 0.85 : 0.6
  }
}

/** `web-01` is a name wherever it stands, and `pump-b` where it is written so. */
function isCode (value: string, source: string): boolean {
  return value.length > 3 && ((/\d/.test(value) && /\p{L}/u.test(value)) || (/[-_]/.test(value) && source === value))
}

/** `Leeds: calls for 3 weeks`. */
function isHeading ({ text }: Reading, from: number, to: number, value: string): boolean {
  return (from === 0 || text.key(from - 1) === '.') && /^(?:,|:|-)$/.test(text.key(to)) &&
    text.source(from, to) === value
}

/** Whether a prompt wants left out what these tokens name. */
export function isLeftOut (text: PromptText, from: number, to: number): boolean {
  return negative.test(text.keys(from - 8, from)) || negativeAfter.test(text.keys(to, to + 6)) ||
    pronounAfter.test(text.keys(to, Math.min(to + 11, text.sentenceEnd(to))))
}

function columnBefore (reading: Reading, index: number):
  | { columns: readonly { name: string }[], from: number }
  | undefined {
  const { text } = reading
  let at = index
  while (at > 0 && at > index - 5 &&
    /^(?:is|are|in|=|==|:|equals|to|equal|not|isnt|!=|<>|"|'|the|\(|of|contains|like|containing)$/.test(
      text.key(at - 1)
    )) at--
  return reading.mentionBefore.get(at)
}
