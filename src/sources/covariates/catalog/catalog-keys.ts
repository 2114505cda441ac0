import { eicOf } from '../bidding-zones.ts'
import type { KeyOf, Kind, Place } from '../covariate-key.ts'

/** How far away a location of the catalogue may be, in kilometres. */
const nearKm = 25
const earthRadiusKm = 6371
/** An upper bound of that distance along a meridian, in degrees. */
const nearDegrees = 0.25

/** Folders of keys, and separately those whose names are `latitude,longitude` in degrees. */
export interface KeyFolders {
  names: readonly string[]
  places: ReadonlyArray<Place & { folder: string }>
}

export function keyFolders (names: readonly string[]): KeyFolders {
  const places = names.flatMap((folder) => {
    const [, latitude, longitude] = /^(-?\d{1,2}(?:\.\d+)?),(-?\d{1,3}(?:\.\d+)?)$/.exec(folder) ?? []
    return latitude === undefined ? [] : [{ folder, latitude: Number(latitude), longitude: Number(longitude) }]
  })
  return { names, places }
}

/**
 * The folders that belong to a key: the nearest location within 25 km, a zone by its name or code, a line, or one
 * series for each variable.
 */
export function keysOf (kind: Kind, key: KeyOf[Kind], variables: readonly string[],
  { names: folders, places }: KeyFolders): string[] {
  switch (kind) {
    case 'weather':
    case 'air_quality':
      return nearest(key as Place, places)
    case 'macro':
    case 'rates':
      return folders.filter((folder) => variables.some((variable) => folder === variable.replace('/', '.')))
    case 'electricity': {
      const { zone } = key as KeyOf['electricity']
      const code = eicOf(zone)
      return folders.filter((folder) => folder === zone || (code !== undefined && eicOf(folder) === code)).slice(0, 1)
    }
    case 'transport':
      return folders.filter((folder) => folder === (key as KeyOf['transport']).line)
    case 'holidays': {
      const { country, subdivision } = key as KeyOf['holidays']
      return folders.filter((folder) => folder === (subdivision === null ? country : `${country}-${subdivision}`))
    }
  }
}

/** The nearest location, however far, in words; null: the kind has no locations, or the catalogue has none. */
export function nearestText (kind: Kind, key: KeyOf[Kind], { places }: KeyFolders): string | null {
  if (kind !== 'weather' && kind !== 'air_quality') return null
  const place = key as Place
  let best: { folder: string, km: number } | undefined
  for (const other of places) {
    const km = distanceKm(place, other)
    if (best === undefined || km < best.km) best = { folder: other.folder, km }
  }
  return best === undefined
    ? null
    : `its nearest place, ${best.folder}, is ${
      Math.ceil(best.km)
    } km from ${place.latitude},${place.longitude}, and at most ${nearKm} km count`
}

function nearest (place: Place, places: KeyFolders['places']): string[] {
  let best: { folder: string, km: number } | undefined
  for (const other of places) {
    // Most differ already in latitude, which is cheaper to compare.
    if (Math.abs(other.latitude - place.latitude) > nearDegrees) continue
    const km = distanceKm(place, other)
    if (km <= nearKm && (best === undefined || km < best.km)) best = { folder: other.folder, km }
  }
  return best === undefined ? [] : [best.folder]
}

/** Along a great circle, by the haversine formula. */
function distanceKm (one: Place, other: Place): number {
  const radians = (degrees: number) => degrees * Math.PI / 180
  const half = (degrees: number) => Math.sin(radians(degrees) / 2) ** 2
  const angle = half(other.latitude - one.latitude) +
    Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude)) * half(other.longitude - one.longitude)
  return 2 * earthRadiusKm * Math.asin(Math.min(1, Math.sqrt(angle)))
}
