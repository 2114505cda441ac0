import type { CovariateKind } from '../../domain/external-covariates-spec.ts'
import { countryOf } from './words/countries.ts'

export interface CovariateSuggestion {
  /** The kind of covariate, as in `external_covariates`. */
  source: CovariateKind
  variables: string[]
  rationale: string
  requirements: {
    /** Fields that the client still has to add to the patch; empty: it can be accepted unchanged. */
    needs: string[]
    provider_available: true
    config_patch: { external_covariates: Partial<Record<CovariateKind, Record<string, unknown>>> }
  }
}

export interface SuggestionInput {
  /** Names of the dataset's columns. */
  columns: readonly string[]
  /** Canonical alias of the step; null: the data have no regular step. */
  freq: string | null
  /** Observations of the longest series. */
  length: number
  /** What the prompt says about covariates, such as `use weather vienna`. */
  constraints: readonly string[]
  /** Whether this deployment offers the kind. */
  isAvailable: (kind: CovariateKind) => boolean
}

/** For each kind: its description, its suggested variables, and the field that names the location. */
const offers: Record<CovariateKind, { topic: string, variables: string[], need: string | null, rationale: string }> = {
  weather: {
    topic: 'weather',
    variables: ['temperature_2m', 'precipitation', 'wind_speed_10m'],
    need: 'city',
    rationale: 'Temperature and rain move demand, energy and visits.'
  },
  holidays: {
    topic: 'holiday',
    variables: ['is_holiday', 'is_observance', 'is_bridge_day'],
    need: 'country_code',
    rationale: 'Public holidays fall on other weekdays each year, which the days of the past do not show.'
  },
  macro: { topic: 'inflation', variables: ['cpi'], need: null, rationale: 'Prices in general move amounts of money.' },
  air_quality: {
    topic: 'air quality',
    variables: ['pm2_5', 'pm10', 'nitrogen_dioxide'],
    need: 'city',
    rationale: 'The air is asked for.'
  },
  rates: { topic: 'interest rate', variables: ['policy_rate'], need: null, rationale: 'Interest rates are asked for.' },
  electricity: {
    topic: 'electricity price',
    variables: ['day_ahead_price'],
    need: 'bidding_zone',
    rationale: 'Prices of electricity for the next day are known the day before.'
  },
  transport: {
    topic: 'train delay',
    variables: ['planned_departures', 'mean_delay_minutes'],
    need: 'train_line',
    rationale: 'Trains are asked for.'
  }
}
const latitudes = /^(?:lat|latitude)$/i
const longitudes = /^(?:lon|lng|long|longitude)$/i
/** With fewer observations, holidays have no visible effect. */
const leastLength = 60

/**
 * Covariates from outside that this deployment can add: those that the prompt asks for, and those that usually help
 * data with steps of this length.
 */
export function suggestCovariates (input: SuggestionInput): CovariateSuggestion[] {
  return (Object.keys(offers) as CovariateKind[]).filter((kind) => input.isAvailable(kind)).flatMap((kind) =>
    suggestionOf(kind, input) ?? []
  )
}

function suggestionOf (kind: CovariateKind, { columns, freq, length, constraints }: SuggestionInput):
  | CovariateSuggestion
  | undefined {
  const { topic, variables, need, rationale } = offers[kind]
  const said = constraints.map((text) => new RegExp(`^(use|without) ${topic}s?(?: (.*))?$`, 'i').exec(text)).find((
    match
  ) => match !== null)
  if (said?.[1] === 'without') return undefined
  const located = locationColumns(columns)
  const isGood = length >= leastLength && isOfDays(freq) &&
    (kind === 'holidays' || (kind === 'weather' && located !== undefined))
  if (said === undefined && !isGood) return undefined
  const place = kind === 'weather' && located !== undefined ? located : placeOf(need, said?.[2])
  return {
    source: kind,
    variables,
    rationale,
    requirements: {
      needs: place === undefined && need !== null ? [need] : [],
      provider_available: true,
      config_patch: { external_covariates: { [kind]: { enabled: true, variables, ...place } } }
    }
  }
}

/** Whether steps are days or shorter. */
function isOfDays (freq: string | null): boolean {
  return freq !== null && /^(?:\d*(?:h|min|s)|D|B)$/.test(freq)
}

function locationColumns (
  columns: readonly string[]
): { latitude_column: string, longitude_column: string } | undefined {
  const [latitude, longitude] = [latitudes, longitudes].map((names) => columns.find((name) => names.test(name)))
  return latitude === undefined || longitude === undefined
    ? undefined
    : { latitude_column: latitude, longitude_column: longitude }
}

function placeOf (need: string | null, named: string | undefined): Record<string, string> | undefined {
  if (need === null || named === undefined) return undefined
  if (need !== 'country_code') return { [need]: named }
  const code = countryOf(named)
  return code === undefined ? undefined : { country_code: code }
}
