import { day, dayMs } from './civil-time.ts'

/** Days of the year that have a name, as patterns of keys. */
const feasts: [RegExp, (year: number) => Date][] = [
  [/^ (?:christmas|xmas) eve /, (year) => day(year, 11, 24)],
  [/^ (?:christmas|xmas)(?: day)? /, (year) => day(year, 11, 25)],
  [/^ boxing day /, (year) => day(year, 11, 26)],
  [/^ new year day /, (year) => day(year, 0, 1)],
  [/^ new year(?: eve)? /, (year) => day(year, 11, 31)],
  [/^ (?:valentine|valentines)(?: day)? /, (year) => day(year, 1, 14)],
  [/^ halloween /, (year) => day(year, 9, 31)],
  [/^ good friday /, (year) => new Date(easter(year).getTime() - 2 * dayMs)],
  [/^ easter monday /, (year) => new Date(easter(year).getTime() + dayMs)],
  [/^ easter(?: sunday)? /, easter],
  [/^ thanksgiving(?: day)? /, thanksgiving],
  [/^ black friday /, (year) => new Date(thanksgiving(year).getTime() + dayMs)],
  [/^ cyber monday /, (year) => new Date(thanksgiving(year).getTime() + 4 * dayMs)]
]

/** The feast at the beginning of the keys, and how many keys name it. */
export function findFeast (keys: string): { of: (year: number) => Date, words: number } | undefined {
  if (!/^ (?:christmas|xmas|boxing|new|valentines?|halloween|good|easter|thanksgiving|black|cyber) /.test(keys)) {
    return undefined
  }
  for (const [pattern, of] of feasts) {
    const match = pattern.exec(keys)
    if (match !== null) return { of, words: match[0].trim().split(' ').length }
  }
  return undefined
}

/** Easter by the anonymous Gregorian algorithm (Nature, 20 April 1876). */
function easter (year: number): Date {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100]
  const h = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const days = h + l - 7 * Math.floor((a + 11 * h + 22 * l) / 451) + 114
  return day(year, Math.floor(days / 31) - 1, (days % 31) + 1)
}

/** Thanksgiving is the fourth Thursday of November. */
function thanksgiving (year: number): Date {
  return day(year, 10, 22 + ((4 - day(year, 10, 22).getUTCDay() + 7) % 7))
}
