import { Type } from 'typebox'
import { jsonReader } from '../http/read-json.ts'
import type { Source } from '../http/source.ts'
import type { City } from '../locations/city.ts'
import { openMeteoRefusal } from './hourly-answer.ts'

/** If nothing matches, there is no `results`. */
const read = jsonReader(Type.Object({
  results: Type.Optional(Type.Array(Type.Object({
    name: Type.String(),
    latitude: Type.Number({ minimum: -90, maximum: 90 }),
    longitude: Type.Number({ minimum: -180, maximum: 180 }),
    country_code: Type.Optional(Type.String()),
    admin1: Type.Optional(Type.String()),
    timezone: Type.Optional(Type.String()),
    population: Type.Optional(Type.Number())
  })))
}))

const weekMs = 7 * 86_400_000

/** Up to ten cities of that name, from Open-Meteo's geocoding. Rejects with a ProviderError. */
export async function geocode (source: Source, name: string, signal: AbortSignal): Promise<City[]> {
  const { value } = await source.get({
    path: '/v1/search',
    parameters: { name, count: '10', language: 'en', format: 'json' },
    accepts: ['application/json'],
    ttlMs: weekMs,
    read,
    refusal: openMeteoRefusal(source.id),
    signal
  })
  return (value.results ?? []).map((place) => ({
    name: place.name,
    country: place.country_code ?? '',
    admin1: place.admin1 ?? null,
    timezone: place.timezone ?? null,
    population: place.population ?? 0,
    latitude: place.latitude,
    longitude: place.longitude
  }))
}
