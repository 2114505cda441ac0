import type Holidays from 'date-holidays'
import { civilOf, isTimeZone, utcOf } from './alignment/civil-time.ts'
import { CovariateInputError } from './covariate-input-error.ts'
import type { KeyOf } from './covariate-key.ts'
import { LeastRecent } from '../../platform/least-recent.ts'
import { observationsOf } from './observations.ts'
import type { CovariateAnswer, CovariateRequest, Provider } from './provider.ts'

const dayMs = 86_400_000
/** Days to and since a holiday are counted up to this. */
const maxDistance = 366

/**
 * Holidays of more than 200 countries, computed here without a network. Days are those of the key's zone. `is_holiday`:
 * public holidays, substitute days included; `is_observance`: all other named days; `is_bridge_day`: a single working
 * day between public holidays or weekends that touches a holiday. The calendar counts as always known, although single
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
      return countriesOf(Calendar).has(country.toUpperCase())
    },
    lagOf: () => ({ always: true }),
    fetch
  }
}

/** Reads the list of countries, unless it has been read. */
export async function knowCountries (): Promise<void> {
  const { default: Calendar } = await import('date-holidays')
  countriesOf(Calendar)
}

/** Throws CovariateInputError for a country, or a part of one, without known holidays. */
export async function checkCountry (
  { country, subdivision }: Pick<KeyOf['holidays'], 'country' | 'subdivision'>
): Promise<void> {
  const { default: Calendar } = await import('date-holidays')
  calendarOf(Calendar, { country, subdivision })
}

/** The zone of a country's holidays, if the request names none. */
export async function countryZone (
  { country, subdivision }: Pick<KeyOf['holidays'], 'country' | 'subdivision'>
): Promise<string> {
  const { default: Calendar } = await import('date-holidays')
  return zoneOf(calendarOf(Calendar, { country, subdivision }), { timeZone: null })
}

async function fetch (request: CovariateRequest): Promise<CovariateAnswer> {
  const key = request.key as KeyOf['holidays']
  // Loaded on demand, because it costs a hundred milliseconds and 12 MB.
  const { default: Calendar } = await import('date-holidays')
  const calendar = calendarOf(Calendar, key)
  const timeZone = zoneOf(calendar, key)
  const first = Math.floor(civilOf(request.startMs, timeZone) / dayMs)
  const last = Math.floor(civilOf(request.endMs - 1, timeZone) / dayMs)
  const { offDays, named } = readDays(calendar, key, first - maxDistance, last + maxDistance)
  const days = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  const values: Record<string, () => Float64Array> = {
    is_holiday: () => Float64Array.from(days, (day) => Number(offDays.has(day))),
    is_observance: () => Float64Array.from(days, (day) => Number(named.has(day))),
    is_bridge_day: () => Float64Array.from(days, (day) => Number(isBridge(day, offDays))),
    days_to_holiday: () => distances(first, last, offDays, -1),
    days_since_holiday: () => distances(first, last, offDays, 1)
  }
  const validTimeMs = days.map((day) => utcOf(day * dayMs, timeZone))
  // The first day may begin before the range; its value still applies inside.
  const range = { startMs: Math.min(request.startMs, validTimeMs[0] ?? request.startMs), endMs: request.endMs }
  return {
    observations: request.variables.flatMap((variable) => {
      const valuesOf = values[variable]
      return valuesOf === undefined ? [] : [observationsOf(variable, 'P1D', { validTimeMs, values: valuesOf() }, range)]
    }),
    missing: []
  }
}

/** A country's rules take milliseconds to read, and each year up to half a second, so both are kept. */
const calendars = new LeastRecent<Holidays>(200)
const years = new LeastRecent<NamedDays>(4_000)
let countries: Set<string> | undefined

function countriesOf (Calendar: typeof Holidays): Set<string> {
  countries ??= new Set(Object.keys(new Calendar().getCountries()))
  return countries
}

function calendarOf (Calendar: typeof Holidays,
  { country, subdivision }: Pick<KeyOf['holidays'], 'country' | 'subdivision'>): Holidays {
  const known = countriesOf(Calendar)
  const code = country.toUpperCase()
  if (!known.has(code)) {
    throw new CovariateInputError('holidays.country_code',
      `${JSON.stringify(country.slice(0, 40))} is not a country whose holidays are known. Known: ${
        [...known].sort().join(', ')
      }`)
  }
  if (subdivision === null) return calendars.get(code, () => new Calendar(code))
  const parts = Object.keys(calendars.get(code, () => new Calendar(code)).getStates(code) ?? {})
  // ISO 3166-2 puts the country first: DE-BY.
  const part = subdivision.toUpperCase().replace(new RegExp(`^${code}-`), '')
  if (!parts.includes(part)) {
    const names = parts.length === 0 ? `${code} has none` : `of ${code} are known ${parts.sort().join(', ')}`
    throw new CovariateInputError('holidays.subdivision_code',
      `${JSON.stringify(subdivision.slice(0, 40))} is not a known part of the country; ${names}`)
  }
  return calendars.get(`${code}-${part}`, () => new Calendar(code, part))
}

function zoneOf (calendar: Holidays, { timeZone }: Pick<KeyOf['holidays'], 'timeZone'>): string {
  if (timeZone === null) return calendar.getTimezones()[0] ?? 'UTC'
  if (!isTimeZone(timeZone)) {
    throw new CovariateInputError('holidays.timezone',
      `${JSON.stringify(timeZone.slice(0, 60))} is not a time zone; one looks like Europe/Berlin`)
  }
  return timeZone
}

/** Days as numbers since 1970. */
interface NamedDays {
  offDays: Set<number>
  named: Set<number>
}

function readDays (calendar: Holidays, { country, subdivision }: KeyOf['holidays'], first: number,
  last: number): NamedDays {
  const offDays = new Set<number>()
  const named = new Set<number>()
  const [from, to] = [first, last].map((day) => new Date(day * dayMs).getUTCFullYear()) as [number, number]
  for (let year = from; year <= to; year++) {
    const found = years.get(`${country} ${subdivision ?? ''} ${year}`.toUpperCase(), () => readYear(calendar, year))
    for (const day of found.offDays) offDays.add(day)
    for (const day of found.named) named.add(day)
  }
  return { offDays, named }
}

/** A holiday that begins at sunset counts from the day that bears its name. */
function readYear (calendar: Holidays, year: number): NamedDays {
  const found: NamedDays = { offDays: new Set(), named: new Set() }
  for (const { date, start, end, type } of calendar.getHolidays(year)) {
    const day = Date.parse(`${date.slice(0, 10)}T00:00:00Z`) / dayMs
    // Days of a clock change have 23 or 25 hours.
    const length = Math.max(1, Math.round((end.getTime() - start.getTime()) / dayMs))
    for (let index = 0; index < length; index++) (type === 'public' ? found.offDays : found.named).add(day + index)
  }
  return found
}

/**
 * For each day, the distance to the last holiday before it (`step` 1) or the next one after it (-1), in one pass that
 * begins beyond the largest distance that counts.
 */
function distances (first: number, last: number, offDays: ReadonlySet<number>, step: 1 | -1): Float64Array {
  const found = new Float64Array(last - first + 1)
  const [from, to] = step === 1 ? [first - maxDistance, last] : [last + maxDistance, first]
  let away = maxDistance
  for (let day = from; day !== to + step; day += step) {
    away = offDays.has(day) ? 0 : Math.min(maxDistance, away + 1)
    if (day >= first && day <= last) found[day - first] = away
  }
  return found
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
