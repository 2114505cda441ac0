import { en } from 'chrono-node'
import type { PromptText } from '../text/tokens.ts'
import { day, dayMs, startOfDay } from '../../recommendations/time/civil-time.ts'
import { findFeast } from './feasts.ts'
import { readClock } from './read-clock.ts'
import { readDatedWeek, readNumberedWeek } from './read-week.ts'

/** A period of calendar days that a prompt names, and the token after it. */
export interface Period extends Days {
  to: number
  /** The exact moment, if the prompt names a day with a time. */
  time?: Date
  /** The period is a week. */
  isWeek?: true
}

interface Days {
  first: Date
  last: Date
}

const months = new Map(
  'january february march april may june july august september october november december'.split(' ')
    .flatMap((name, index) => [[name, index], [name.slice(0, 3), index]] as [string, number][])
).set('sept', 8)
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const ordinals = new Map([['first', 1], ['second', 2], ['third', 3], ['fourth', 4], ['1', 1], ['2', 2], ['3', 3], ['4',
  4]])
/** The maximum number of words before a period that tell which part of it is meant. */
const mostSkipped = 8
const skipped =
  /^(?:the|all|of|whole|entire|full|complete|and|including|inclusive|start|beginning|mid|middle|end|late|early|month|year|calendar|fiscal|fy)$/
/** The maximum number of keys of a date: `31 december , 2024 23 : 30`. */
const dateTokens = 7

/**
 * Reads the period that is named from a token on: `q3 2025`, `june`, `the end of march`, `31 december 2024 at 9:00`,
 * `week 50`, `2025`, `christmas`. Without a year, the next one after `end` is meant.
 */
export function readPeriod (text: PromptText, index: number, end: Date): Period | undefined {
  // The time may come before the day: `9 am on 10 april`.
  const clock = readClock(text, index)
  const at = clock !== undefined && /^(?:on|of|,|at)$/.test(text.key(clock.to)) ? clock.to + 1 : clock?.to ?? index
  const period = readPart(text, at, end) ?? readDays(text, at, end)
  if (period === undefined || period.time !== undefined || period.first.getTime() !== period.last.getTime()) {
    return clock === undefined ? period : undefined
  }
  const after = clock ?? readClock(text, period.to)
  return after === undefined
    ? period
    : { ...period, to: Math.max(after.to, period.to), time: new Date(period.first.getTime() + after.minutes * 60_000) }
}

function readDays (text: PromptText, index: number, end: Date): Period | undefined {
  let at = index
  while (at < index + mostSkipped && skipped.test(text.key(at)) &&
    (text.key(at) !== 'fy' || text.key(at + 1) === 'end') && text.keys(at + 1, at + 3) !== ' after next ') at++
  const before = text.keys(index, at)
  // `next march` means the one after the data, like `march`.
  if (/^(?:next|coming|upcoming|following|this)$/.test(text.key(at)) &&
    (isCalendarName(text.key(at + 1)) || findFeast(text, at + 1) !== undefined)) at++
  const period = readWeek(text, at, end) ?? readDate(text, at, end) ?? readPartOfYear(text, at, end) ??
    readYear(text, at) ?? readOrdinal(text, at, end) ?? readFeast(text, at, end) ?? readRelative(text, at, end)
  if (period === undefined) return undefined
  const length = period.last.getTime() - period.first.getTime()
  if (/ (?:start|beginning) of /.test(before)) return { first: period.first, last: period.first, to: period.to }
  if (/ mid(?:dle of)? /.test(before) && length > 7 * dayMs) {
    return { ...period, last: new Date(period.first.getTime() + Math.round(length / 2 / dayMs) * dayMs) }
  }
  return period
}

const part =
  /^ (?:the )?(?:(?<ordinal>first|second|third|fourth|last|[1-4]) (?<unit>week|half|third)|(?<edge>first|last) (?<count>\d{1,2}) (?<counted>day|week)|(?<vague>early|late)) (?:(?:of|in) )?(?:the )?/

/**
 * Reads a part of a month, a quarter or a year: `the first week of november`, `second half of october`, `the last 10
 * days of march`, `early may`.
 */
