import { en } from 'chrono-node'
import type { PromptText } from '../text/prompt-text.ts'
import { day, dayMs, daysInMonth, startOfDay } from './civil-time.ts'
import { findFeast } from './feasts.ts'
import { readClock } from './read-clock.ts'
import { readDatedWeek, readNumberedWeek } from './read-week.ts'

/** A period of calendar days that a prompt names, and the token after it. */
export interface Period {
  first: Date
  last: Date
  to: number
  /** The exact moment, if the prompt names a day with a time. */
  time?: Date
  /** The period is a week. */
  isWeek?: true
}

const monthNames = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october',
  'november', 'december']
const shortMonths = new Map(
  monthNames.flatMap((name, index) => [[name, index], [name.slice(0, 3), index]] as [string, number][])
)
shortMonths.set('sept', 8)
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const quarterNumber: Record<string, number> = {
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  last: 4,
  1: 1,
  2: 2,
  3: 3,
  4: 4
}
const ordinals: Record<string, number> = {
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  1: 1,
  2: 2,
  3: 3,
  4: 4,
  '1st': 1,
  '2nd': 2,
  '3rd': 3,
  '4th': 4
}
/** The maximum number of words before a period that tell which part of it is meant. */
const mostSkipped = 8
/** How many keys a date may need after its first one: `31 december , 2024`. */
const dateTokens = 5

/**
 * Reads the period that is named from a token on: `q3 2025`, `june`, `the end of march`, `31 december 2024 at 9:00`,
 * `week 50`, `2025`, `christmas`. Without a year, the next one after `end` is meant.
 */
export function readPeriod (text: PromptText, index: number, end: Date): Period | undefined {
  // The time may come before the day: `9 am on 10 april`.
  const clock = readClock(text, index)
  const at = clock !== undefined && /^(?:on|of|,|at)$/.test(text.key(clock.to)) ? clock.to + 1 : clock?.to ?? index
  const period = readDays(text, at, end)
  if (period === undefined || period.time !== undefined || period.first.getTime() !== period.last.getTime()) {
    return clock === undefined ? period : undefined
  }
  const after = clock ?? readClock(text, period.to)
  return after === undefined
    ? period
    : { ...period, to: Math.max(after.to, period.to), time: new Date(period.first.getTime() + after.minutes * 60_000) }
}

function readDays (text: PromptText, index: number, end: Date): Period | undefined {
  const part = readPart(text, index, end)
  if (part !== undefined) return part
  let at = index
  while (at < index + mostSkipped &&
    /^(?:the|all|of|whole|entire|full|complete|and|including|inclusive|start|beginning|mid|middle|end|late|early|month|year|calendar|fiscal|fy)$/
      .test(text.key(at)) &&
    (text.key(at) !== 'fy' || text.key(at + 1) === 'end') && text.keys(at + 1, at + 3) !== ' after next ') at++
  const skipped = text.keys(index, at)
  // `next march` means the one after the data, like `march`.
  if (/^(?:next|coming|upcoming|following|this)$/.test(text.key(at)) &&
    (isCalendarName(text.key(at + 1)) || findFeast(text.keys(at + 1, at + 4)) !== undefined)) at++
  const period = readWeek(text, at, end) ?? readDate(text, at, end) ?? readQuarter(text, at, end) ??
    readHalf(text, at, end) ?? readMonth(text, at, end) ?? readYear(text, at) ?? readOrdinal(text, at, end) ??
    readFeast(text, at, end) ?? readRelative(text, at, end)
  if (period === undefined) return undefined
  const length = period.last.getTime() - period.first.getTime()
  if (/ (?:start|beginning) of /.test(skipped)) return { first: period.first, last: period.first, to: period.to }
  if (/ mid(?:dle of)? /.test(skipped) && length > 7 * dayMs) {
    return { ...period, last: new Date(period.first.getTime() + Math.round(length / 2 / dayMs) * dayMs) }
  }
  return period
}

/**
 * Reads a part of a month, a quarter or a year: `the first week of november`, `second half of october`, `the last 10
 * days of march`, `early may`.
 */
