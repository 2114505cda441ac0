/** The kinds of `external_covariates`, as the request names them. */
export const covariateKinds = ['weather', 'holidays', 'macro', 'air_quality', 'rates', 'electricity',
  'transport'] as const
export type CovariateKind = typeof covariateKinds[number]

/** What stands in for values that nobody knows yet. */
export const futureStrategies = ['forward_fill_latest', 'seasonal_naive', 'none', 'error'] as const
export type FutureStrategy = typeof futureStrategies[number]

/** A city as it was found, in the terms of `resolved_location`. */
export interface ResolvedLocation {
  query: string
  name: string
  country: string
  admin1: string | null
  timezone: string | null
  latitude: number
  longitude: number
}

/** What a kind is asked about besides its variables. */
export type CovariateWhere =
  /** Columns of the dataset say where each series is, in degrees. */
  | { type: 'columns', latitude: string, longitude: string }
  /** `location`: the city that was named; `note`: what the sender should know of how it was found. */
  | { type: 'place', latitude: number, longitude: number, location: ResolvedLocation | null, note: string | null }
  /** A city that the bundled list does not have: a provider looks it up. */
  | { type: 'city', query: string }
  /**
   * ISO 3166-1 alpha-2; the part of it as `date-holidays` writes it; the zone whose days are meant, null: the country's
   * first.
   */
  | { type: 'country', country: string, subdivision: string | null, timeZone: string | null }
  | { type: 'zone', zone: string }
  | { type: 'line', line: string }
  /** Whole series: their variables say it all. */
  | { type: 'series' }

/** One kind of covariates from outside, with every default resolved. */
export interface ExternalCovariatesSpec {
  kind: CovariateKind
  /** Not empty. */
  variables: string[]
  /** Id of a provider; `auto`: the first that covers what is asked for. */
  source: string
  /** Only what was published at the last observation. */
  pointInTime: boolean
  /** A gap fails the job. */
  requireCoverage: boolean
  /** Only values whose publication the provider gives. */
  requirePublished: boolean
  /** null: the kind's values are known ahead, or they are not. */
  futureStrategy: FutureStrategy | null
  where: CovariateWhere
}

export type CovariateStatus = 'used' | 'partial' | 'skipped' | 'failed'

/** What became of one kind. */
export interface CovariateSourceReport {
  status: CovariateStatus
  /** null: everything was used. */
  reason: string | null
  /** Id of the provider that answered; null: none did. */
  provider: string | null
  /** As asked for. */
  source: string
  attribution: string | null
  variablesRequested: string[]
  /** Those that the models get. */
  variablesUsed: string[]
  where: CovariateWhere
  /** Different places of the series. */
  places: number
  pointInTime: boolean
  /** The newest issue and publication among the values used, ISO 8601; null: not known. */
  issuedAt: string | null
  publishedThrough: string | null
  /**
   * Least shares of steps that are known, over variables and places, before anything was filled; null: nothing was
   * fetched.
   */
  historyCoverage: number | null
  futureCoverage: number | null
  futureStrategy: FutureStrategy | null
  /** Hash of all values with their times of publication; null: nothing was fetched. */
  snapshotId: string | null
}

/** What was used of the covariates from outside. */
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

/** How many columns are asked for. */
export function externalColumnCount (specs: readonly ExternalCovariatesSpec[] = []): number {
  return specs.reduce((count, { variables }) => count + variables.length, 0)
}

/** The columns of the dataset that say where a series is, latitude first; empty: none do. */
export function locationColumns (specs: readonly ExternalCovariatesSpec[] = []): string[] {
  // All kinds have the same ones: those of the weather block.
  const [located] = specs.flatMap(({ where }) => where.type === 'columns' ? [where] : [])
  return located === undefined ? [] : [located.latitude, located.longitude]
}
