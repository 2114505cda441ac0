import type { ExternalCovariatesSpec } from '../../../domain/external-covariates-spec.ts'
import { isTimeZone } from '../alignment/civil-time.ts'
import { CovariateInputError } from '../covariate-input-error.ts'
import type { KeyOf, Kind, Place } from '../covariate-key.ts'
import { cityName, isMeant, pickCity, zoneAt } from '../locations/resolve-city.ts'
import type { ProviderRegistry } from '../provider-registry.ts'
import type { CovariateAnswer, Provider } from '../provider.ts'

/** A request to one provider for the series at one location. */
export interface KindQuestion {
  key: KeyOf[Kind]
  /** The zone that decides when a day begins, for steps of a day or longer; null: UTC. */
  zone: string | null
  provider: Provider
}

export interface FetchRange {
  startMs: number
  endMs: number
  cutoffMs: number
}

/** The kind's key for series at that location. Throws CovariateInputError, also for a city that nobody knows. */
export async function keyFor ({ kind, where }: ExternalCovariatesSpec, place: Place | null, registry: ProviderRegistry,
  signal: AbortSignal): Promise<{ key: KeyOf[Kind], zone: string | null }> {
  switch (where.type) {
    case 'columns': {
      if (place === null) throw new Error('the survey has no places')
      return { key: place, zone: await zoneOf(place) }
    }
    case 'place': {
      const { latitude, longitude, location } = where
      return { key: { latitude, longitude }, zone: location?.timezone ?? await zoneOf({ latitude, longitude }) }
    }
    case 'city': {
      const named = registry.geocode === null ? [] : await registry.geocode(cityName(where.query), signal)
      const cities = named.filter((city) => isMeant(where.query, city))
      if (cities.length === 0) {
        throw new CovariateInputError(`${kind}.city`,
          `${JSON.stringify(where.query.slice(0, 80))} is not a known city; give latitude and longitude`)
      }
      const { location: { latitude, longitude, timezone } } = pickCity(where.query, cities, await zoneAt())
      return {
        key: { latitude, longitude },
        zone: timezone !== null && isTimeZone(timezone) ? timezone : await zoneOf({ latitude, longitude })
      }
    }
    case 'country': {
      const { country, subdivision, timeZone } = where
      return { key: { country, subdivision, timeZone }, zone: timeZone ?? await zoneOfCountry(country, subdivision) }
    }
    // Days are those of the European market, and of Finland's trains.
    case 'zone':
      return { key: { zone: where.zone }, zone: 'Europe/Brussels' }
    case 'line':
      return { key: { line: where.line }, zone: 'Europe/Helsinki' }
    case 'series':
      return { key: {}, zone: null }
  }
}

/** The provider's values in the range, as of its cutoff or of now. */
export async function fetchFrom ({ kind, variables, pointInTime }: ExternalCovariatesSpec,
  { key, provider }: KindQuestion, range: FetchRange, signal: AbortSignal): Promise<CovariateAnswer> {
  return await provider.fetch({ kind, key, variables, ...range, mode: pointInTime ? 'as_of' : 'latest', signal })
}

async function zoneOf ({ latitude, longitude }: Place): Promise<string> {
  return (await zoneAt())(latitude, longitude)
}

async function zoneOfCountry (country: string, subdivision: string | null): Promise<string> {
  const { countryZone } = await import('../holidays.ts')
  return await countryZone({ country, subdivision })
}