function readPart (text: PromptText, index: number, end: Date): Period | undefined {
  if (!/^(?:the|first|second|third|fourth|last|[1-4]|[1-4](?:st|nd|rd|th)|early|late)$/.test(text.key(index))) {
    return undefined
  }
  const match =
    /^ (?:the )?(?:(first|second|third|fourth|last|1|2|3|4|1st|2nd|3rd|4th) (week|half|third)|(first|last) (\d{1,2}) (day|week)|(early|late)) (?:(?:of|in) )?(?:the )?/
      .exec(text.keys(index, index + 7))
  if (match === null) return undefined
  const [words, ordinal, unit, edge, count, countUnit, vague] = match
  if (ordinal !== undefined && !isOrdinal(text, / the /.test(words) ? index + 1 : index)) return undefined
  const at = index + words.trim().split(' ').length
  const whole = readQuarter(text, at, end) ?? readHalf(text, at, end) ?? readMonth(text, at, end) ??
    (text.key(at - 1) === 'of' ? readYear(text, at) : undefined)
  if (whole === undefined) return undefined
  const days = Math.round((whole.last.getTime() - whole.first.getTime()) / dayMs) + 1
  const length = vague !== undefined
    ? Math.round(days / 3)
    : count !== undefined
    ? Number(count) * (countUnit === 'week' ? 7 : 1)
    : unit === 'week'
    ? 7
    : Math.floor(days / (unit === 'half' ? 2 : 3))
  const isLast = edge === 'last' || ordinal === 'last' || vague === 'late'
  const number = ordinals[ordinal ?? ''] ?? 1
  // The second half is everything after the first one.
  const from = isLast ? Math.max(0, days - length) : Math.min((number - 1) * length, days - 1)
  const isRest = isLast || (unit === 'half' && number === 2)
  const first = new Date(whole.first.getTime() + from * dayMs)
  return {
    first,
    last: isRest ? whole.last : new Date(Math.min(whole.last.getTime(), first.getTime() + (length - 1) * dayMs)),
    to: whole.to
  }
}

function isCalendarName (key: string): boolean {
  return shortMonths.has(key) || weekdays.includes(key) || /^q[1-4]$/.test(key)
}

function readWeek (text: PromptText, at: number, end: Date): Period | undefined {
  if (!/^(?:iso|week|w|wc|(?:cw|kw|wk|w)\d{1,2}|cw|kw|wk|(?:19|20)\d{2})$/.test(text.key(at))) return undefined
  const week = readNumberedWeek(text, at, end, (after) => yearAfter(text, after, end)) ??
    readDatedWeek(text, at, (after) => readDate(text, after, end) ?? readOrdinal(text, after, end))
  return week === undefined ? undefined : { ...week, isWeek: true }
}

/** Reads `the 15th`, of this month or the next one. */
function readOrdinal (text: PromptText, at: number, end: Date): Period | undefined {
  const date = /^(\d{1,2})(?:st|nd|rd|th)$/.exec(text.source(at, at + 1).toLowerCase())?.[1]
  if (date === undefined || Number(date) < 1 || Number(date) > 31) return undefined
  const isAhead = Number(date) > end.getUTCDate()
  const [year, month] = [end.getUTCFullYear(), end.getUTCMonth() + (isAhead ? 0 : 1)]
  const last = day(year, month, Math.min(Number(date), daysInMonth(year, month)))
  return { first: last, last, to: at + 1 }
}

function readDate (text: PromptText, at: number, end: Date): Period | undefined {
  const token = text.tokens[at]
  if (token === undefined || !(token.kind === 'date' || token.kind === 'number' || shortMonths.has(token.key))) {
    return undefined
  }
  const partial = /^(\d{4})-?(?:(\d{2})|q([1-4]))$/.exec(token.key)
  if (partial !== null) {
    const year = Number(partial[1])
    return partial[2] === undefined
      ? quarter(year, Number(partial[3]), at + 1)
      : month(year, Number(partial[2]) - 1, at + 1)
  }
  if (token.kind !== 'date' && !isDayOfMonth(text, at)) return undefined
  const source = text.source(at, Math.min(at + dateTokens, text.tokens.length)).slice(0, 60)
  const found = en.strict.parse(source, { instant: end, timezone: 0 })[0]
  if (found === undefined || found.index > 0 || !found.start.isCertain('day') || !found.start.isCertain('month')) {
    return undefined
  }
  const [monthIndex, date] = [(found.start.get('month') as number) - 1, found.start.get('day') as number]
  const stop = token.start + found.text.length
  let to = at + 1
  while (to < text.tokens.length && (text.tokens[to] as { start: number }).start < stop) to++
  const spoken = found.start.isCertain('year') ? { to } : yearAfter(text, to, end)
  let year = found.start.isCertain('year') ? found.start.get('year') as number : spoken.year ?? end.getUTCFullYear()
  // A date before the last day of the data belongs to the next year; that last day itself does not.
  if (!found.start.isCertain('year') && spoken.year === undefined &&
    day(year, monthIndex, date).getTime() < startOfDay(end).getTime()) year++
  const first = day(year, monthIndex, date)
  const period = { first, last: first, to: spoken.to }
  if (!found.start.isCertain('hour')) return period
  return {
    ...period,
    time: new Date(
      first.getTime() + ((found.start.get('hour') as number) * 60 + (found.start.get('minute') ?? 0)) * 60_000
    )
  }
}

