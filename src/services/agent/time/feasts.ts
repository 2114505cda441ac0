import type { PromptText } from '../text/tokens.ts'
import { day, dayMs } from '../../recommendations/time/civil-time.ts'

type OfYear = (year: number) => Date

const on = (month: number, date: number): OfYear => (year) => day(year, month, date)
const behind = (of: OfYear, days: number): OfYear => (year) => new Date(of(year).getTime() + days * dayMs)
/** Thanksgiving is the fourth Thursday of November. */
const thanksgiving: OfYear = (year) => day(year, 10, 22 + ((4 - day(year, 10, 22).getUTCDay() + 7) % 7))

/** Days of the year that have a name. */
const feasts = new Map(
  Object.entries({
    'christmas eve|xmas eve': on(11, 24),
    'christmas|xmas|christmas day|xmas day': on(11, 25),
    'boxing day': on(11, 26),
    'new year day': on(0, 1),
    'new year|new year eve': on(11, 31),
    'valentine|valentines|valentine day|valentines day': on(1, 14),
    halloween: on(9, 31),
    'good friday': behind(easter, -2),
    'easter|easter sunday': easter,
    'easter monday': behind(easter, 1),
    'thanksgiving|thanksgiving day': thanksgiving,
    'black friday': behind(thanksgiving, 1),
    'cyber monday': behind(thanksgiving, 4)
  }).flatMap(([names, of]) => names.split('|').map((name) => [name, of] as const))
)

/** The feast that is named from a token on, and the number of tokens that name it. */
export function findFeast (text: PromptText, at: number): { of: OfYear, words: number } | undefined {
  for (const words of [3, 2, 1]) {
    const of = feasts.get(text.keys(at, at + words).trim())
    if (of !== undefined) return { of, words }
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
