import type { ResolvedLocation } from '../../../domain/external-covariates-spec.ts'
import { CovariateInputError } from '../covariate-input-error.ts'
import { CityIndex, normalized, type ListedCity } from './city-index.ts'
import type { City } from './city.ts'

export type { ResolvedLocation }

export interface CityAnswer {
  location: ResolvedLocation
  warning: string | null
}

let index: CityIndex | undefined

/** Reads the list of cities, unless it has been read. */
export async function knowCities (): Promise<CityIndex> {
  await zoneAt()
  index ??= new CityIndex()
  return index
}

/**
 * The city that a text names: `Portland`, or with the country or first-level division after commas, `Portland, ME, US`.
 * Among several, the most populous one, with a warning. Computed here, without a network. Throws CovariateInputError
 * that suggests similar names.
 */
export async function resolveCity (query: string, field: string): Promise<CityAnswer> {
  const index = await knowCities()
  const name = cityName(query)
  const found = index.find(name).filter((city) => isMeant(query, city))
  if (found.length === 0) throw unknownCity(query, name, index, field)
  return pickCity(query, found.map((city) => ({ ...city, timezone: null })), await zoneAt())
}

/** The text before the first comma. */
export function cityName (query: string): string {
  return query.split(',', 1)[0]?.trim() ?? ''
}

/** Whether the city is in the country or division after the first comma. */
export function isMeant (query: string, city: Pick<City, 'country' | 'admin1'>): boolean {
  return query.split(',').slice(1).every((part) => isIn(city, part.trim()))
}

/** Gives the IANA zone at coordinates. */
export async function zoneAt (): Promise<(latitude: number, longitude: number) => string> {
  return (await import('@photostructure/tz-lookup')).default
}

/** The most populous of these cities, of which there is at least one. */
export function pickCity (query: string, cities: readonly City[],
  zoneOf: (latitude: number, longitude: number) => string): CityAnswer {
  const [first, ...others] = [...cities].sort((one, other) => other.population - one.population) as [City, ...City[]]
  const { name, country, admin1, latitude, longitude } = first
  const timezone = first.timezone ?? zoneOf(latitude, longitude)
  const warning = others.length === 0
    ? null
    : `There are ${cities.length} cities named ${JSON.stringify(query)}: ${
      label(first)
    }, the most populous, was used; others are ${others.slice(0, 3).map(label).join('; ')}.`
  return { location: { query, name, country, admin1, timezone, latitude, longitude }, warning }
}

function label ({ name, country, admin1 }: City): string {
  return [name, admin1, country].filter((part) => part !== null).join(', ')
}

/** Compares with the code or English name of the country, and with the code of the division. */
function isIn (city: Pick<City, 'country' | 'admin1'>, part: string): boolean {
  const wanted = normalized(part)
  return wanted === '' ||
    [city.country, city.admin1 ?? '', countryName(city.country)].some((name) => normalized(name) === wanted)
}

const countryNames = new Intl.DisplayNames('en', { type: 'region' })

/** A geocoder may not give the country. */
function countryName (code: string): string {
  return code === '' ? '' : countryNames.of(code) ?? code
}

function unknownCity (query: string, name: string, index: CityIndex, field: string): CovariateInputError {
  const wanted = normalized(name).slice(0, 100)
  const here = index.find(name)
  const near = here.length > 0 ? here.slice(0, 3) : nearest(wanted, index)
  const places = near.map((city) => `${city.name}, ${city.country}`).join('; ')
  const advice =
    'Cities of 15,000 people and more are known by their name in GeoNames; give latitude and longitude for others.'
  return new CovariateInputError(field,
    `${JSON.stringify(query.slice(0, 80))} is not a known city${
      places === '' ? '.' : `; near are ${places}.`
    } ${advice}`)
}

/** By spelling, then by population. */
function nearest (wanted: string, index: CityIndex): ListedCity[] {
  const near = index.near(wanted)
  near.sort((one, other) => one.distance - other.distance || other.value.population - one.value.population)
  return [...new Set(near.map(({ value }) => value))].slice(0, 3)
}
