import type { ProfiledColumn } from '../../../domain/data-profile.ts'
import { mayGroup } from '../columns/column-roles.ts'
import { filterText } from '../filter-values.ts'
import { nameParts } from '../text/fold.ts'
import type { PromptText } from '../text/prompt-text.ts'
import { unitPattern } from '../time/horizon-wish.ts'
import type { Finding, Rule } from './rule.ts'
import { isLeftOut } from './value-filters.ts'

const numberWord = /^(?:number|numbers|no|nos|nr|num|code|id|is|are|in|=|==|:|\(|\.)$/
const separator = /^(?:,|and|or|\/)$/
const counted = new RegExp(`^(?:${unitPattern}|step|period|point|interval|slot|%|forecast|prediction|ahead|-)$`)
const maxValues = 20

/**
 * `store 733`, `stores # 412 and 518`, `meter 10482`: values that are numbers, or that a number tells from the others.
 */
export const numberedValueRule: Rule = (reading) => {
  const { text } = reading
  const findings: Finding[] = []
  for (const { from, to, columns, likeness } of reading.mentions) {
    if (likeness === 'fuzzy') continue
    for (const column of columns.filter(mayGroup)) {
      const list = valuesFrom(text, to, column)
      if (list === undefined) continue
      const isOut = isLeftOut(text, from, list.to)
      const op = list.values.length === 1 ? (isOut ? 'ne' : 'eq') : isOut ? 'not_in' : 'in'
      findings.push({
        field: 'filters',
        value: [{ column: column.name, op, value: filterText(list.values) }],
        from,
        to: list.to,
        weight: 1
      })
      break
    }
  }
  return findings
}

function valuesFrom (text: PromptText, index: number, column: ProfiledColumn):
  | { values: string[], to: number }
  | undefined {
  let at = index
  while (numberWord.test(text.key(at)) && at < index + 3) at++
  const values: string[] = []
  let to = index
  while (values.length < maxValues && text.tokens[at]?.kind === 'number' && !counted.test(text.key(at + 1))) {
    const value = valueOf(text.key(at), column)
    if (value === undefined) break
    if (!values.includes(value)) values.push(value)
    to = ++at
    while (separator.test(text.key(at)) && at < to + 2) at++
  }
  return values.length === 0 ? undefined : { values, to }
}

/** The value that is this number, or the only one that has it among its parts. */
function valueOf (number: string, column: ProfiledColumn): string | undefined {
  const isNumeric = column.kind === 'number'
  // A digit or two are in too many names.
  if (!isNumeric && number.length < 3) return undefined
  return valuesByNumber(column).get(isNumeric ? `${Number(number)}` : number) ?? undefined
}

/**
 * A prompt may name a column thousands of times, and a word may fit hundreds of columns: the values of each are taken
 * apart once.
 */
const byNumber = new WeakMap<ProfiledColumn, ReadonlyMap<string, string | null>>()

/**
 * Values of a column by the numbers in them; null: several have it. A column of numbers has the first that is equal.
 */
function valuesByNumber (column: ProfiledColumn): ReadonlyMap<string, string | null> {
  const known = byNumber.get(column)
  if (known !== undefined) return known
  const found = new Map<string, string | null>()
  for (const value of column.values) {
    if (column.kind === 'number') {
      const key = `${Number(value)}`
      if (key !== 'NaN' && !found.has(key)) found.set(key, value)
    } else for (const part of new Set(nameParts(value))) found.set(part, found.has(part) ? null : value)
  }
  byNumber.set(column, found)
  return found
}
