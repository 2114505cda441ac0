import { en } from 'chrono-node'
import type { PromptText } from '../text/prompt-text.ts'
import { day, dayMs, daysInMonth } from './civil-time.ts'

/** Days of the calendar that a prompt names, and the token after them. */
export interface Period {
  first: Date
  last: Date
  to: number
}

const monthNames = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december']
const shortMonths = new Map(monthNames.flatMap((name, index) => [[name, index], [name.slice(0, 3), index]] as [string, number][]))
shortMonths.set('sept', 8)
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const quarterNumber: Record<string, number> = { first: 1, second: 2, third: 3, fourth: 4, last: 4, 1: 1, 2: 2, 3: 3, 4: 4 }
const ordinals: Record<string, number> = { first: 1, second: 2, third: 3, fourth: 4, 1: 1, 2: 2, 3: 3, 4: 4, '1st': 1, '2nd': 2, '3rd': 3, '4th': 4 }
/** Keys that a date may need after its first: `31 december , 2024`. */
const dateTokens = 5

/** The period that is named from a token on: `q3 2025`, `june`, `the end of march`, `31 december 2024`, `2025`, `christmas`. Without a year the next one after `end`. */
export function readPeriod (text: PromptText, index: number, end: Date): Period | undefined {
  const part = readPart(text, index, end)
  if (part !== undefined) return part
  let at = index
  while (/^(?:the|all|of|whole|entire|full|complete|and|including|inclusive|start|beginning|mid|middle|end|late|early|month|year|calendar|fiscal)$/.test(text.key(at))) at++
  const skipped = text.keys(index, at)
  const period = readDate(text, at, end) ?? readQuarter(text, at, end) ?? readHalf(text, at, end) ?? readMonth(text, at, end) ?? readYear(text, at) ?? readFeast(text, at, end) ?? readRelative(text, at, end)
  if (period === undefined) return undefined
  const length = period.last.getTime() - period.first.getTime()
  if (/ (?:start|beginning) of /.test(skipped)) return { ...period, last: period.first }
  if (/ mid(?:dle of)? /.test(skipped) && length > 7 * dayMs) return { ...period, last: new Date(period.first.getTime() + Math.round(length / 2 / dayMs) * dayMs) }
  return period
}

/** `the first week of november`, `second half of october`, `the last 10 days of march`, `early may`: a part of a month, a quarter or a year. */
function readPart (text: PromptText, index: number, end: Date): Period | undefined {
  const match = /^ (?:the )?(?:(first|second|third|fourth|last|1|2|3|4|1st|2nd|3rd|4th) (week|half|third)|(first|last) (\d{1,2}) (day|week)|(early|late)) (?:(?:of|in) )?(?:the )?/.exec(text.keys(index, index + 7))
  if (match === null) return undefined
  const [words, ordinal, unit, edge, count, countUnit, vague] = match
  const at = index + words.trim().split(' ').length
  const whole = readQuarter(text, at, end) ?? readHalf(text, at, end) ?? readMonth(text, at, end) ?? (text.key(at - 1) === 'of' ? readYear(text, at) : undefined)
  if (whole === undefined) return undefined
  const days = Math.round((whole.last.getTime() - whole.first.getTime()) / dayMs) + 1
  const length = vague !== undefined ? Math.round(days / 3) : count !== undefined ? Number(count) * (countUnit === 'week' ? 7 : 1) : unit === 'week' ? 7 : Math.floor(days / (unit === 'half' ? 2 : 3))
  const isLast = edge === 'last' || ordinal === 'last' || vague === 'late'
  const number = ordinals[ordinal ?? ''] ?? 1
  // The second half is all that the first leaves.
  const from = isLast ? Math.max(0, days - length) : Math.min((number - 1) * length, days - 1)
  const isRest = isLast || (unit === 'half' && number === 2)
  const first = new Date(whole.first.getTime() + from * dayMs)
  return { first, last: isRest ? whole.last : new Date(Math.min(whole.last.getTime(), first.getTime() + (length - 1) * dayMs)), to: whole.to }
}

function readDate (text: PromptText, at: number, end: Date): Period | undefined {
  const token = text.tokens[at]
  if (token === undefined || !(token.kind === 'date' || token.kind === 'number' || shortMonths.has(token.key))) return undefined
  const partial = /^(\d{4})-?(?:(\d{2})|q([1-4]))$/.exec(token.key)
  if (partial !== null) {
    const year = Number(partial[1])
    return partial[2] === undefined ? quarter(year, Number(partial[3]), at + 1) : month(year, Number(partial[2]) - 1, at + 1)
  }
  if (token.kind !== 'date' && !isDayOfMonth(text, at)) return undefined
  const source = text.source(at, Math.min(at + dateTokens, text.tokens.length)).slice(0, 60)
  const found = en.strict.parse(source, { instant: end, timezone: 0 })[0]
  if (found === undefined || found.index > 0 || !found.start.isCertain('day') || !found.start.isCertain('month')) return undefined
  const [monthIndex, date] = [(found.start.get('month') as number) - 1, found.start.get('day') as number]
  let year = found.start.isCertain('year') ? found.start.get('year') as number : end.getUTCFullYear()
  if (!found.start.isCertain('year') && day(year, monthIndex, date).getTime() < end.getTime()) year++
  const stop = token.start + found.text.length
  let to = at + 1
  while (to < text.tokens.length && (text.tokens[to] as { start: number }).start < stop) to++
  return { first: day(year, monthIndex, date), last: day(year, monthIndex, date), to }
}

