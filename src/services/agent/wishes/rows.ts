import type { ProfiledColumn } from '../../../domain/data-profile.ts'
import type { IntentFilter } from '../../../domain/forecast-intent.ts'
import type { FilterOperator } from '../../../domain/intent-values.ts'
import { mayBeTarget, mayGroup } from '../columns/column-roles.ts'
import { readValues } from '../columns/lists.ts'
import type { Mention, ValueMention } from '../columns/mentions.ts'
import { filterText } from '../../recommendations/filter-values.ts'
import { isRare } from '../not-used.ts'
import type { FoundPhrase } from '../phrases/phrases.ts'
import { finding, type Finding, type Reading } from '../reading.ts'
import { nameParts } from '../../../platform/text/fold.ts'
import type { PromptText } from '../text/tokens.ts'
import { isOrdinary } from '../words/word-lists.ts'

/* Which rows a forecast uses: filters by values and numbers, and rows that the data do not have. */

const opposite: Partial<Record<string, FilterOperator>> = {
  gt: 'lte',
  gte: 'lt',
  lt: 'gte',
  lte: 'gt',
  eq: 'ne',
  ne: 'eq'
}

/** Reads a column, an operator and a number: `where price > 10`, `ad_spend is between 120 and 150`. */
export function comparisonWishes (phrases: readonly FoundPhrase[], reading: Reading): Finding[] {
  return phrases.map((phrase) => {
    const [column, ...numbers] = phrase.slots as [ProfiledColumn, ...string[]]
    const op = (reading.endsBefore('leftout', phrase.from) ? opposite[phrase.value] : undefined) ?? phrase.value
    return finding('filters', [{ column: column.name, op: op as FilterOperator, value: numbers.join(',') }], phrase)
  })
}

/** Reads marked rows, such as `when the shop is open`. The prompt does not tell which value of the mark it means. */
export function markedRows (phrases: readonly FoundPhrase[], { text }: Reading): Finding[] {
  return phrases.map((phrase) => finding('unknown_rows', text.source(phrase.from, phrase.to), phrase))
}

/** Reads sums over everything, or over named rows: `add up all substations`, `summed over revenue and opex`. */
export function grandTotal ({ value, from, to, weight, slots }: FoundPhrase): Finding[] {
  if (value !== 'values') return [{ field: 'grand_total', value: null, from, to, weight }]
  const values = slots[0] as ValueMention[]
  const first = values[0]?.from ?? to
  return [{ field: 'grand_total', value: null, from, to: first, weight }, {
    field: 'filters',
    value: filtersOf(values),
    from: first,
    to,
    weight
  }]
}

export function filtersOf (mentions: readonly ValueMention[], columns: readonly string[] = [],
  ops: [FilterOperator, FilterOperator] = ['eq', 'in']): IntentFilter[] {
  const chosen = mentions.map(({ values }) => values.find(({ column }) => columns.includes(column)) ?? values[0])
    .filter((value) => value !== undefined)
  return [...new Set(chosen.map(({ column }) => column))].map((column) => {
    const values = [...new Set(chosen.filter((one) => one.column === column).map(({ value }) => value))]
    return { column, op: values.length === 1 ? ops[0] : ops[1], value: filterText(values) }
  })
}

/** Reads values of the file: `only North`, `for office chairs`, `except pump-b and pump-c`. */
export function valueFilters (reading: Reading): Finding[] {
  const findings: Finding[] = []
  let done = 0
  for (const { from } of reading.values) {
    const list = from < done ? undefined : readValues(reading, from)
    if (list === undefined) continue
    const finding = valueFilter(reading, from, list)
    if (finding !== undefined) findings.push(finding)
    // If a list has no finding, neither has the rest of it.
    done = finding?.to ?? list.to
  }
  return findings
}