function readPart (text: PromptText, index: number, end: Date): Period | undefined {
  if (!/^(?:the|first|second|third|fourth|last|[1-4]|early|late)$/.test(text.key(index))) return undefined
  const match = part.exec(text.keys(index, index + 7))
  if (match === null) return undefined
  const { ordinal, unit, edge, count, counted, vague } = match.groups as Partial<Record<string, string>>
  if (ordinal !== undefined && !isOrdinal(text, / the /.test(match[0]) ? index + 1 : index)) return undefined
  const at = index + match[0].trim().split(' ').length
  const whole = readPartOfYear(text, at, end) ?? (text.key(at - 1) === 'of' ? readYear(text, at) : undefined)
  if (whole === undefined) return undefined
  const days = Math.round((whole.last.getTime() - whole.first.getTime()) / dayMs) + 1
  const length = vague !== undefined
    ? Math.round(days / 3)
    : count !== undefined
    ? Number(count) * (counted === 'week' ? 7 : 1)
    : unit === 'week'
    ? 7
    : Math.floor(days / (unit === 'half' ? 2 : 3))
  const isLast = edge === 'last' || ordinal === 'last' || vague === 'late'
  const number = ordinals.get(ordinal ?? '') ?? 1
  // The second half is everything after the first one.
  const from = isLast ? Math.max(0, days - length) : Math.min((number - 1) * length, days - 1)
  const isRest = isLast || (unit === 'half' && number === 2)
  const first = new Date(whole.first.getTime() + from * dayMs)
  const last = new Date(Math.min(whole.last.getTime(), first.getTime() + (length - 1) * dayMs))
  return { first, last: isRest ? whole.last : last, to: whole.to }
}

function isCalendarName (key: string): boolean {
  return months.has(key) || weekdays.includes(key) || /^q[1-4]$/.test(key)
}

function readWeek (text: PromptText, at: number, end: Date): Period | undefined {
  if (!/^(?:iso|week|w|wc|(?:cw|kw|wk|w)\d{1,2}|cw|kw|wk|(?:19|20)\d{2})$/.test(text.key(at))) return undefined
  const week = readNumberedWeek(text, at, end, (after) => yearAfter(text, after, end)) ??
    readDatedWeek(text, at, (after) => readDate(text, after, end) ?? readOrdinal(text, after, end))
  return week === undefined ? undefined : { ...week, isWeek: true }
}

/** Reads `the 15th`, of this month or the next one. */
function readOrdinal (text: PromptText, at: number, end: Date): Period | undefined {
  const date = Number(/^(\d{1,2})(?:st|nd|rd|th)$/.exec(text.source(at, at + 1).toLowerCase())?.[1])
  if (!(date >= 1 && date <= 31)) return undefined
  const { last } = month(end.getUTCFullYear(), end.getUTCMonth() + (date > end.getUTCDate() ? 0 : 1))
  const first = day(last.getUTCFullYear(), last.getUTCMonth(), Math.min(date, last.getUTCDate()))
  return { first, last: first, to: at + 1 }
}