/** `31 december`, `the 5th of june`, `march 20`: a month alone needs no reading of a date. */
function isDayOfMonth (text: PromptText, at: number): boolean {
  const isDay = (key: string): boolean => /^(?:[1-9]|[12]\d|3[01])$/.test(key)
  return shortMonths.has(text.key(at)) ? isDay(text.key(at + 1)) : isDay(text.key(at)) && (shortMonths.has(text.key(at + 1)) || shortMonths.has(text.key(at + 2)))
}

function readQuarter (text: PromptText, at: number, end: Date): Period | undefined {
  const named = /^q([1-4])$/.exec(text.key(at))?.[1]
  const spoken = quarterNumber[text.key(at)] !== undefined && text.key(at + 1) === 'quarter' ? quarterNumber[text.key(at)] : undefined
  const number = named === undefined ? spoken : Number(named)
  if (number === undefined) return undefined
  const after = at + (named === undefined ? 2 : 1)
  const { year, to } = yearAfter(text, after)
  return quarter(year ?? nextYear((candidate) => quarter(candidate, number, to).last, end), number, to)
}

function readHalf (text: PromptText, at: number, end: Date): Period | undefined {
  const number = /^h([12])$/.exec(text.key(at))?.[1]
  if (number === undefined) return undefined
  const { year, to } = yearAfter(text, at + 1)
  const half = (of: number): Period => ({ first: day(of, number === '1' ? 0 : 6, 1), last: number === '1' ? day(of, 5, 30) : day(of, 11, 31), to })
  return half(year ?? nextYear((candidate) => half(candidate).last, end))
}

function readMonth (text: PromptText, at: number, end: Date): Period | undefined {
  const index = shortMonths.get(text.key(at))
  if (index === undefined) return undefined
  const { year, to } = yearAfter(text, at + 1)
  return month(year ?? nextYear((candidate) => month(candidate, index, to).last, end), index, to)
}

function readYear (text: PromptText, at: number): Period | undefined {
  const { year, to } = yearAfter(text, at)
  return year === undefined ? undefined : { first: day(year, 0, 1), last: day(year, 11, 31), to }
}

function readFeast (text: PromptText, at: number, end: Date): Period | undefined {
  const key = text.key(at)
  const [date, words] = key === 'christmas' || key === 'xmas' ? [25, text.key(at + 1) === 'eve' ? 2 : 1] : / new year(?: eve)? /.test(text.keys(at, at + 3)) ? [31, text.key(at + 2) === 'eve' ? 3 : 2] : [0, 0]
  if (words === 0) return undefined
  const { year, to } = yearAfter(text, at + words)
  const last = day(year ?? nextYear((candidate) => day(candidate, 11, date), end), 11, words === 2 && date === 25 ? 24 : date)
  return { first: last, last, to }
}

/** `sunday`, `this year`, `next quarter`. */
function readRelative (text: PromptText, at: number, end: Date): Period | undefined {
  const named = weekdays.indexOf(text.key(at))
  if (named >= 0) {
    // The next one after the data.
    const last = day(end.getUTCFullYear(), end.getUTCMonth(), end.getUTCDate() + ((named - end.getUTCDay() + 6) % 7) + 1)
    return { first: last, last, to: at + 1 }
  }
  const [first, unit] = [text.key(at), text.key(at + 1)]
  if (!['this', 'current', 'next', 'following'].includes(first)) return undefined
  const ahead = first === 'next' || first === 'following' ? 1 : 0
  const [year, monthIndex] = [end.getUTCFullYear(), end.getUTCMonth()]
  const to = at + 2
  if (unit === 'year') return { first: day(year + ahead, 0, 1), last: day(year + ahead, 11, 31), to }
  if (unit === 'month') return month(year, monthIndex + ahead, to)
  if (unit === 'quarter') return quarter(year, Math.floor(monthIndex / 3) + 1 + ahead, to)
  if (unit !== 'week') return undefined
  // Weeks end on Sundays.
  const last = day(year, monthIndex, end.getUTCDate() + ((7 - end.getUTCDay()) % 7) + 7 * ahead)
  return { first: new Date(last.getTime() - 6 * dayMs), last, to }
}

function yearAfter (text: PromptText, at: number): { year?: number, to: number } {
  let next = at
  while (/^(?:of|,|in)$/.test(text.key(next)) && next < at + 2) next++
  if (text.key(next) === "'") next++
  const key = text.key(next)
  if (/^(?:19|20)\d{2}$/.test(key) && text.tokens[next]?.kind === 'number') return { year: Number(key), to: next + 1 }
  return /^\d{2}$/.test(key) && text.key(next - 1) === "'" ? { year: 2000 + Number(key), to: next + 1 } : { to: at }
}

/** The first year in which a period ends after `end`. */
function nextYear (last: (year: number) => Date, end: Date): number {
  const year = end.getUTCFullYear()
  return last(year).getTime() > end.getTime() ? year : year + 1
}

function quarter (year: number, number: number, to: number): Period {
  return { first: day(year, number * 3 - 3, 1), last: day(year, number * 3, 0), to }
}

function month (year: number, index: number, to: number): Period {
  const first = day(year, index, 1)
  return { first, last: day(first.getUTCFullYear(), first.getUTCMonth(), daysInMonth(first.getUTCFullYear(), first.getUTCMonth())), to }
}
