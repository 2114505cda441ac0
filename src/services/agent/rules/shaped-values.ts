import type { ProfiledColumn } from '../../../domain/data-profile.ts'
import type { PromptText } from '../text/prompt-text.ts'
import { leftOut } from './left-out.ts'
import type { Finding, Rule } from './rule.ts'

/** Written like an id, and more often something else. */
const otherwise =
  /^(?:q[1-4]|h[12]|p\d{1,2}|fy'?\d+|[cks]?w\d{1,2}|\d+(?:st|nd|rd|th|[a-z])|\d+(?:min|hr?s?|wks?|mo|yrs?|days?|pct)|v\d+|[a-z]\d?)$/i
const maxTokens = 8
const maxValues = 50

interface Run {
  text: string
  from: number
  to: number
}

/**
 * `stores 1_1 and 2_1 only`, `CC100`: words with digits that are values of a column, or are written as all of its
 * values are. What a column has no such value of is told apart, where all of its values are known.
 */
export const shapedValueRule: Rule = ({ data, text, mentionAt }) => {
  const columns = data.columns.filter(({ kind, distinct, values }) =>
    kind === 'text' && distinct > 1 && values.some((value) => /\d/.test(value))
  )
  if (columns.length === 0) return []
  const shapes = columns.map((column) => ({
    column,
    known: new Map(column.values.map((value) => [value.toLowerCase(), value])),
    shapes: new Set(column.values.map(shapeOf))
  }))
  const findings: Finding[] = []
  for (let at = 0; at < text.tokens.length;) {
    const runs = runsFrom(text, at, (from) => mentionAt.has(from))
    const [first, last] = [runs[0], runs.at(-1)]
    const [lower, shape] = first === undefined ? ['', ''] : [first.text.toLowerCase(), shapeOf(first.text)]
    const found = first === undefined
      ? undefined
      : shapes.find(({ known, shapes }) => known.has(lower) || shapes.has(shape))
    if (first === undefined || last === undefined || found === undefined) {
      at++
      continue
    }
    const { column, known } = found
    const values = runs.map((run) => known.get(run.text.toLowerCase()) ?? (isComplete(column) ? undefined : run.text))
    const [had, missing] = [[...new Set(values.filter((value) => value !== undefined))], runs.filter((_, index) =>
      values[index] === undefined
    )]
    const [isOut, to] = leftOut(text, first.from, last.to)
    const isOnly = text.key(to) === 'only'
    if (had.length > 0) {
      const op = isOut ? (had.length === 1 ? 'ne' : 'not_in') : had.length === 1 ? 'eq' : 'in'
      // What is missing keeps its words.
      findings.push({
        field: 'filters',
        value: [{ column: column.name, op, value: had.join(',') }],
        from: first.from,
        to: missing.length > 0 ? first.to : isOnly ? to + 1 : to,
        weight: 1
      })
    }
    for (const run of missing) {
      findings.push({
        field: 'unknown_rows',
        value: run.text,
        from: run.from,
        to: run.to,
        weight: 0.9
      })
    }
    at = last.to
  }
  return findings
}

/** Words with digits, one after the other: `1_1, 1_3 and 2_1`. */
function runsFrom (text: PromptText, from: number, isNamed: (index: number) => boolean): Run[] {
  const runs: Run[] = []
  for (let at = from; runs.length < maxValues;) {
    const run = runAt(text, at)
    if (run === undefined || isNamed(run.from)) break
    runs.push(run)
    at = run.to
    while (at < run.to + 2 && /^(?:and|or|,|\/)$/.test(text.key(at))) at++
    if (at === run.to) break
  }
  return runs
}

/** Tokens that touch each other, with a digit and something else among them. */
function runAt (text: PromptText, from: number): Run | undefined {
  const { tokens } = text
  if (tokens[from] === undefined || tokens[from].kind === 'mark' || tokens[from].kind === 'date' ||
    tokens[from - 1]?.end === tokens[from].start) return undefined
  let to = from + 1
  while (to < from + maxTokens && tokens[to]?.start === tokens[to - 1]?.end &&
    (tokens[to]?.kind !== 'mark' || (/^[-_/#]$/.test(text.key(to)) && tokens[to + 1]?.start === tokens[to]?.end))) to++
  const words = text.source(from, to)
  return /\d/.test(words) && /[^\d.,]/.test(words) && !otherwise.test(words) && words.length <= 64
    ? { text: words, from, to }
    : undefined
}

function isComplete ({ values, distinct }: ProfiledColumn): boolean {
  return values.length >= distinct
}

function shapeOf (value: string): string {
  return value.replaceAll(/\p{Lu}+/gu, 'A').replaceAll(/\p{Ll}+/gu, 'a').replaceAll(/\p{Nd}+/gu, '9')
}