function readDate (text: PromptText, at: number, end: Date): Period | undefined {
  const token = text.tokens[at]
  if (token === undefined || !(token.kind === 'date' || token.kind === 'number' || months.has(token.key))) {
    return undefined
  }
  const partial = /^(\d{4})-?(?:(\d{2})|q([1-4]))$/.exec(token.key)
  if (partial !== null) {
    const year = Number(partial[1])
    const days = partial[2] === undefined ? quarter(year, Number(partial[3])) : month(year, Number(partial[2]) - 1)
    return { ...days, to: at + 1 }
  }
  if (token.kind !== 'date' && !isDayOfMonth(text, at)) return undefined
  let stop = at + 1
  while (stop < text.tokens.length && stop < at + dateTokens &&
    !/^(?:to|until|till|through|and)$/.test(text.key(stop))) stop++
  const source = text.source(at, stop).slice(0, 60)
  const found = en.strict.parse(source, { instant: end, timezone: 0 })[0]
  if (found === undefined || found.index > 0 || !found.start.isCertain('day') || !found.start.isCertain('month')) {
    return undefined
  }
  const get = (part: 'year' | 'month' | 'day' | 'hour' | 'minute'): number => found.start.get(part) ?? 0
  const last = token.start + found.text.length
  let behind = at + 1
  while (behind < text.tokens.length && (text.tokens[behind] as { start: number }).start < last) behind++
  const { year: named, to } = found.start.isCertain('year')
    ? { year: get('year'), to: behind }
    : yearAfter(text, behind, end)
  const inYear = (year: number): Date => day(year, get('month') - 1, get('day'))
  const thisYear = inYear(named ?? end.getUTCFullYear())
  // A date before the last day of the data belongs to the next year; that last day itself does not.
  const first = named === undefined && thisYear.getTime() < startOfDay(end).getTime()
    ? inYear(end.getUTCFullYear() + 1)
    : thisYear
  const period = { first, last: first, to }
  return found.start.isCertain('hour')
    ? { ...period, time: new Date(first.getTime() + (get('hour') * 60 + get('minute')) * 60_000) }
    : period
}

/**
 * Whether the words are a day of a month, such as `31 december`, `the 5th of june` or `march 20`. A month alone is not
 * a date.
 */
function isDayOfMonth (text: PromptText, at: number): boolean {
  const isDay = (key: string): boolean => /^(?:[1-9]|[12]\d|3[01])$/.test(key)
  return months.has(text.key(at))
    ? isDay(text.key(at + 1))
    : isDay(text.key(at)) && (months.has(text.key(at + 1)) || months.has(text.key(at + 2)))
}

function isOrdinal (text: PromptText, at: number): boolean {
  return !/^(?:\d+|one|two|three|four)$/i.test(text.source(at, at + 1))
}

/** Reads a quarter, a half or a month. Its year follows it, or is the next one. */
function readPartOfYear (text: PromptText, at: number, end: Date): Period | undefined {
  const key = text.key(at)
  const written = readShortMonth(text, at)
  if (written !== undefined) return written
  const [, unit, number] = /^(q(?=[1-4]$)|h(?=[12]$))(\d)$/.exec(key) ?? []
  if (unit !== undefined) {
    return ofYear(text, at + 1, end, (year) =>
      unit === 'q' ? quarter(year, Number(number)) : half(year, Number(number)))
  }
  // `the 4th quarter` counts, but `4 quarters` does not.
  const spoken = key === 'last' ? 4 : ordinals.get(key)
  if (spoken !== undefined && text.key(at + 1) === 'quarter' && isOrdinal(text, at)) {
    return ofYear(text, at + 2, end, (year) => quarter(year, spoken))
  }
  const index = months.get(key)
  return index === undefined ? undefined : ofYear(text, at + 1, end, (year) => month(year, index))
}

/** Reads months without a space: `Jun-25`, `06/2025`. */
function readShortMonth (text: PromptText, at: number): Period | undefined {
  const [, name, short, number, year] =
    /^(?:(\p{L}{3,9})-([2-4]\d)|(0?[1-9]|1[0-2])\/(20\d{2}))$/u.exec(text.source(at, at + 3)) ?? []
  const index = name === undefined ? Number(number ?? NaN) - 1 : months.get(name.toLowerCase()) ?? NaN
  return Number.isNaN(index) ? undefined : { ...month(Number(year ?? `20${short}`), index), to: at + 3 }
}

