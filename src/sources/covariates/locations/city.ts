export interface City {
  name: string
  /** ISO 3166-1 alpha-2. */
  country: string
  /** First-level division of the country: its name if the source has one, else GeoNames' code, such as CA or 02. */
  admin1: string | null
  /** IANA name. */
  timezone: string | null
  population: number
  latitude: number
  longitude: number
}
