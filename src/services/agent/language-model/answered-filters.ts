import type { DataProfile, ProfiledColumn } from '../../../domain/data-profile.ts'
import type { IntentFilter } from '../../../domain/forecast-intent.ts'
import type { FilterOperator } from '../../../domain/intent-values.ts'
import { filterText } from '../../recommendations/filter-values.ts'
import { fold } from '../../../platform/text/fold.ts'
import type { PromptText } from '../text/tokens.ts'

export interface AnsweredFilter {
  column: string
  op: FilterOperator
  values: string[]
}

const maxFilters = 10
const maxValues = 50
const maxValueLength = 100
const ordered = new Set<FilterOperator>(['gt', 'gte', 'lt', 'lte', 'between'])
const several = new Set<FilterOperator>(['in', 'not_in'])

/**
 * Keeps filters whose values the file has, in its spelling. For columns with more values than the profile knows, values
 * from the prompt count too. Other filters are left out.
 */
export function readFilters (filters: readonly AnsweredFilter[], data: DataProfile, prompt: string): IntentFilter[] {
  return filters.slice(0, maxFilters).flatMap(({ column: name, op, values: given }) => {
    const column = data.columns.find((one) => one.name === name)
    if (column === undefined || !fitsNumber(op, given.length)) return []
    const values = given.map((value) => readValue(value.trim(), op, column, data, prompt)).filter((value) =>
      value !== undefined
    )
    return values.length === given.length ? [{ column: name, op, value: filterText(values) }] : []
  })
}

function fitsNumber (op: FilterOperator, count: number): boolean {
  return several.has(op) ? count >= 1 && count <= maxValues : count === (op === 'between' ? 2 : 1)
}

function readValue (value: string, op: FilterOperator, column: ProfiledColumn, data: DataProfile, prompt: string):
  | string
  | undefined {
  if (value === '' || value.length > maxValueLength) return undefined
  if (op === 'contains') {
    return column.kind === 'text' && isOfPrompt(value, prompt) && canContain(column, value)
      ? value
      : undefined
  }
  if (column.kind === 'timestamp') return isPastTime(value, data) ? value : undefined
  if (column.kind === 'number') {
    return isNumber(value) &&
        (ordered.has(op) || !knowsAll(column) || column.values.some((known) => Number(known) === Number(value)))
      ? value
      : undefined
  }
  if (ordered.has(op)) return undefined
  const known = column.values.find((other) => other === value) ??
    column.values.find((other) => fold(other) === fold(value))
  return known ?? (!knowsAll(column) && isOfPrompt(value, prompt) ? value : undefined)
}

function knowsAll ({ values, distinct }: ProfiledColumn): boolean {
  return values.length >= distinct
}

function canContain (column: ProfiledColumn, part: string): boolean {
  return !knowsAll(column) || column.values.some((known) => fold(known).includes(fold(part)))
}

/** Whether the value is in the prompt and has no invisible characters. */
function isOfPrompt (value: string, prompt: string): boolean {
  return prompt.includes(value) && !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(value)
}

function isNumber (value: string): boolean {
  return /^-?\d{1,15}(?:\.\d{1,10})?$/.test(value)
}

/** Whether the value is a time within the data; later rows are the forecast. */
function isPastTime (value: string, { series }: DataProfile): boolean {
  const time = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?Z?)?$/.test(value) ? Date.parse(value) : NaN
  return series !== null && time <= Date.parse(series.end)
}

const maxQuoteLength = 200

/** The tokens of these words in the prompt; undefined if the prompt does not have them. */
export function quotedWords (text: PromptText, words: string): { from: number, to: number } | undefined {
  const wanted = words.trim()
  if (wanted === '' || wanted.length > maxQuoteLength) return undefined
  const start = indexOf(text.original, wanted)
  if (start < 0) return undefined
  const stop = start + wanted.length
  const from = text.tokens.findIndex((token) => token.start >= start)
  const to = text.tokens.findLastIndex((token) => token.end <= stop) + 1
  return from < 0 || to <= from ? undefined : { from, to }
}

/** Ignores case, if that does not change the length of the texts. */
function indexOf (text: string, words: string): number {
  const [lower, wanted] = [text.toLowerCase(), words.toLowerCase()]
  return lower.length === text.length && wanted.length === words.length ? lower.indexOf(wanted) : text.indexOf(words)
}
