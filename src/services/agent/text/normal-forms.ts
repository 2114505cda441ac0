import { Pattern, type PatternText } from '../phrases/pattern.ts'
import normalForms from '../words/normal-forms.json' with { type: 'json' }
import type { Token } from './tokens.ts'

/** The normal form of each spelling. After a number, German, French and Spanish spellings count too. */
const anywhere = formsBySpelling(normalForms.anywhere)
const behindNumbers = formsBySpelling(normalForms.behindNumbers)

/**
 * Fixed expressions and their normal forms, the likeliest first. `#` is the number, which may be multiplied or
 * increased by another one; `$` is the unit.
 */
const classes = new Map(Object.entries(normalForms.classes).map(([name, [...phrases]]) => [name, phrases.join(' | ')]))
const rewrites = Object.entries(normalForms.together).map(([pattern, to]) => ({
  pattern: new Pattern(pattern, classes),
  to: to.split(' ')
}))
const units = new Set(['hour', 'day', 'week', 'month', 'year'])

/** Brings units and fixed expressions into their normal form, so that phrases need to know only that one. */
export function readNormalForms (tokens: readonly Token[]): Token[] {
  return rewritten(inOneForm(rewritten(inOneForm(tokens))))
}

function inOneForm (tokens: readonly Token[]): Token[] {
  return tokens.map((token, index) => {
    if (token.kind !== 'word') return token
    const isAfterNumber = tokens[index - 1]?.kind === 'number'
    // In `2h 30m`, `m` means minutes.
    const isOfHour = token.key === 'm' && isAfterNumber && /^(?:h|hr|hrs|hours?)$/.test(tokens[index - 2]?.key ?? '')
    const key = isOfHour
      ? 'minute'
      : (isAfterNumber ? behindNumbers.get(token.key) : undefined) ?? anywhere.get(token.key)
    return key === undefined ? token : { ...token, key }
  })
}

function rewritten (tokens: readonly Token[]): Token[] {
  const text: PatternText = {
    size: tokens.length,
    key: (at) => tokens[at]?.key ?? '',
    slot: (name, at) => {
      const token = tokens[at]
      const isOne = name === 'n' ? token?.kind === 'number' : units.has(token?.key ?? '')
      return isOne && token !== undefined ? { value: token.key, to: at + 1 } : undefined
    }
  }
  const read: Token[] = []
  for (let at = 0; at < tokens.length;) {
    const token = tokens[at] as Token
    const found = candidates(token).map(({ pattern, to }) => ({ to, match: pattern.matchAt(text, at) }))
      .find(({ match }) => match !== undefined && match.to > at)
    if (found?.match === undefined) {
      read.push(token)
      at++
      continue
    }
    const covered = tokens.slice(at, found.match.to)
    const { slots } = found.match
    found.to.forEach((form, index) => {
      const key = form === '$' ? slots.at(-1) as string : withNumber(form, slots[0] as string)
      // The parts stay with the first token, for names of columns.
      read.push({
        start: token.start,
        end: (covered.at(-1) as Token).end,
        kind: /^\d/.test(key)
          ? 'number'
          : 'word',
        key,
        parts: index === 0 ? covered.flatMap(({ parts }) => parts) : []
      })
    })
    at += covered.length
  }
  return read
}

const byFirst = new Map<string, typeof rewrites>()
for (const rewrite of rewrites) {
  for (const key of rewrite.pattern.first ?? []) byFirst.set(key, [...byFirst.get(key) ?? [], rewrite])
}

function candidates ({ kind, key }: Token): typeof rewrites {
  const firsts = [...kind === 'number' ? ['<n>'] : [], key, ...units.has(key) ? ['<unit>'] : []]
  return firsts.flatMap((first) => byFirst.get(first) ?? [])
}

function withNumber (form: string, number: string): string {
  const match = /^#(?:([+*])([\d.]+))?$/.exec(form)
  if (match === null) return form
  const [, operator, operand] = match
  return operator === undefined
    ? number
    : String(operator === '+' ? Number(number) + Number(operand) : Number(number) * Number(operand))
}

function formsBySpelling (forms: Readonly<Record<string, string | string[]>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(forms).flatMap(([form, spellings]) =>
      [spellings].flat().join(' ').split(' ').map((spelling) => [spelling, form] as const)
    )
  )
}
