import { phrase, type PromptText } from '../text/prompt-text.ts'
import { addMonths, dayMs, startOfDay } from '../time/civil-time.ts'
import { unitPattern, type HorizonWish } from '../time/horizon-wish.ts'
import { readClock } from '../time/read-clock.ts'
import { readPeriod, type Period } from '../time/read-period.ts'
import type { Finding, Rule } from './rule.ts'

const endOf = phrase(
  '(?:end of (?:the |this |our |current )?(?:fiscal |financial |calendar |current )?|rest of (?:the |this |current ' +
    ')?|remainder of (?:the |this |current )?|balance of (?:the |this |current )?|remaining (?:\\S+ )?(?:of |in ' +
    ')?(?:the |this |current )?|close of (?:the |this )?)(?<unit>year|quarter|month|week|day)'
)
const shortEnd = phrase(
  '(?<short>eoy|eoq|eom|eow|eod|year end|yearend|quarter end|month end|end year)|(?:the )?(?<rest>rest|remainder) of'
)
const lead = phrase(
  '(?:last (?:month|week|day|date|quarter|period|step)(?: to ' +
    '(?:show|forecast|include|cover|predict|see|have|report))? (?::|is|=|shall be|should ' +
    'be)|until|till|til|through|thru|up to|up until|out to|out until|right up to|to|by|before|ending|ends|end|as far ' +
    'as|all the way to|through to|on to|no later than|not beyond|(?:between|from) (?:now|today) ' +
    '(?:and|to|until|till|through)|(?:now|today) (?:to|until|till|through)|throughout|for|in|during|over|of|rest ' +
    'of|remainder of|covering|cover)(?: and including)?(?: (?:it is|we (?:reach|hit|get to|arrive at)))?'
)
const span = phrase(
  '(?:jan|january|feb|february|mar|march|apr|april|may|june?|july?|aug|august|sept?|september|oct|october|nov|november|dec|december|q[1-4]) ' +
    '(?:\\d{4} )?(?:-|to|through|until|till)'
)
/** `Sept-Nov`, whose hyphen is no word. */
const joinedSpan = phrase(
  '(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)(?= (?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec) )'
)
const range = phrase('from|between')
const starting = phrase(
  '(?:starting|beginning|commencing|effective|start|begin)(?: (?:in|on|from|with|at))?|as of|from'
)
const lengthBehind = new RegExp(
  `^ (?:(?:for|over|covering|lasting|,|and|the|next|then|following) ){0,3}(?<number>\\d{1,4}) (?<unit>${unitPattern}) `
)
const lengthBefore = / (?<number>\d{1,4}) (?<unit>\S+) (?:of \S+ )?$/
const whole = phrase('(?:for|over|during|in|through|throughout|until|till)? ?this (?<unit>year|quarter|month|week)')
const units: Record<string, string> = {
  eoy: 'year',
  'year end': 'year',
  yearend: 'year',
  'end year': 'year',
  eoq: 'quarter',
  'quarter end': 'quarter',
  eom: 'month',
  'month end': 'month',
  eow: 'week',
  eod: 'day'
}
/** Ends that are read of one prompt: nobody names as many, and dates take their time. */
const maxBounds = 50
const weekday = /^(?:mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun)(?:day|sday|nesday|rsday|urday)?s?$/
const aboutEvent =
  /^ (?:(?:'|s|'s) ){0,2}(?:meeting|call|review|workshop|session|report|board|presentation|planning|budget|conference) /
const planBefore = / (?:budget|plan|plans|planning|meeting|review|roadmap|strategy|discussed) $/
const strict =
  /^(?:last .*|until|till|til|through|thru|up to|up until|out to|out until|right up to|by|before|ending|ends|as far as|all the way to|through to|on to|no later than|not beyond|(?:(?:between|from) )?(?:now|today) (?:and|to|until|till|through)|throughout|rest of|remainder of)(?: and including)?(?: (?:it is|we (?:reach|hit|get to|arrive at)))?$/
const untilClock = phrase('(?:until|till|til|through|thru|up to|up until)')

/**
 * `until end of year`, `through Q3 2025`, `for the rest of the year`, `from April to June`: the last day that is meant.
 */