/**
 * Whether the words are a day of a month, such as `31 december`, `the 5th of june` or `march 20`. A month alone is not
 * a date.
 */
function isDayOfMonth (text: PromptText, at: number): boolean {
  const isDay = (key: string): boolean => /^(?:[1-9]|[12]\d|3[01])$/.test(key)
  return shortMonths.has(text.key(at))
    ? isDay(text.key(at + 1))
    : isDay(text.key(at)) && (shortMonths.has(text.key(at + 1)) || shortMonths.has(text.key(at + 2)))
}

function isOrdinal (text: PromptText, at: number): boolean {
  return !/^\d+$/.test(text.source(at, at + 1)) && !/^(?:one|two|three|four)$/i.test(text.source(at, at + 1))
}

function readQuarter (text: PromptText, at: number, end: Date): Period | undefined {
  const named = /^q([1-4])$/.exec(text.key(at))?.[1]
  // `the 4th quarter` counts, but `4 quarters` does not.
  const spoken = quarterNumber[text.key(at)] !== undefined && text.key(at + 1) === 'quarter' && isOrdinal(text, at)
    ? quarterNumber[text.key(at)]
    : undefined
  const number = named === undefined ? spoken : Number(named)
  if (number === undefined) return undefined
  const after = at + (named === undefined ? 2 : 1)
  const { year, to } = yearAfter(text, after, end)
  return quarter(year ?? nextYear((candidate) => quarter(candidate, number, to).last, end), number, to)
}

function readHalf (text: PromptText, at: number, end: Date): Period | undefined {
  const number = /^h([12])$/.exec(text.key(at))?.[1]
  if (number === undefined) return undefined
  const { year, to } = yearAfter(text, at + 1, end)
  const half = (of: number): Period => ({
    first: day(of, number === '1' ? 0 : 6, 1),
    last: number === '1' ? day(of, 5, 30) : day(of, 11, 31),
    to
  })
  return half(year ?? nextYear((candidate) => half(candidate).last, end))
}

function readMonth (text: PromptText, at: number, end: Date): Period | undefined {
  const short = readShortMonth(text, at)
  if (short !== undefined) return short
  const index = shortMonths.get(text.key(at))
  if (index === undefined) return undefined
  const { year, to } = yearAfter(text, at + 1, end)
  return month(year ?? nextYear((candidate) => month(candidate, index, to).last, end), index, to)
}

/** Reads months without a space: `Jun-25`, `06/2025`. */
function readShortMonth (text: PromptText, at: number): Period | undefined {
  const match = /^(?:(?<name>\p{L}{3,9})-(?<short>[2-4]\d)|(?<number>0?[1-9]|1[0-2])\/(?<year>20\d{2}))$/u.exec(
    text.source(at, at + 3)
  )
  if (match === null) return undefined
  const { name, short, number, year } = match.groups as Partial<Record<string, string>>
  const index = name === undefined ? Number(number) - 1 : shortMonths.get(name.toLowerCase())
  return index === undefined
    ? undefined
    : month(name === undefined ? Number(year) : 2000 + Number(short), index, at + 3)
}