function valueFilter (reading: Reading, from: number, list: { value: ValueMention[], to: number }):
  | Finding
  | undefined {
  const { text, mentionAt, data } = reading
  const unknown = list.value.find(({ values }) => values.length === 0)
  if (unknown !== undefined) {
    return finding('unknown_rows', text.source(unknown.from, unknown.to), { from, to: list.to, weight: 0.9 })
  }
  // The column next to a value tells which value is meant: `region North`, `North region`, `status is ok`.
  const [before, after] = [columnBefore(reading, from), mentionAt.get(list.to)]
  const isOf = (mention: typeof before): boolean =>
    mention?.columns.some(({ name }) =>
      list.value.some(({ values }) => values.some(({ column }) => column === name))
    ) === true
  const beside = [isOf(before) ? before : undefined, isOf(after) ? after : undefined]
  const isBeside = beside.some((mention) => mention !== undefined)
  const first = beside[0]?.from ?? from
  const to = beside[1]?.to ?? list.to
  const isOut = isLeftOut(reading, from, to) || reading.endsBefore('leftout', first)
  const isContained = reading.endsBefore('containing', from)
  const isPicked = reading.endsBefore('picked', from) || reading.endsBefore('picked', first) ||
    reading.begins('onlybehind', to)
  const isWritten = !reading.begins('told', to) && list.value.some((mention) => isMarked(reading, mention))
  // `business trips`: what kind of what is forecast.
  const isKind = after?.columns.some((column) => mayBeTarget(column) && column.name === data.roles.target) === true
  const isSaid = isOut || isPicked || isBeside || isContained || isWritten || isKind
  // An ordinary word that is also a value only counts if it is written like the value, as a name. `Leeds is growing` is
  // a statement, not a filter.
  if (!isSaid &&
    (!list.value.some((mention) => isAsWritten(text, mention)) || reading.begins('tells', to))) return undefined
  const ops: [FilterOperator, FilterOperator] = isContained
    ? ['contains', 'contains']
    : isOut
    ? ['ne', 'not_in']
    : ['eq', 'in']
  const columns = [...before?.columns ?? [], ...after?.columns ?? []].map(({ name }) => name)
  const value = filtersOf(list.value, columns, ops)
  const start = isOut || isPicked ? Math.min(first, Math.max(0, from - 1)) : first
  return { field: 'filters', value, from: start, to, weight: isOut || isBeside ? 1 : isPicked ? 0.85 : 0.6 }
}

/**
 * Whether the words must be a name: `web-01` always is one, `pump-b` if it is written exactly so. Words before a colon
 * are a heading.
 */
function isMarked ({ text }: Reading, { from, to, values }: ValueMention): boolean {
  const source = text.source(from, to)
  const isHeading = (from === 0 || text.key(from - 1) === '.') && /^(?:,|:|-)$/.test(text.key(to))
  return values.some(({ value }) =>
    (isHeading && source === value) ||
    (value.length > 3 && ((/\d/.test(value) && /\p{L}/u.test(value)) || (/[-_]/.test(value) && source === value)))
  )
}

function isAsWritten (text: PromptText, { from, values }: ValueMention): boolean {
  const source = text.source(from, from + 1)
  return from > 0 && values.some(({ value }) => /^\p{Lu}/u.test(value) && value.startsWith(source))
}

/**
 * Whether the prompt excludes what these tokens name: `except Leeds`, `Leeds excluded`, `Leeds is closing, so leave it
 * out`.
 */
function isLeftOut (reading: Reading, from: number, to: number): boolean {
  return reading.endsBefore('leftout', from) || reading.begins('isleftout', to) || reading.begins('thenleaveit', to)
}

function columnBefore (reading: Reading, index: number): Mention | undefined {
  let at = index
  while (at > 0 && at > index - 5 && reading.begins('equals', at - 1)) at--
  return reading.mentionBefore.get(at)
}

