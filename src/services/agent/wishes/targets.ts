import type { DataProfile, ProfiledColumn } from '../../../domain/data-profile.ts'
import { isPlausibleTarget, mayBeTarget, namesItselfTarget, plausibleTargets } from '../columns/column-roles.ts'
import { columnWords } from '../columns/column-words.ts'
import { conceptsOf } from '../words/meanings.ts'
import { readValues } from '../columns/lists.ts'
import type { Mention } from '../columns/mentions.ts'
import { isRare, notUsedLead } from '../not-used.ts'
import type { FoundPhrase } from '../phrases/phrases.ts'
import type { Finding, Reading } from '../reading.ts'
import { words } from '../words/word-lists.ts'
import { filtersOf } from './rows.ts'

/**
 * How sure it is that a name is the target: called the target, asked for, in the place of a target, or only mentioned.
 */
export const targetWeights = { said: 1, asked: 0.95, framed: 0.68, bare: 0.6 }

/** Reads targets: `predict net revenue`, `visits forecast`, `the target is headcount`. */
export function targetWishes (phrases: readonly FoundPhrase[], reading: Reading): Finding[] {
  return phrases.flatMap(({ from: start, to: stop, weight, slots }): Finding[] => {
    const mentions = slots.at(-1) as Mention[]
    const verb = reading.key(start) === 'how' ? verbBehind(reading, mentions[0] as Mention) : undefined
    return (verb === undefined ? mentions.map((mention) => headOf(reading, mention)) : [verb]).filter((mention) =>
      !reading.endsBefore('rejected', mention.from)
    )
      .map(({ from, to, columns }): Finding => {
        // `vibration as the target`
        const isSaid = weight === targetWeights.said && from === start && mentions.length === 1
        return { field: 'forecast_target', value: columns.filter(mayBeTarget), from, to: isSaid ? stop : to, weight }
      })
  })
}

/** `electricity bills` are bills. */
function headOf ({ mentionAt }: Reading, mention: Mention): Mention {
  const next = mentionAt.get(mention.to)
  return next?.columns.some(isPlausibleTarget) === true ? next : mention
}

export function unknownTargets (phrases: readonly FoundPhrase[]): Finding[] {
  return phrases.map(({ to, weight, slots }): Finding => ({
    field: 'unknown_target',
    value: slots.at(-1) as string,
    from: to - 1,
    to,
    weight
  }))
}

/**
 * `how many patients will be discharged` asks for discharges: what is counted is said by a verb that names a column.
 */
function verbBehind (reading: Reading, { to }: Mention): Mention | undefined {
  let at = to
  while (at < to + 7 && reading.begins('passive', at)) at++
  const verb = at === to ? undefined : reading.mentionAt.get(at)
  return verb?.columns.filter(mayBeTarget).length === 1 ? verb : undefined
}

/** Reads any mentioned columns. They are surer if they stand in the place of a target. */
export function mentionedTargets (reading: Reading): Finding[] {
  return reading.mentions.flatMap((mention): Finding[] => {
    const { from, to, likeness } = mention
    const framed = isFramed(reading, mention)
    const value = columnsMeant(reading, mention, framed)
    if (value.length === 0 || reading.endsBefore('rejected', from)) return []
    const weight = (framed
      ? targetWeights.framed
      : targetWeights.bare) - (likeness === 'exact' ? 0 : likeness === 'partial' ? 0.01 : 0.02)
    return [{ field: 'forecast_target', value, from, to, weight }]
  })
}

/**
 * The columns of a mention that may be the target: not constant, not mentioned in passing, and not next to a column
 * that is called the target.
 */
function columnsMeant (reading: Reading, mention: Mention, framed: boolean): ProfiledColumn[] {
  const { target } = reading.data.roles
  const columns = isVerb(reading, mention.from) ? [] : mention.columns.filter(mayBeTarget)
  if (columns.length === 0 || framed) return columns
  const mayBeAny = (target === null || !namesItselfTarget(target)) && !isAside(reading, mention)
  return columns.filter((column) => column.name === target || (mayBeAny && isPlausibleTarget(column)))
}

const maxFillers = 5
const clauseMark = /^(?:,|;|:|\(|\)|\.|-)$/

/** Whether the word follows `I` or `we`, so that it is a verb. */
function isVerb (reading: Reading, at: number): boolean {
  return /^(?:i|we)$/.test(reading.key(at - 1))
}

/** Whether a noun phrase in the place of a target ends before the token: `X for`, `X by`, `X, `, the end. */
function endsTarget (reading: Reading, to: number): boolean {
  return to >= reading.size || reading.begins('follower', to) || /^\d/.test(reading.key(to))
}