function readYear (text: PromptText, at: number): Period | undefined {
  if (!/^(?:fy|of|,|in|'|\d)/.test(text.key(at))) return undefined
  const isApart = text.key(at) === 'fy'
  const fiscal = /^fy(\d{2}|20\d{2})$/.exec(`${text.key(at)}${isApart ? text.key(at + 1) : ''}`)
  if (fiscal !== null) return { ...wholeYear(2000 + Number(fiscal[1]) % 100), to: at + (isApart ? 2 : 1) }
  const { year, to } = yearAfter(text, at)
  return year === undefined ? undefined : { ...wholeYear(year), to }
}

function readFeast (text: PromptText, at: number, end: Date): Period | undefined {
  const feast = findFeast(text, at)
  return feast === undefined
    ? undefined
    : ofYear(text, at + feast.words, end, (year) => ({ first: feast.of(year), last: feast.of(year) }))
}

/** Reads `sunday`, `the weekend`, `this year` or `next quarter`. */
function readRelative (text: PromptText, at: number, end: Date): Period | undefined {
  const [year, monthIndex] = [end.getUTCFullYear(), end.getUTCMonth()]
  const daysOn = (days: number): Date => day(year, monthIndex, end.getUTCDate() + days)
  const named = weekdays.indexOf(text.key(at))
  if (named >= 0) {
    // `friday , 3 january` names that date.
    const date = readDate(text, text.key(at + 1) === ',' || text.key(at + 1) === 'the' ? at + 2 : at + 1, end)
    if (date !== undefined) return date
    // The next such weekday after the data is meant.
    const last = daysOn(((named - end.getUTCDay() + 6) % 7) + 1)
    return { first: last, last, to: at + 1 }
  }
  const isWeekend = text.key(at) === 'weekend'
  if (isWeekend || / (?:this|next|coming|following) weekend /.test(text.keys(at, at + 2))) {
    const last = daysOn((7 - end.getUTCDay()) % 7 || 7)
    return { first: new Date(last.getTime() - dayMs), last, to: isWeekend ? at + 1 : at + 2 }
  }
  const isAfterNext = / after next /.test(text.keys(at + 1, at + 3))
  const [which, unit] = isAfterNext ? ['next', text.key(at)] : [text.key(at), text.key(at + 1)]
  if (!['this', 'current', 'next', 'following'].includes(which)) return undefined
  const ahead = isAfterNext ? 2 : which === 'next' || which === 'following' ? 1 : 0
  const to = isAfterNext ? at + 3 : at + 2
  if (unit === 'year') return { ...wholeYear(year + ahead), to }
  if (unit === 'month') return { ...month(year, monthIndex + ahead), to }
  if (unit === 'quarter') return { ...quarter(year, Math.floor(monthIndex / 3) + 1 + ahead), to }
  if (unit !== 'week') return undefined
  // A week ends on its Sunday.
  const last = daysOn(((7 - end.getUTCDay()) % 7) + 7 * ahead)
  return { first: new Date(last.getTime() - 6 * dayMs), last, to }
}

/** The days in the year that is named after them, else in the first year in which they end after `end`. */
function ofYear (text: PromptText, after: number, end: Date, days: (year: number) => Days): Period {
  const { year, to } = yearAfter(text, after, end)
  const thisYear = end.getUTCFullYear()
  return { ...days(year ?? (days(thisYear).last.getTime() > end.getTime() ? thisYear : thisYear + 1)), to }
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
    : /^ (?:the )?(this|current|next|following) (?:calendar |fiscal )?year /.exec(text.keys(next, next + 4))
  if (end !== undefined && relative !== null) {
    const isNext = relative[1] === 'next' || relative[1] === 'following'
    return { year: end.getUTCFullYear() + (isNext ? 1 : 0), to: next + relative[0].trim().split(' ').length }
  }
  const isShort = text.key(next) === "'"
  if (isShort) next++
  const key = text.key(next)
  if (/^(?:19|20)\d{2}$/.test(key) && text.tokens[next]?.kind === 'number') return { year: Number(key), to: next + 1 }
  return isShort && /^\d{2}$/.test(key) ? { year: 2000 + Number(key), to: next + 1 } : { to: at }
}

function month (year: number, index: number): Days {
  return { first: day(year, index, 1), last: day(year, index + 1, 0) }
}

function quarter (year: number, number: number): Days {
  return { first: day(year, number * 3 - 3, 1), last: day(year, number * 3, 0) }
}

function half (year: number, number: number): Days {
  return { first: day(year, number * 6 - 6, 1), last: day(year, number * 6, 0) }
}

function wholeYear (year: number): Days {
  return { first: day(year, 0, 1), last: day(year, 11, 31) }
}