export const calendarBoundRule: Rule = ({ text, end }) => {
  if (end === null) return []
  const findings: Finding[] = []
  const addWish = (value: HorizonWish, from: number, to: number, weight: number) =>
    findings.push({ field: 'horizon', value, from, to, weight })
  const add = (day: Date, from: number, to: number, weight: number) => addWish({ kind: 'until', day }, from, to, weight)
  for (const { from, to, groups } of text.find(endOf)) {
    if (!isOfForecast(text.keys(from - 4, from)) || findings.length > maxBounds) continue
    // `the remaining months of 2024` end with the year.
    const named = /^(?:of|in)$/.test(text.key(to)) ? readPeriod(text, to + 1, end) : undefined
    add(named?.last ?? endOfUnit(groups['unit'] as string, end), from, named?.to ?? to, 1)
  }
  for (const { from, to, groups } of text.find(shortEnd)) {
    if (groups['short'] !== undefined) add(endOfUnit(units[groups['short']] as string, end), from, to, 1)
  }
  for (const { from, to, groups } of text.find(whole)) {
    if (isOfForecast(text.keys(from - 4, from))) add(endOfUnit(groups['unit'] as string, end), from, to, 0.85)
  }
  for (const { from, to } of text.find(lead)) {
    if (findings.length > maxBounds) break
    const words = text.keys(from, to).trim()
    const isStrict = strict.test(words)
    const period = readPeriod(text, to, end)
    if (period === undefined || !isOfForecast(text.keys(from - 4, from))) continue
    // `next year` behind `for` is a length, and `of 2023` or `in may` is part of something else.
    if (!isStrict && /^ (?:the )?(?:next|following|this|current) /.test(text.keys(to, to + 2))) continue
    if (!isStrict && period.last.getTime() <= end.getTime()) continue
    // `3 weeks (Monday to Friday)` are the days of a week.
    const isOfWeek = weekday.test(text.key(from - 1)) && weekday.test(text.key(to)) &&
      !/^(?:from|between|next|this)$/.test(text.key(from - 2))
    if (words === 'to' &&
      / (?:compared|compare|similar|relative|close|due|equal|in contrast|respect|according) $/.test(
        text.keys(from - 2, from)
      )) continue
    // `in Tuesday's meeting`, `our budget for 2027`: when or what for, and not how far.
    if (!isStrict &&
      (aboutEvent.test(text.keys(period.to, period.to + 3)) || planBefore.test(text.keys(from - 2, from)))) continue
    const whole = words === 'before' ? dayBefore(period) : withFollowing(text, period, end)
    // `it shuts in October`: when something happens, unless nothing else says how far.
    addWish(horizonUntil(whole), from, whole.to,
      isOfWeek ? 0.6 : isStrict ? 1 : /^(?:in|during|of)$/.test(words) ? 0.65 : 0.85)
  }
  for (const { from, to } of text.find(untilClock)) {
    // `until 18:00`: the next time that it is so late.
    if (findings.length > maxBounds || !isOfForecast(text.keys(from - 4, from)) ||
      readPeriod(text, to, end) !== undefined) continue
    const isTomorrow = text.key(to) === 'tomorrow'
    const clock = readClock(text, isTomorrow ? to + 1 : to)
    if (clock === undefined) continue
    const isOfTomorrow = isTomorrow || text.key(clock.to) === 'tomorrow'
    const day = isOfTomorrow
      ? new Date(startOfDay(end).getTime() + dayMs + clock.minutes * 60_000)
      : nextTime(clock.minutes, end)
    addWish({ kind: 'until', day, precision: 'time' }, from, isOfTomorrow && !isTomorrow ? clock.to + 1 : clock.to, 1)
  }
  for (const pattern of [span, joinedSpan]) {
    for (const { from, to } of text.find(pattern)) {
      const period = findings.length > maxBounds ? undefined : readPeriod(text, to, end)
      if (period !== undefined && period.last.getTime() > end.getTime()) {
        addWish(horizonUntil(period), from, period.to, 0.85)
      }
    }
  }
  let started = 0
  for (const { from, to } of text.find(starting)) {
    if (started++ > maxBounds) break
    const period = readPeriod(text, to, end)
    if (period === undefined || period.first.getTime() <= end.getTime()) continue
    // `starting January 2027 for 6 months`, `6 months from January 2027`: so long, and not counted from now.
    const behind = lengthBehind.exec(text.keys(period.to, period.to + 6))
    const length = behind ?? lengthBefore.exec(text.keys(from - 4, from))
    const { number, unit } = length?.groups ?? {}
    const last = number === undefined ? undefined : lastOf(period.first, Number(number), unit ?? '')
    if (last !== undefined) add(last, behind === null ? from - words(length) : from, period.to + words(behind), 1)
  }
  for (const { from, to } of text.find(range)) {
    if (findings.length > maxBounds) break
    const first = readPeriod(text, to, end)
    if (first === undefined || !/^(?:to|through|until|till|-|and|thru)$/.test(text.key(first.to))) continue
    // The year of the end is that of both.
    const second = readPeriod(text, first.to + 1, end)
    if (second !== undefined && second.last.getTime() > end.getTime()) addWish(horizonUntil(second), from, second.to, 1)
  }
  return findings
}

