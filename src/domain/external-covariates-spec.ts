/** The kinds of `external_covariates`, as the request names them. */
export const covariateKinds = ['weather', 'holidays', 'macro', 'air_quality', 'rates', 'electricity',
  'transport'] as const
export type CovariateKind = typeof covariateKinds[number]

/** What replaces values that are not known yet. */
export const futureStrategies = ['forward_fill_latest', 'seasonal_naive', 'none', 'error'] as const
export type FutureStrategy = typeof futureStrategies[number]

/** The city that was found, as `resolved_location` in the answer has it. */
export interface ResolvedLocation {
  query: string
  name: string
  country: string
  admin1: string | null
  timezone: string | null
  latitude: number
  longitude: number
}

/** The location, or whatever else a kind is asked for besides its variables. */
export type CovariateWhere =
  /** Columns of the dataset have the coordinates of each series, in degrees. */
  | { type: 'columns', latitude: string, longitude: string }
  /** `location`: the city that was named; `note`: what the sender should know about how it was found. */
  | { type: 'place', latitude: number, longitude: number, location: ResolvedLocation | null, note: string | null }
  /** A city that the bundled list does not have; a provider looks it up. */
  | { type: 'city', query: string }
  /**
   * `country` is ISO 3166-1 alpha-2, `subdivision` is spelled as in `date-holidays`. `timeZone` decides when a day
   * begins; null: the country's first zone.
   */
  | { type: 'country', country: string, subdivision: string | null, timeZone: string | null }
  | { type: 'zone', zone: string }
  | { type: 'line', line: string }
  /** Whole series that their variables identify. */
  | { type: 'series' }

/** One kind of covariates from outside, with every default resolved. */
export interface ExternalCovariatesSpec {
  kind: CovariateKind
  /** Not empty. */
  variables: string[]
  /** Id of a provider; `auto`: the first one that covers the request. */
  source: string
  /** Uses only values that were published by the time of the last observation. */
  pointInTime: boolean
  /** A gap fails the job. */
  requireCoverage: boolean
  /** Uses only values whose time of publication the provider gives. */
  requirePublished: boolean
  /** null: the kind has no such option. Its future values are known, or they are missing. */
  futureStrategy: FutureStrategy | null
  where: CovariateWhere
}

export type CovariateStatus = 'used' | 'partial' | 'skipped' | 'failed'

/** The outcome of one kind. */
export interface CovariateSourceReport {
  status: CovariateStatus
  /** Why it was not used, or not all of it; null: everything was used. */
  reason: string | null
  /** Id of the provider that answered; null if none did. */
  provider: string | null
  /** As in the request. */
  source: string
  attribution: string | null
  variablesRequested: string[]
  /** The variables that the models get. */
  variablesUsed: string[]
  where: CovariateWhere
  /** How many different locations the series have. */
  places: number
  pointInTime: boolean
  /** The newest issue and publication among the values used, ISO 8601; null: not known. */
  issuedAt: string | null
  publishedThrough: string | null
  /**
   * The smallest share of steps that had values before anything was filled, over variables and locations; null: nothing
   * was fetched.
   */
  historyCoverage: number | null
  futureCoverage: number | null
  futureStrategy: FutureStrategy | null
  /** Hash of all values with their times of publication; null: nothing was fetched. */
  snapshotId: string | null
}

/** The covariates from outside that a job used. */
export interface ExternalCovariatesReport {
  /** The last observation of the target over all series, ISO 8601. */
  cutoff: string
  /** Names of the covariates that the models get. */
  columnsAdded: string[]
  warnings: string[]
  /** In the order of the request's kinds. */
  sources: Array<CovariateSourceReport & { kind: CovariateKind }>
}

export type { CovariateGrid, CovariateSurvey } from './engine-documents.ts'

/** How many columns the request asks for. */
export function externalColumnCount (specs: readonly ExternalCovariatesSpec[] = []): number {
  return specs.reduce((count, { variables }) => count + variables.length, 0)
}

/** The columns of the dataset with the coordinates of a series, latitude first; empty if there are none. */
export function locationColumns (specs: readonly ExternalCovariatesSpec[] = []): string[] {
  // All kinds have the same columns, those of the weather block.
  const [located] = specs.flatMap(({ where }) => where.type === 'columns' ? [where] : [])
  return located === undefined ? [] : [located.latitude, located.longitude]
}
