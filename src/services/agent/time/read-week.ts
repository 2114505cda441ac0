import type { PromptText } from '../text/tokens.ts'
import { day, dayMs } from './civil-time.ts'

/** Where a week begins or ends, and the token after the words. */
interface NamedWeek {
  first: Date
  last: Date
  to: number
}

const numbered =
  /^ (?:(?:iso )?(?:week|cw|kw|wk)(?: (?:no|number|nr))?(?: \.)? (?<number>\d{1,2})|(?:cw|kw|wk|w)(?<joined>\d{1,2})) /
/** The 48 of `weeks 41 to 48`, but not of `week 41 to 48 hours`. */
const lastOfRange = /^ (?:to|-|through|until|till) (\d{1,2}) (?!second|minute|hour|day|week|month|quarter|year|%)/
const dated =
  /^ (?:(?:week|w) (?:\/ )?(?:that )?(?:commencing|beginning|starting|starts|begins|of|c)|wc|w \/ c)(?: (?:on|the|of|monday|from)){0,2} /
const ended = /^ (?:(?:week|w) (?:\/ )?(?:that )?(?:ending|ends|ended|e)|w \/ e)(?: (?:on|the|of|in)){0,2} /

/**
 * `week 50`, `KW 12 2025`, by ISO 8601: the year is read of the token after it; without one it is the next such week
 * after `end`.
 */
export function readNumberedWeek (text: PromptText, index: number, end: Date,
  yearAt: (at: number) => { year?: number, to: number }): NamedWeek | undefined {
  // `2025-W12` has the year before it.
  const isYearFirst = /^(?:19|20)\d{2}$/.test(text.key(index)) && /^w\d{1,2}$/.test(text.key(index + 1))
  const at = isYearFirst ? index + 1 : index
  const match = numbered.exec(text.keys(at, at + 8))
  if (match === null) return undefined
  const behind = at + match[0].trim().split(' ').length
  const last = lastOfRange.exec(text.keys(behind, behind + 4))?.[1]
  const number = Number(last ?? match.groups?.['number'] ?? match.groups?.['joined'])
  if (number < 1 || number > 53) return undefined
  const { year = isYearFirst ? Number(text.key(index)) : undefined, to } = yearAt(
    last === undefined ? behind : behind + 2
  )
  const thisYear = end.getUTCFullYear()
  const isOver = monday(thisYear, number).getTime() + 6 * dayMs <= end.getTime()
  return weekFrom(monday(year ?? (isOver ? thisYear + 1 : thisYear), number), to)
}

/** `the week commencing 22 December`, `w/e 3 Jan`: the week that has the day. `readDay` reads one from a token on. */
export function readDatedWeek (text: PromptText, index: number, readDay: (at: number) => NamedWeek | undefined):
  | NamedWeek
  | undefined {
  const words = text.keys(index, index + 7)
  const start = dated.exec(words)
  const match = start ?? ended.exec(words)
  const named = match === null ? undefined : readDay(index + match[0].trim().split(' ').length)
  // `the week of November` is a part of a month.
  if (named === undefined || named.last.getTime() - named.first.getTime() > dayMs) return undefined
  return weekFrom(start === null ? new Date(named.last.getTime() - 6 * dayMs) : named.first, named.to)
}

function weekFrom (first: Date, to: number): NamedWeek {
  return { first, last: new Date(first.getTime() + 6 * dayMs), to }
}

/** The Monday of a week: the first of a year is the one with its fourth of January. */
function monday (year: number, week: number): Date {
  const fourth = day(year, 0, 4)
  return new Date(fourth.getTime() - ((fourth.getUTCDay() + 6) % 7) * dayMs + (week - 1) * 7 * dayMs)
}
