import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type Holidays from 'date-holidays'
import { civilOf, isTimeZone, utcOf } from './alignment/civil-time.ts'
import { CovariateInputError } from './covariate-input-error.ts'
import type { KeyOf } from './covariate-key.ts'
import { observationsOf } from './observations.ts'
import type { CovariateAnswer, CovariateRequest, Provider } from './provider.ts'

const dayMs = 86_400_000
/** Days to and since a holiday stop counting there. */
const maxDistance = 366

/**
 * Holidays of more than 200 countries, reckoned here, without any network. A day is one of the key's zone. `is_holiday`:
 * public holidays, substitute days included; `is_observance`: all other named days; `is_bridge_day`: a single working day
 * between public holidays or weekends that touches a holiday. The calendar counts as known at all times, although single
 * days (a state funeral) were announced shortly before.
 */
export function holidays (id = 'calendar'): Provider {
  return {
    id,
    kind: 'holidays',
    transport: 'builtin',
    attribution: 'Holidays by date-holidays (ISC), data from Wikipedia, CC BY-SA 3.0',
    async covers (key) {
      const { country } = key as KeyOf['holidays']
      const { default: Calendar } = await import('date-holidays')
      return country.toUpperCase() in new Calendar().getCountries()
    },
    lagOf: () => ({ always: true }),
    fetch
  }
}

/** Throws CovariateInputError for a country or a part of one whose holidays are not known. */
export async function checkCountry ({ country, subdivision }: Pick<KeyOf['holidays'], 'country' | 'subdivision'>): Promise<void> {
  const { default: Calendar } = await import('date-holidays')
  calendarOf(Calendar, { country, subdivision })
}

/** The zone whose days a country's holidays are, where nothing else is said. */
export async function countryZone ({ country, subdivision }: Pick<KeyOf['holidays'], 'country' | 'subdivision'>): Promise<string> {
  const { default: Calendar } = await import('date-holidays')
  return zoneOf(calendarOf(Calendar, { country, subdivision }), { timeZone: null })
}

async function fetch (request: CovariateRequest): Promise<CovariateAnswer> {
  const key = request.key as KeyOf['holidays']
  // A hundred milliseconds and 12 MB, for those who need them.
  const { default: Calendar } = await import('date-holidays')
  const calendar = calendarOf(Calendar, key)
  const timeZone = zoneOf(calendar, key)
  const first = Math.floor(civilOf(request.startMs, timeZone) / dayMs)
  const last = Math.floor(civilOf(request.endMs - 1, timeZone) / dayMs)
  const { offDays, named } = await readDays(calendar, first - maxDistance, last + maxDistance)
  const days = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  const distance = (day: number, direction: 1 | -1) => {
    for (let away = 0; away <= maxDistance; away++) if (offDays.has(day + direction * away)) return away
    return maxDistance
  }
  const values: Record<string, (day: number) => number> = {
    is_holiday: (day) => Number(offDays.has(day)),
    is_observance: (day) => Number(named.has(day)),
    is_bridge_day: (day) => Number(isBridge(day, offDays)),
    days_to_holiday: (day) => distance(day, 1),
    days_since_holiday: (day) => distance(day, -1)
  }
  const validTimeMs = days.map((day) => utcOf(day * dayMs, timeZone))
  // The first day may have begun before the range; its value holds inside all the same.
  const range = { startMs: Math.min(request.startMs, validTimeMs[0] ?? request.startMs), endMs: request.endMs }
  return {
    observations: request.variables.flatMap((variable) => {
      const valueOf = values[variable]
      return valueOf === undefined ? [] : [observationsOf(variable, 'P1D', { validTimeMs, values: days.map(valueOf) }, range)]
    }),
    missing: []
  }
}

function calendarOf (Calendar: typeof Holidays, { country, subdivision }: Pick<KeyOf['holidays'], 'country' | 'subdivision'>): Holidays {
  const countries = Object.keys(new Calendar().getCountries())
  const code = country.toUpperCase()
  if (!countries.includes(code)) throw new CovariateInputError('holidays.country_code', `${JSON.stringify(country.slice(0, 40))} is not a country whose holidays are known. Known: ${countries.sort().join(', ')}`)
  if (subdivision === null) return new Calendar(code)
  const parts = Object.keys(new Calendar().getStates(code) ?? {})
  // ISO 3166-2 puts the country before: DE-BY.
  const part = subdivision.toUpperCase().replace(new RegExp(`^${code}-`), '')
  if (!parts.includes(part)) {
    const known = parts.length === 0 ? `${code} has none` : `of ${code} are known ${parts.sort().join(', ')}`
    throw new CovariateInputError('holidays.subdivision_code', `${JSON.stringify(subdivision.slice(0, 40))} is not a known part of the country; ${known}`)
  }
  return new Calendar(code, part)
}

function zoneOf (calendar: Holidays, { timeZone }: Pick<KeyOf['holidays'], 'timeZone'>): string {
  if (timeZone === null) return calendar.getTimezones()[0] ?? 'UTC'
  if (!isTimeZone(timeZone)) throw new CovariateInputError('holidays.timezone', `${JSON.stringify(timeZone.slice(0, 60))} is not a time zone; one looks like Europe/Berlin`)
  return timeZone
}

/** Numbers of days since 1970. A holiday that begins at sunset counts from the day that it is named after. */
async function readDays (calendar: Holidays, first: number, last: number): Promise<{ offDays: Set<number>, named: Set<number> }> {
  const offDays = new Set<number>()
  const named = new Set<number>()
  const [from, to] = [first, last].map((day) => new Date(day * dayMs).getUTCFullYear()) as [number, number]
  for (let year = from; year <= to; year++) {
    // A year takes some 20 ms, and a worker has other things to do.
    await yieldToOthers()
    for (const { date, start, end, type } of calendar.getHolidays(year)) {
      const day = Date.parse(`${date.slice(0, 10)}T00:00:00Z`) / dayMs
      // Days of a change of clocks have 23 or 25 hours.
      const length = Math.max(1, Math.round((end.getTime() - start.getTime()) / dayMs))
      for (let index = 0; index < length; index++) (type === 'public' ? offDays : named).add(day + index)
    }
  }
  return { offDays, named }
}

function isBridge (day: number, offDays: ReadonlySet<number>): boolean {
  const isOff = (one: number) => offDays.has(one) || isWeekend(one)
  return !isOff(day) && isOff(day - 1) && isOff(day + 1) && (offDays.has(day - 1) || offDays.has(day + 1))
}

/** Day 0 was a Thursday. */
function isWeekend (day: number): boolean {
  const weekday = (((day + 4) % 7) + 7) % 7
  return weekday === 0 || weekday === 6
}
