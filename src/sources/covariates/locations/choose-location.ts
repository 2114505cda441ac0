import type { CovariateWhere, ResolvedLocation } from '../../../domain/external-covariates-spec.ts'
import { isTimeZone } from '../alignment/civil-time.ts'
import { CovariateInputError } from '../covariate-input-error.ts'

type Text = string | null | undefined
type Degrees = number | null | undefined

/**
 * The ways in which a request can locate its series: the fields of the weather block and, last, of the request itself.
 */
export interface LocationFields {
  latitude_column?: Text
  longitude_column?: Text
  latitude?: Degrees
  longitude?: Degrees
  resolved_location?: { [Field in keyof ResolvedLocation]?: ResolvedLocation[Field] | null } | null | undefined
  city?: Text
}

export type ChosenLocation = Extract<CovariateWhere, { type: 'columns' | 'place' | 'city' }>

/**
 * The first that is given, in this order: columns of the dataset, coordinates of the block, `resolved_location`, a
 * city, coordinates of the request; null if none is. Throws CovariateInputError for half a pair.
 */
export function chooseLocation (kind: 'weather' | 'air_quality', block: LocationFields,
  request: { latitude?: Degrees, longitude?: Degrees }): ChosenLocation | null {
  const columns = pair(`${kind}.latitude_column`, block.latitude_column, block.longitude_column)
  if (columns !== null) return { type: 'columns', latitude: columns[0], longitude: columns[1] }
  const own = pair(`${kind}.latitude`, block.latitude, block.longitude)
  if (own !== null) return at(own, null)
  const resolved = block.resolved_location ?? {}
  if (typeof resolved.timezone === 'string' && !isTimeZone(resolved.timezone)) {
    throw new CovariateInputError(`${kind}.resolved_location.timezone`,
      `${JSON.stringify(resolved.timezone.slice(0, 60))} is not a time zone; one looks like Europe/Berlin`)
  }
  const known = pair(`${kind}.resolved_location`, resolved.latitude, resolved.longitude)
  if (known !== null) {
    return at(known, {
      query: '',
      name: '',
      country: '',
      admin1: null,
      timezone: null,
      ...withoutNulls(resolved),
      latitude: known[0],
      longitude: known[1]
    })
  }
  const query = block.city ?? resolved.query
  if (query !== null && query !== undefined) return { type: 'city', query }
  const last = pair('latitude', request.latitude, request.longitude)
  return last === null ? null : at(last, null)
}

function at ([latitude, longitude]: [number, number], location: ResolvedLocation | null): ChosenLocation {
  return { type: 'place', latitude, longitude, location, note: null }
}

/** Both, or null for neither. */
function pair<T> (field: string, one: T | null | undefined, other: T | null | undefined): [T, T] | null {
  if (one !== null && one !== undefined && other !== null && other !== undefined) return [one, other]
  if ((one ?? other) !== null && (one ?? other) !== undefined) {
    throw new CovariateInputError(field, 'latitude and longitude come together, or not at all')
  }
  return null
}

function withoutNulls (fields: Record<string, unknown>): Partial<ResolvedLocation> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined))
}
