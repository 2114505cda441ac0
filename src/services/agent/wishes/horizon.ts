import type { FoundPhrase } from '../phrases/phrases.ts'
import type { Finding, Reading } from '../reading.ts'
import { dayMs, startOfDay } from '../../recommendations/time/civil-time.ts'
import { addSteps, type HorizonWish, seasonUnits, type TimeUnit, timeUnits,
  unitSteps } from '../../recommendations/time/frequency.ts'
import { readPeriod, type Period } from '../time/read-period.ts'

const maxQuantity = 100_000
/** The maximum number of ends that are read, because reading dates takes time. */
const maxEnds = 50
const maxWordsBack = 80
const weekday = /^(?:mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun)(?:day|sday|nesday|rsday|urday)?s?$/
const units = new Set<string>(timeUnits)

interface Read {
  value: HorizonWish
  weight?: number
}
type HorizonReader = (phrase: FoundPhrase, reading: Reading) => Read[]

const readers: Record<string, HorizonReader> = {
  length: ({ slots }) => one(lengthOf(slots.at(-1))),
  range: ({ slots: [least, most, unit] }) =>
    (least as number) < (most as number)
      ? [least, most].flatMap((length) => one({ kind: 'duration', quantity: length as number, unit: unit as TimeUnit }))
      : one({ kind: 'duration', quantity: most as number, unit: unit as TimeUnit }),
  // `for tomorrow's shift` may be a purpose, so a length of time takes precedence.
  tomorrow: ({ from, to }, { text }) => {
    const weight = /['’]s$/.test(text.source(from, to)) ? 0.65 : 0.9
    return [{ value: { kind: 'duration', quantity: to - from > 1 ? 2 : 1, unit: 'day' }, weight }]
  },
  those: ({ from, slots }, reading) => one(sameUnit(reading, from, 40, slots[0] as number, false)),
  corrected: ({ from, to, slots }, reading) =>
    mayEnd(reading, to)
      ? one(sameUnit(reading, from, 14, slots[0] as number, true))
      : [],
  until: ({ from, slots, weight }, { text, end }) => {
    const period = slots.at(-1) as Period
    // In `from June to August`, both have the year of the end. A period within the data is no horizon.
    if (slots.length > 1 && end !== null && period.last.getTime() <= end.getTime()) return []
    // `3 weeks (Monday to Friday)` names weekdays, not an end.
    const isOfWeek = weekday.test(text.key(from - 1)) && weekday.test(text.key(from + 1)) &&
      !/^(?:from|between|next|this)$/.test(text.key(from - 2))
    return [{ value: horizonUntil(period), weight: isOfWeek ? 0.6 : weight }]
  },
  before: ({ slots }) => one(horizonUntil(dayBefore(slots.at(-1) as Period))),
  end: ({ slots: [unit, period] }, { end }) =>
    end === null
      ? []
      : one(untilDay((period as Period | undefined)?.last ?? endOfUnit(unit as string, end))),
  clock: ({ from, to, slots }, { text, end }) => {
    if (end === null) return []
    const time = startOfDay(end).getTime() + (slots[0] as number) * 60_000
    const isLater = / tomorrow /.test(text.keys(from, to)) || time <= end.getTime()
    return one({ kind: 'until', day: new Date(time + (isLater ? dayMs : 0)), precision: 'time' })
  },
  span: ({ slots: [period, quantity, unit] }, { end }) =>
    one(lastOf(period as Period, quantity as number, unit as string, end)),
  spanned: ({ slots: [quantity, unit, period] }, { end }) =>
    one(lastOf(period as Period, quantity as number, unit as string, end)),
  that: ({ from }, reading) => {
    const period = lastPeriod(reading, from)
    return period === undefined ? [] : one(horizonUntil(period))
  }
}

/** Reads the horizon: lengths and ends. */
export function horizonWishes (phrases: readonly FoundPhrase[], reading: Reading): Finding[] {
  return phrases.slice(0, 40 * maxEnds).flatMap((phrase) => {
    const { value: kind, from, to, weight } = phrase
    const found = kind.startsWith('end_')
      ? reading.end === null ? [] : one(untilDay(endOfUnit(kind.slice(4), reading.end)))
      : (readers[kind] as HorizonReader)(phrase, reading)
    // Of two lengths, such as `6 to 8 weeks`, each gets its own words.
    const middle = found.length > 1 ? to - 2 : to
    return found.map(({ value, weight: own = weight }, index): Finding => ({
      field: 'horizon',
      value,
      from: index === 0
        ? from
        : middle,
      to: index === 0 ? middle : to,
      weight: own
    }))
  })
}

function one (value: HorizonWish | undefined): Read[] {
  return value === undefined ? [] : [{ value }]
}

/** A number alone counts steps, and a unit alone means one of it. */
function lengthOf (slot: unknown): HorizonWish | undefined {
  if (typeof slot === 'string') return { kind: 'duration', quantity: 1, unit: slot as TimeUnit }
  if (typeof slot !== 'number') return slot as HorizonWish
  return slot > 0 && slot <= maxQuantity ? { kind: 'steps', quantity: slot } : undefined
}

/** A horizon that ends with the period. */
function horizonUntil ({ last, time, isWeek }: Period): HorizonWish {
  if (time !== undefined) return { kind: 'until', day: time, precision: 'time' }
  return isWeek === true ? { kind: 'until', day: last, precision: 'week' } : untilDay(last)
}

function untilDay (day: Date): HorizonWish {
  return { kind: 'until', day }
}

function dayBefore ({ first, to, time }: Period): Period {
  const last = new Date(first.getTime() - dayMs)
  return time === undefined ? { first: last, last, to } : { first, last: first, to, time: new Date(time.getTime() - 1) }
}

/** A horizon of this many units from the beginning of a period after the data. */
function lastOf ({ first }: Period, quantity: number, unit: string, end: Date | null): HorizonWish | undefined {
  if (end === null || first.getTime() <= end.getTime()) return undefined
  // Units shorter than a day cannot be counted from a day.
  if (!/^(?:day|week|month|quarter|year)$/.test(unit)) return undefined
  return untilDay(new Date(addSteps(first, unitSteps[unit as TimeUnit], quantity).getTime() - dayMs))
}

function endOfUnit (unit: string, end: Date): Date {
  const [year, month, date] = [end.getUTCFullYear(), end.getUTCMonth(), end.getUTCDate()]
  if (unit === 'year') return new Date(Date.UTC(year, 11, 31))
  if (unit === 'quarter') return new Date(Date.UTC(year, Math.floor(month / 3) * 3 + 3, 0))
  if (unit === 'month') return new Date(Date.UTC(year, month + 1, 0))
  return new Date(Date.UTC(year, month, date + (unit === 'week' ? (7 - end.getUTCDay()) % 7 : 0)))
}

/**
 * Reads a number whose unit was named before: `the next six of those`, `6 weeks - no, make that 8`. A correction
 * replaces the earlier number.
 */
function sameUnit ({ text }: Reading, before: number, words: number, quantity: number, isCounted: boolean):
  | HorizonWish
  | undefined {
  if (quantity <= 0) return undefined
  for (let at = before - 1; at >= Math.max(0, before - words); at--) {
    const key = text.key(at)
    if (isCounted && text.tokens[at - 1]?.kind !== 'number' &&
      !/^(?:next|coming|following)$/.test(text.key(at - 1))) continue
    const unit = units.has(key) ? key as TimeUnit : isCounted ? undefined : seasonUnits[key]
    if (unit !== undefined) return { kind: 'duration', quantity, unit }
    if (/^(?:step|period|point|interval|slot)$/.test(key)) return { kind: 'steps', quantity }
  }
  return undefined
}

/** Whether the words after a number do not make it count something else. */
function mayEnd ({ text }: Reading, to: number): boolean {
  return to >= text.tokens.length || text.tokens[to]?.kind === 'mark' ||
    /^(?:and|but|please|instead|pls|plz|for|by|with|per|in|using|thanks)$/.test(text.key(to))
}

/**
 * Finds the last time after the data that is named before a token: `Our season closes on 30 June. Sales up to then`.
 */
function lastPeriod ({ text, end }: Reading, before: number): Period | undefined {
  let last: Period | undefined
  if (end === null) return undefined
  for (let at = Math.max(0, before - maxWordsBack); at < before;) {
    // Words such as `the` do not begin a time, although `readPeriod` would skip them.
    const period = /^(?:the|all|of|and|to|a|in|on|by|for)$/.test(text.key(at)) ? undefined : readPeriod(text, at, end)
    if (period !== undefined && period.to <= before && period.last.getTime() > end.getTime()) last = period
    at = Math.max(at + 1, Math.min(period?.to ?? 0, before))
  }
  return last
}
