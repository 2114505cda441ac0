export { covariateKinds as kinds, type CovariateKind as Kind } from '../../domain/external-covariates-spec.ts'

export interface Place {
  /** Degrees north, -90 to 90. */
  latitude: number
  /** Degrees east, -180 to 180. */
  longitude: number
}

/**
 * What a kind is asked about besides its variables. Macro figures and rates are whole series: their variables say it
 * all.
 */
export interface KeyOf {
  weather: Place
  air_quality: Place
  holidays: {
    /** ISO 3166-1 alpha-2, such as DE. */
    country: string
    /** A part of the country as `date-holidays` writes it, such as BY. */
    subdivision: string | null
    /** IANA name of the zone whose days are meant; null: the country's first. */
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