/** The last of a period, as a wish. */
export function horizonUntil ({ last, time, isWeek }: Period): HorizonWish {
  if (time !== undefined) return { kind: 'until', day: time, precision: 'time' }
  return isWeek === true ? { kind: 'until', day: last, precision: 'week' } : { kind: 'until', day: last }
}

function dayBefore ({ first, to, time }: Period): Period {
  const last = new Date(first.getTime() - dayMs)
  return time === undefined ? { first: last, last, to } : { first, last: first, to, time: new Date(time.getTime() - 1) }
}

function nextTime (minutes: number, end: Date): Date {
  const next = new Date(startOfDay(end).getTime() + minutes * 60_000)
  return next.getTime() > end.getTime() ? next : new Date(next.getTime() + dayMs)
}

function words (match: RegExpExecArray | null): number {
  return match === null ? 0 : match[0].trim().split(' ').length
}

/** The last day of so many units from a day on. */
function lastOf (first: Date, quantity: number, unit: string): Date | undefined {
  const months: Record<string, number> = { month: 1, quarter: 3, year: 12 }
  const days: Record<string, number> = { day: 1, week: 7 }
  if (months[unit] !== undefined) return new Date(addMonths(first, quantity * months[unit]).getTime() - dayMs)
  return days[unit] === undefined ? undefined : new Date(first.getTime() + (quantity * days[unit] - 1) * dayMs)
}

/** `november and december` end with the last of them. */
function withFollowing (text: PromptText, period: Period, end: Date): Period {
  let last = period
  while (/^(?:and|,|\/|-|to|through|until)$/.test(text.key(last.to))) {
    const next = readPeriod(text, text.key(last.to + 1) === 'and' ? last.to + 2 : last.to + 1, end)
    if (next === undefined || next.last.getTime() <= last.last.getTime()) break
    last = next
  }
  return last
}

/** `the price is fixed until June`. */
const settledBefore =
  / (?:is|are|was|were|has been|have been) (?:\S+ )?(?:planned|known|fixed|set|scheduled|rostered|booked|contracted|frozen|closed|valid|available|agreed|signed|open|away|out|off|on leave) $/

/** `train until`, `data through` and `history up to` are no horizon. */
function isOfForecast (before: string): boolean {
  if (settledBefore.test(before)) return false
  return !/ (?:everything|anything|all|rows|train|trained|training|data|history|fit|fitted|learn|backtest|test|tested|validate|actuals|records|observations|filter|only)(?: \S+)? $/
    .test(before) || / forecast \S* ?$/.test(before)
}

function endOfUnit (unit: string, end: Date): Date {
  const [year, month, date] = [end.getUTCFullYear(), end.getUTCMonth(), end.getUTCDate()]
  if (unit === 'year') return new Date(Date.UTC(year, 11, 31))
  if (unit === 'quarter') return new Date(Date.UTC(year, Math.floor(month / 3) * 3 + 3, 0))
  if (unit === 'month') return new Date(Date.UTC(year, month + 1, 0))
  return new Date(Date.UTC(year, month, date + (unit === 'week' ? (7 - end.getUTCDay()) % 7 : 0)))
}
