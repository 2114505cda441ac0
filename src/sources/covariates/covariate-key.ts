export { covariateKinds as kinds, type CovariateKind as Kind } from '../../domain/external-covariates-spec.ts'

export interface Place {
  /** Degrees north, -90 to 90. */
  latitude: number
  /** Degrees east, -180 to 180. */
  longitude: number
}

/**
 * The key that a kind is asked for, besides its variables. Macro figures and rates are whole series, which their
 * variables identify.
 */
export interface KeyOf {
  weather: Place
  air_quality: Place
  holidays: {
    /** ISO 3166-1 alpha-2, such as DE. */
    country: string
    /** A part of the country, spelled as in `date-holidays`, such as BY. */
    subdivision: string | null
    /** IANA name of the zone that decides when a day begins; null: the country's first zone. */
    timeZone: string | null
  }
  macro: Record<never, never>
  rates: Record<never, never>
  electricity: {
    /** A bidding zone such as DE-LU, or its EIC. */
    zone: string
  }
  transport: {
    /** A commuter line such as P, or the number of a train. */
    line: string
  }
}
