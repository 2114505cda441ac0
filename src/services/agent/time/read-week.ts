import type { PromptText } from '../text/tokens.ts'
import { day, dayMs } from '../../recommendations/time/civil-time.ts'

/** A week that a prompt names, and the token after the words. */
interface NamedWeek {
  first: Date
  last: Date
  to: number
}

const numbered =
  /^ (?:(?:iso )?(?:week|cw|kw|wk)(?: (?:no|number|nr))?(?: \.)? (?<number>\d{1,2})|(?:cw|kw|wk|w)(?<joined>\d{1,2})) /
/** Matches the 48 of `weeks 41 to 48`, but not of `week 41 to 48 hours`. */
const lastOfRange = /^ (?:to|-|through|until|till) (\d{1,2}) (?!second|minute|hour|day|week|month|quarter|year|%)/
const dated =
  /^ (?:(?:week|w) (?:\/ )?(?:that )?(?:commencing|beginning|starting|starts|begins|of|c)|wc|w \/ c)(?: (?:on|the|of|monday|from)){0,2} /
const ended = /^ (?:(?:week|w) (?:\/ )?(?:that )?(?:ending|ends|ended|e)|w \/ e)(?: (?:on|the|of|in)){0,2} /

/**
 * Reads `week 50` or `KW 12 2025`, by ISO 8601. The year is read after the number; without one, the next such week
 * after `end` is meant.
 */
export function readNumberedWeek (text: PromptText, index: number, end: Date,
  yearAt: (at: number) => { year?: number, to: number }): NamedWeek | undefined {
  // In `2025-W12`, the year comes first.
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

/**
 * Reads `the week commencing 22 December` or `w/e 3 Jan`: the week that contains the day. `readDay` reads a day from a
 * token on.
 */
export function readDatedWeek (text: PromptText, index: number, readDay: (at: number) => NamedWeek | undefined):
  | NamedWeek
  | undefined {
  const words = text.keys(index, index + 7)
  const start = dated.exec(words)
  const match = start ?? ended.exec(words)
  const named = match === null ? undefined : readDay(index + match[0].trim().split(' ').length)
  // `the week of November` would be a part of a month, not a week.
  if (named === undefined || named.last.getTime() - named.first.getTime() > dayMs) return undefined
  return weekFrom(start === null ? new Date(named.last.getTime() - 6 * dayMs) : named.first, named.to)
}

function weekFrom (first: Date, to: number): NamedWeek {
  return { first, last: new Date(first.getTime() + 6 * dayMs), to }
}

/** The Monday of a week. The first week of a year contains January 4. */
function monday (year: number, week: number): Date {
  const fourth = day(year, 0, 4)
  return new Date(fourth.getTime() - ((fourth.getUTCDay() + 6) % 7) * dayMs + (week - 1) * 7 * dayMs)
}