/** Whether a mention is in the place of a target: `X for the next 6 weeks`, or first in a sentence. */
function isFramed (reading: Reading, mention: Mention): boolean {
  const { from, to } = mention
  let first = from
  while (first > 0 && first > from - maxFillers && reading.begins('leadin', first - 1)) first--
  if (isVerb(reading, from)) return false
  // The target may follow a length: `twelve weeks of units sold`.
  if (reading.key(first - 1) === 'of' && reading.slot('length', first - 3)?.to === first - 1) return true
  const opens = first === 0 || reading.key(first - 1) === '.'
  return opens ? endsTarget(reading, to) : reading.begins('behindtarget', to) && !isAside(reading, mention)
}

/** Whether a mention is in passing: `when the shop is open`, `incl. price`, `promotions are planned`. */
function isAside (reading: Reading, { from, to }: Mention): boolean {
  const { text, mentionAt } = reading
  let first = from
  while (first > 0 && first > from - 12 && !clauseMark.test(text.key(first - 1))) first--
  // `which stock will we have` asks for the stock.
  if (text.key(first) === 'which' && (first === 0 || text.key(first - 1) === '.')) first++
  // In `price and promotions are planned`, both are in passing.
  let end = to
  for (let more = 0; more < 10 && /^(?:and|,|or)$/.test(text.key(end)) &&
    mentionAt.has(end + 1); more++) end = (mentionAt.get(end + 1) as Mention).to
  for (let at = first; at < from; at++) if (reading.begins('subordinate', at)) return true
  return reading.begins('statement', end)
}

/**
 * What stands where a prompt says in so many words what shall be forecast (`forecast X`, `the target is X`, what a
 * sentence begins with) and is no column that can be forecast: a column of text, a value of a column, or nothing of
 * the file.
 */
export function placedTargets (reading: Reading): Finding[] {
  return targetPlaces(reading).flatMap((place): Finding[] => {
    const { from } = place
    const mention = firstMention(reading, from)
    if (mention !== undefined) return unusableTarget(reading, mention, place)
    return reading.valueAt.has(from) ? valueTarget(reading, place) : unplacedTarget(reading, place)
  })
}

/**
 * `isSure`: the words are the target, whatever they are. `isQuestion`: people ask in words of their own: `how many X
 * will we have`.
 */
interface TargetPlace {
  from: number
  isSure: boolean
  isQuestion: boolean
}

function targetPlaces (reading: Reading): TargetPlace[] {
  const places = new Map<number, { isSure: boolean, isQuestion: boolean }>()
  for (let at = 0; at < reading.size; at++) {
    const isFirst = at === 0 || reading.key(at - 1) === '.'
    if (isFirst && !places.has(at)) places.set(at, { isSure: false, isQuestion: false })
    const asked = reading.behind('questions', at)
    if (asked !== undefined) places.set(asked, { isSure: true, isQuestion: true })
    const said = reading.behind('places', at)
    // `dear forecasting desk` and `our forecast team` are people.
    if (said !== undefined &&
      !(said === at + 1 && reading.endsBefore('addressed', at))) places.set(said, { isSure: true, isQuestion: false })
  }
  return [...places].map(([at, place]) => {
    let from = at
    while (from < at + maxFillers && reading.begins('leadin', from)) from++
    return { from, ...place }
  }).filter(({ from }) => from < reading.size && !isVerb(reading, from))
}

/** The first mention in the place of the target that does more than name the series: `hotel ADR`, `all stores`. */
function firstMention ({ mentionAt }: Reading, from: number): Mention | undefined {
  let mention = mentionAt.get(from)
  for (let next = mention; next !== undefined && next.to < from + 4; next = mentionAt.get(next.to)) mention = next
  return mention
}

function unusableTarget (reading: Reading, mention: Mention, { from, isSure }: TargetPlace): Finding[] {
  const { mentionAt } = reading
  const isUsable = mention.columns.some(mayBeTarget)
  // `rooms sold and ADR EUR` are two targets.
  const other = !isUsable
    ? mention
    : /^(?:and|or|plus)$/.test(reading.key(mention.to))
    ? mentionAt.get(mention.to + 1)
    : undefined
  if (other === undefined) return []
  const isPlaced = isUsable ||
      isSure
    ? endsTarget(reading, other.to)
    : other.from === from && reading.begins('behindtarget', other.to)
  const value = isPlaced ? unusable(reading, other) : undefined
  return value === undefined ? [] : [{ field: 'unusable_target', value, from: other.from, to: other.to, weight: 0.95 }]
}

function unusable ({ data, text, valueAt }: Reading, { from, to, columns, likeness }: Mention):
  | ProfiledColumn
  | undefined {
  if (likeness === 'synonym' || likeness === 'fuzzy' || valueAt.has(from) || columns.some(mayBeTarget)) return undefined
  // `forecast the regions` means all of them.
  const isPlural = text.key(to - 1).endsWith('s') && text.tokens[to - 1]?.parts.at(-1)?.endsWith('s') !== true
  return columns.find((column) =>
    !namesSeries(column, data) &&
    !(isPlural && column.kind === 'text' && column.isStatic)
  )
}

/**
 * Whether a column names series or times: `forecast the stores` means the series, and `forecast the date` means
 * nothing.
 */
