import type { Token } from './tokens.ts'

const ones = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve',
  'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen']
const tens = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']
const small = new Map([...ones.map((word, value) => [word, value] as const),
  ...tens.map((word, index) => [word, 20 + 10 * index] as const)])
const scales = new Map([['hundred', 100], ['thousand', 1000], ['million', 1_000_000]])

/** Before these words, `one` is not a number. */
const afterOne = new Set(['off', 'time', 'shot', 'another', 'of', 'that', 'which'])

/**
 * Writes numbers as digits: `twenty four` becomes `24`, `10k` becomes `10000`, `31st` becomes `31`, `2 1/2` becomes
 * `2.5`.
 */
export function readNumberWords (tokens: readonly Token[]): Token[] {
  const read: Token[] = []
  for (let index = 0; index < tokens.length;) {
    const token = tokens[index] as Token
    const found = fraction(tokens, index) ?? cardinal(tokens, index) ?? suffixed(tokens, index)
    const again = saidAgain(tokens, index + (found?.length ?? 1),
      found?.value ?? (token.kind === 'number' ? Number(token.key) : undefined))
    if (found === undefined) {
      read.push(token)
      index++
    } else {
      const last = tokens[index + found.length - 1] as Token
      read.push({
        start: token.start,
        end: last.end,
        kind: 'number',
        key: String(found.value),
        parts: tokens.slice(index, index + found.length).flatMap((part) => part.parts)
      })
      index += found.length
    }
    index += again
  }
  return read
}

/** The number of tokens of a repeated number, such as `(8)` in `eight (8) weeks`. */
function saidAgain (tokens: readonly Token[], index: number, value: number | undefined): number {
  const [open, number, close] = [tokens[index], tokens[index + 1], tokens[index + 2]]
  return value !== undefined && open?.key === '(' && number?.kind === 'number' && Number(number.key) === value &&
      close?.key === ')'
    ? 3
    : 0
}

interface Found {
  value: number
  length: number
}

function cardinal (tokens: readonly Token[], index: number): Found | undefined {
  let total = 0
  let group = 0
  let length = 0
  const start = tokens[index]?.key
  const from = (start === 'a' || start === 'an') && scales.has(tokens[index + 1]?.key ?? '') ? index + 1 : index
  if (from > index) group = 1
  for (let at = from; at < tokens.length; at++) {
    const key = (tokens[at] as Token).key
    const value = small.get(key)
    const scale = scales.get(key)
    if (value !== undefined) {
      // `two three` is two numbers, `twenty three` is one.
      const isContinued = length === 0 || (group % 100 === 0) ||
        (group % 100 >= 20 && group % 10 === 0 && value < 10 && value > 0)
      if (!isContinued || (key === 'one' && afterOne.has(tokens[at + 1]?.key ?? ''))) break
      group += value
    } else if (scale !== undefined && (length > 0 || at > index)) {
      if (scale === 100) group *= 100
      else {
        total += group * scale
        group = 0
      }
    } else break
    length = at - index + 1
  }
  return length === 0 ? undefined : { value: total + group, length }
}

const vulgar = new Map([['½', 0.5], ['¼', 0.25], ['¾', 0.75]])

/** Reads `2 1/2`, `1½`, and `1/2` before a word. */
function fraction (tokens: readonly Token[], index: number): Found | undefined {
  const token = tokens[index]
  const whole = token?.kind === 'number' && Number.isInteger(Number(token.key)) ? Number(token.key) : undefined
  const behind = whole === undefined
    ? undefined
    : vulgar.get(tokens[index + 1]?.key ?? '') ?? quotient(tokens, index + 1)
  if (whole !== undefined && behind !== undefined) {
    return { value: whole + behind, length: vulgar.has(tokens[index + 1]?.key ?? '') ? 2 : 4 }
  }
  const alone = vulgar.get(token?.key ?? '') ?? quotient(tokens, index)
  const length = vulgar.has(token?.key ?? '') ? 1 : 3
  return alone === undefined || tokens[index + length]?.kind !== 'word' ? undefined : { value: alone, length }
}

/** Reads three adjacent tokens: a number, a slash and a number from 2 to 4. */
function quotient (tokens: readonly Token[], index: number): number | undefined {
  const [over, stroke, under] = [tokens[index], tokens[index + 1], tokens[index + 2]]
  if (over?.kind !== 'number' || stroke?.key !== '/' || under?.kind !== 'number' || over.end !== stroke.start ||
    stroke.end !== under.start) return undefined
  const [a, b] = [Number(over.key), Number(under.key)]
  return [2, 3, 4].includes(b) && Number.isInteger(a) && a > 0 && a < b && tokens[index + 3]?.key !== '/'
    ? a / b
    : undefined
}

/** Reads a number with a suffix directly after it. */
function suffixed (tokens: readonly Token[], index: number): Found | undefined {
  const [token, next] = [tokens[index], tokens[index + 1]]
  if (token?.kind !== 'number' || next?.kind !== 'word' || next.start !== token.end) return undefined
  if (next.key === 'k') return { value: Number(token.key) * 1000, length: 2 }
  return ['st', 'nd', 'rd', 'th'].includes(next.key) ? { value: Number(token.key), length: 2 } : undefined
}