const numberWord = /^(?:number|numbers|no|nos|nr|num|code|id|is|are|in|=|==|:|\(|\.)$/
const maxValues = 50

/**
 * Reads values after their column that are numbers, or that a number identifies: `store 733`, `meters 10482 and 20917`.
 */
export function numberedValues (reading: Reading): Finding[] {
  const { text } = reading
  return reading.mentions.flatMap(({ from, to, columns, likeness }): Finding[] => {
    for (const column of likeness === 'fuzzy' ? [] : columns.filter(mayGroup)) {
      // `stores except 901`
      const except = reading.behind('without', to)
      let at = except ?? to
      while (numberWord.test(text.key(at)) && at < (except ?? to) + 3) at++
      const values = new Set<string>()
      let end = to
      while (values.size < maxValues && text.tokens[at]?.kind === 'number' && !reading.begins('counted', at + 1)) {
        const value = valueByNumber(text.key(at), column)
        if (value === undefined) break
        values.add(value)
        end = ++at
        while (/^(?:,|and|or|\/)$/.test(text.key(at)) && at < end + 2) at++
      }
      if (values.size === 0) continue
      const isOut = except !== undefined || isLeftOut(reading, from, end)
      const op = values.size === 1 ? (isOut ? 'ne' : 'eq') : isOut ? 'not_in' : 'in'
      const value = filterText([...values])
      return [finding('filters', [{ column: column.name, op, value }], { from, to: end, weight: 1 })]
    }
    return []
  })
}

/**
 * The values of each column are split only once, because a prompt may name a column thousands of times. null: several
 * values have the number.
 */
const byNumber = new WeakMap<ProfiledColumn, ReadonlyMap<string, string | null>>()

/** The value that is this number, or the only one with it among its parts. One or two digits are in too many values. */
function valueByNumber (number: string, column: ProfiledColumn): string | undefined {
  const isNumeric = column.kind === 'number'
  if (!isNumeric && number.length < 3) return undefined
  let known = byNumber.get(column)
  if (known === undefined) {
    const found = new Map<string, string | null>()
    for (const value of column.values) {
      const parts = isNumeric ? [`${Number(value)}`] : new Set(nameParts(value))
      for (const part of parts) found.set(part, found.has(part) ? null : value)
    }
    byNumber.set(column, known = found)
  }
  return known.get(isNumeric ? `${Number(number)}` : number) ?? undefined
}

/** Words that look like ids but usually have another meaning. */
const otherwise = /^(?:q[1-4]|h[12]|p\d{1,2}|fy'?\d+|[cks]?w\d{1,2}|v\d+|[a-z]\d?)$/i
const counts = /^\d+(?:st|nd|rd|th|[a-z]|min|hr?s?|wks?|mo|yrs?|days?|pct)$/i
const maxTokens = 8

/**
 * Reads words with digits that are values of a column, or have the form of all of its values: `stores 1_1 and 2_1
 * only`, `CC100`. If all values of the column are known, words that are not among them are reported separately.
 */
export function codedValues (reading: Reading): Finding[] {
  const { data, text, mentionAt } = reading
  const columns = data.columns.filter(({ kind, distinct, values }) =>
    kind === 'text' && distinct > 1 &&
    values.some((value) => /\d/.test(value))
  )
    .map((column) => ({
      column,
      known: new Map(column.values.map((value) => [value.toLowerCase(), value])),
      shapes: new Set(column.values.map(shapeOf))
    }))
  const findings: Finding[] = []
  for (let at = 0; columns.length > 0 && at < text.tokens.length;) {
    const codes: Array<{ from: number, to: number, words: string }> = []
    for (let next = at; codes.length < maxValues && !mentionAt.has(next);) {
      const code = codeAt(text, next)
      if (code === undefined) break
      codes.push(code)
      next = code.to
      while (next < code.to + 2 && /^(?:and|or|,|\/)$/.test(text.key(next))) next++
      if (next === code.to) break
    }
    const [first, last] = [codes[0], codes.at(-1)]
    const found = first === undefined || reading.begins('told', (last as typeof first).to)
      ? undefined
      : columns.find(({ known, shapes }) => known.has(first.words.toLowerCase()) || shapes.has(shapeOf(first.words)))
    if (first === undefined || last === undefined || found === undefined) {
      at++
      continue
    }
    const { column: { name, values, distinct }, known } = found
    const had = codes.map(({ words }) =>
      known.get(words.toLowerCase()) ??
        (values.length >= distinct ? undefined : words)
    )
    const missing = codes.filter((_, index) => had[index] === undefined)
    const kept = [...new Set(had.filter((value) => value !== undefined))]
    const isOut = isLeftOut(reading, first.from, last.to)
    const to = reading.behind('isleftout', last.to) ?? reading.behind('onlybehind', last.to) ?? last.to
    if (kept.length > 0) {
      const op = kept.length === 1 ? (isOut ? 'ne' : 'eq') : isOut ? 'not_in' : 'in'
      // Missing values keep their own words.
      const place = { from: first.from, to: missing.length > 0 ? first.to : to, weight: 1 }
      findings.push(finding('filters', [{ column: name, op, value: kept.join(',') }], place))
    }
    for (const code of missing) findings.push(finding('unknown_rows', code.words, { ...code, weight: 0.9 }))
    at = last.to
  }
  return findings
}

/** Reads adjacent tokens that include a digit and something else. */
function codeAt (text: PromptText, from: number): { from: number, to: number, words: string } | undefined {
  const { tokens } = text
  if (tokens[from] === undefined || tokens[from].kind === 'mark' || tokens[from].kind === 'date' ||
    tokens[from - 1]?.end === tokens[from].start) return undefined
  const goesOn = (at: number): boolean =>
    tokens[at]?.start === tokens[at - 1]?.end &&
    (tokens[at]?.kind !== 'mark' || (/^[-_/#]$/.test(text.key(at)) && tokens[at + 1]?.start === tokens[at]?.end))
  let to = from + 1
  while (to < from + maxTokens && goesOn(to)) to++
  const words = text.source(from, to)
  const isOther = otherwise.test(words) || counts.test(words) || words.length > 64
  return /\d/.test(words) && /[^\d.,]/.test(words) && !isOther
    ? { words, from, to }
    : undefined
}

function shapeOf (value: string): string {
  return value.replaceAll(/\p{Lu}+/gu, 'A').replaceAll(/\p{Ll}+/gu, 'a').replaceAll(/\p{Nd}+/gu, '9')
}

const maxNames = 3

/**
 * Finds words that are written as a name but are no known value, column or time: `only Manchester`, `in London`. A
 * question asks about them, because a forecast of everything would be something else.
 */
export function unknownNames (reading: Reading): Finding[] {
  const { data, text, mentionAt, valueAt } = reading
  if (!data.columns.some(({ kind, distinct }) => kind === 'text' && distinct > 1)) return []
  const isKnown = (key: string, at: number): boolean =>
    reading.begins('noname', at) || /^(?:q|h|fy)\d*$/.test(key) || isOrdinary(key)
  const findings: Finding[] = []
  text.tokens.forEach(({ kind, key }, at) => {
    const isNamed = mentionAt.has(at) || valueAt.has(at)
    if (kind !== 'word' || findings.length >= maxNames || isNamed || isKnown(key, at)) return
    const source = text.source(at, at + 1)
    // `harvest of spinach`
    const isOfTarget = text.key(at - 1) === 'of' && isRare(key) && reading.begins('follower', at + 1) &&
      reading.mentionBefore.get(at - 1)?.columns.some(mayBeTarget) === true
    const isCode = /^\p{Lu}{1,4}\d{1,6}$/u.test(source) && reading.endsBefore('codeof', at)
    const isName = /^\p{Lu}[\p{Ll}\p{M}]{2,}/u.test(source) && reading.endsBefore('nameof', at)
    if (!isOfTarget && !isCode && !isName) return
    findings.push({ field: 'unknown_rows', value: text.source(at - 1, at + 1), from: at, to: at + 1, weight: 0.3 })
  })
  return findings
}