function namesSeries ({ name, kind }: ProfiledColumn, { roles, series }: DataProfile): boolean {
  return kind === 'timestamp' || name === roles.timestamp || name === roles.itemId ||
    series?.hierarchyColumns.includes(name) === true
}

/**
 * Reads a value in the place of the target as a filter: in `Revenue by cost center for 6 months`, Revenue may be a
 * value of the column `account`.
 */
function valueTarget (reading: Reading, { from, isSure }: TargetPlace): Finding[] {
  if (words.function.has(reading.key(from)) || words.grammar.has(reading.key(from))) return []
  const list = readValues(reading, from)
  const ends = list !== undefined &&
    (endsTarget(reading, list.to) ||
      (!isSure && (reading.begins('behindtarget', list.to) || reading.mentionAt.has(list.to))))
  if (list === undefined || !ends) return []
  return [{
    field: 'filters',
    value: filtersOf(list.value),
    from,
    to: reading.key(list.to) === 'only'
      ? list.to + 1
      : list.to,
    weight: 0.84
  }]
}

/** General words that people use for any target. */
const plain = new Set(['money', 'units', 'energy', 'traffic', 'calls'])
const maxWords = 4

/**
 * Finds words in the place of the target that name nothing in the file: `profit for the next year` without such a
 * column.
 */
function unplacedTarget (reading: Reading, { from, isSure, isQuestion }: TargetPlace): Finding[] {
  const { data, text } = reading
  const { target } = data.roles
  const to = endOfWords(reading, from)
  if (target === null || to === undefined) return []
  // `snow depth (Schneehöhe)`, `the milk forecast (MILK-1L)`: what stands in brackets is what they mean.
  const isExplained = [to, to + 1].some((at) =>
    text.key(at) === '(' && (reading.mentionAt.has(at + 1) || reading.valueAt.has(at + 1))
  )
  if (isExplained) return []
  // A column that is called the target is whatever people call it.
  if (namesItselfTarget(target)) {
    return endsTarget(reading, to)
      ? [{ field: 'none', value: null, from, to, weight: 0.3 }]
      : []
  }
  if (!isSure && !reading.begins('behindtarget', to)) return []
  const head = text.tokens[to - 1]?.parts.at(-1) ?? ''
  const said = text.source(from, to).slice(0, 60)
  // `how many people will come` may mean any target.
  if (isQuestion && !isOther(head, data)) return []
  if (plausibleTargets(data).length > 1 ||
    isOther(head, data)) return [{ field: 'unplaced_target', value: said, from, to, weight: 0.3 }]
  return conceptsOf(head).some((concept) => plain.has(concept))
    ? []
    : [{ field: 'user_constraints', value: `${notUsedLead}${said}`, from, to, weight: 0.3 }]
}

/**
 * The end of the words in the place of the target; undefined if one of them is a name in the data, or all are everyday
 * words.
 */
function endOfWords (reading: Reading, from: number): number | undefined {
  const { text, mentions, values } = reading
  const isWord = (at: number): boolean =>
    text.tokens[at]?.kind === 'word' && !reading.begins('nounend', at) &&
    !reading.begins('behindtarget', at)
  let to = from
  while (to < from + maxWords && isWord(to)) to++
  let last = to
  while (last > from && !isRare(text.key(last - 1))) last--
  const isNamed = [...mentions, ...values].some((mention) => mention.from < to && mention.to > from)
  return isNamed || last === from || isWord(to) ? undefined : last
}

/** Whether a word has another meaning than the target's name: `profit` is not `units_sold`. */
function isOther (word: string, { columns, roles }: DataProfile): boolean {
  const column = columns.find(({ name }) => name === roles.target)
  const [said, had] = [conceptsOf(word), column === undefined
    ? []
    : columnWords(column).flatMap((part) => conceptsOf(part))]
  return said.length > 0 && had.length > 0 && !said.some((concept) => had.includes(concept))
}

const numberLike = /^[-+(]?[\p{Sc}]?\s?\d[\d.,'\s\u00a0]*\s?[\p{Sc}%)]?$/u

/** Why a column cannot be forecast, in one or two sentences. */
export function whyUnusable ({ name, kind, values, isStatic }: ProfiledColumn): string {
  const example = values.find((value) => value !== '')
  const [lead, such] = [`The column "${name}" cannot be forecast:`, example === undefined
    ? ''
    : `, such as '${example.slice(0, 40)}'`]
  if (kind === 'empty') return `${lead} it has no values.`
  if (kind === 'boolean') return `${lead} its values are true and false, and not numbers.`
  if (kind === 'number' && isStatic) return `${lead} it has one value in each series.`
  if (values.length > 0 &&
    values.filter((value) => value === '' || numberLike.test(value)).length > values.length / 2) {
    const how = 'Write numbers with a decimal point and without thousands separators; leave missing values empty.'
    return `${lead} its values are text and not numbers${such}. ${how}`
  }
  return `${lead} its values are not numbers${such}.`
}