function readYear (text: PromptText, at: number): Period | undefined {
  if (!/^(?:fy|of|,|in|'|\d)/.test(text.key(at))) return undefined
  const fiscal = /^fy(\d{2}|20\d{2})$/.exec(`${text.key(at)}${text.key(at) === 'fy' ? text.key(at + 1) : ''}`)
  if (fiscal !== null) {
    return {
      first: day(2000 + Number(fiscal[1]) % 100, 0, 1),
      last: day(2000 + Number(fiscal[1]) % 100, 11, 31),
      to: at + (text.key(at) === 'fy' ? 2 : 1)
    }
  }
  const { year, to } = yearAfter(text, at)
  return year === undefined ? undefined : { first: day(year, 0, 1), last: day(year, 11, 31), to }
}

function readFeast (text: PromptText, at: number, end: Date): Period | undefined {
  const feast = findFeast(text.keys(at, at + 3))
  if (feast === undefined) return undefined
  const { year, to } = yearAfter(text, at + feast.words, end)
  const last = feast.of(year ?? nextYear(feast.of, end))
  return { first: last, last, to }
}

/** Reads `sunday`, `this year` or `next quarter`. */
function readRelative (text: PromptText, at: number, end: Date): Period | undefined {
  const named = weekdays.indexOf(text.key(at))
  if (named >= 0) {
    // `friday , 3 january` names that date.
    const date = readDate(text, text.key(at + 1) === ',' || text.key(at + 1) === 'the' ? at + 2 : at + 1, end)
    if (date !== undefined) return date
    // The next such weekday after the data is meant.
    const last = day(end.getUTCFullYear(), end.getUTCMonth(),
      end.getUTCDate() + ((named - end.getUTCDay() + 6) % 7) + 1)
    return { first: last, last, to: at + 1 }
  }
  if (/ ?weekend /.test(text.keys(at, at + 1)) ||
    / (?:this|next|coming|following) weekend /.test(text.keys(at, at + 2))) {
    const last = day(end.getUTCFullYear(), end.getUTCMonth(), end.getUTCDate() + ((7 - end.getUTCDay()) % 7 || 7))
    return { first: new Date(last.getTime() - dayMs), last, to: text.key(at) === 'weekend' ? at + 1 : at + 2 }
  }
  const isAfterNext = / after next /.test(text.keys(at + 1, at + 3))
  const [first, unit] = isAfterNext ? ['next', text.key(at)] : [text.key(at), text.key(at + 1)]
  if (!['this', 'current', 'next', 'following'].includes(first)) return undefined
  const ahead = isAfterNext ? 2 : first === 'next' || first === 'following' ? 1 : 0
  const [year, monthIndex] = [end.getUTCFullYear(), end.getUTCMonth()]
  const to = isAfterNext ? at + 3 : at + 2
  if (unit === 'year') return { first: day(year + ahead, 0, 1), last: day(year + ahead, 11, 31), to }
  if (unit === 'month') return month(year, monthIndex + ahead, to)
  if (unit === 'quarter') return quarter(year, Math.floor(monthIndex / 3) + 1 + ahead, to)
  if (unit !== 'week') return undefined
  // A week ends on its Sunday.
  const last = day(year, monthIndex, end.getUTCDate() + ((7 - end.getUTCDay()) % 7) + 7 * ahead)
  return { first: new Date(last.getTime() - 6 * dayMs), last, to }
}

/**
 * Reads the year after a period: `2025`, `of 2025`, `'25`. If `end` is given, as for a month or another part of a year,
 * also reads `next year`.
 */
function yearAfter (text: PromptText, at: number, end?: Date): { year?: number, to: number } {
  let next = at
  while (/^(?:of|,|in)$/.test(text.key(next)) && next < at + 2) next++
  const relative = end === undefined || text.key(next - 1) === ','
    ? null
    : /^ (?:the )?(?<which>this|current|next|following) (?:calendar |fiscal )?year /.exec(text.keys(next, next + 4))
  if (end !== undefined && relative !== null) {
    return {
      year: end.getUTCFullYear() + (/next|following/.test(relative.groups?.['which'] ?? '') ? 1 : 0),
      to: next + relative[0].trim().split(' ').length
    }
  }
  if (text.key(next) === "'") next++
  const key = text.key(next)
  if (/^(?:19|20)\d{2}$/.test(key) && text.tokens[next]?.kind === 'number') return { year: Number(key), to: next + 1 }
  return /^\d{2}$/.test(key) && text.key(next - 1) === "'" ? { year: 2000 + Number(key), to: next + 1 } : { to: at }
}

/** The first year in which the period ends after `end`. */
function nextYear (last: (year: number) => Date, end: Date): number {
  const year = end.getUTCFullYear()
  return last(year).getTime() > end.getTime() ? year : year + 1
}

function quarter (year: number, number: number, to: number): Period {
  return { first: day(year, number * 3 - 3, 1), last: day(year, number * 3, 0), to }
}

function month (year: number, index: number, to: number): Period {
  const first = day(year, index, 1)
  return {
    first,
    last: day(first.getUTCFullYear(), first.getUTCMonth(), daysInMonth(first.getUTCFullYear(), first.getUTCMonth())),
    to
  }
}
