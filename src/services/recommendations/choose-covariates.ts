import type { DataProfile } from '../../domain/data-profile.ts'
import type { ForecastIntent } from '../../domain/forecast-intent.ts'
import { maxCovariates } from '../forecasts/covariates.ts'
import { readFrequency, stepSeconds, type Frequency } from './time/frequency.ts'
import { coherenceWish } from './coherence.ts'
import type { CombinedSteps } from './combined-steps.ts'
import { rowFilters } from './prepare-rows.ts'
import { maxColumnName, type Reasons } from './recommendation.ts'

/** The maximum length of a request's list of covariates, in characters. */
const maxText = 500

/** Chooses the covariates of a forecast, which every series has for all its steps. */
export function chooseCovariates (intent: ForecastIntent, data: DataProfile, addsOwn: boolean,
  { steps, combined }: { steps: number, combined: CombinedSteps }): Reasons & { used: string[] } {
  const known = stepsKnown(data, combined)
  const candidates = knownColumns(intent, data, addsOwn)
  const used = known < steps ? [] : candidates
  const warnings = used.length < candidates.length
    ? [`${candidates.join(', ')}: known for ${known} of the ${steps} steps of every series, so not used.`]
    : []
  const notAhead = new Set([...intent.historical_features,
    ...intent.covariates.filter((name) => !candidates.includes(name))])
  for (const name of notAhead) {
    warnings.push(`${name}: has no values behind the last target, or another part in the forecast, so it is not used.`)
  }
  const rationale = used.length > 0
    ? [`Covariates ${used.join(', ')}: known for the steps that are forecast.`]
    : []
  return { used, rationale, warnings }
}

/**
 * The columns of the intent that have values behind the last target. If it names none and `addsOwn` is set, those that
 * move with the target and that the prompt does not exclude.
 */
function knownColumns (intent: ForecastIntent, data: DataProfile, addsOwn: boolean): string[] {
  const { columns, series } = data
  const knownAhead = new Set(
    columns.filter(({ name, isKnownAhead }) => isKnownAhead && name.length <= maxColumnName).map(({ name }) => name)
  )
  // Reconciled series are named by all levels of the hierarchy.
  const levels = coherenceWish(intent) === undefined ? [] : series?.hierarchyColumns ?? []
  const roles = new Set([intent.forecast_target, intent.time_column, ...intent.grouping_dimensions,
    ...intent.entity_columns, ...levels])
  // A covariate that is known only for the past, according to the prompt, is not used, whatever rows the file has.
  const past = new Set(intent.historical_features.filter((name) => !intent.known_future_features.includes(name)))
  const named = [...new Set([...intent.covariates, ...intent.known_future_features])].filter((name) => !past.has(name))
  if (named.length > 0 || !addsOwn) return thatFit(named.filter((name) => knownAhead.has(name) && !roles.has(name)))
  // A filter that removes rows within series leaves gaps in covariates.
  if (rowFilters(intent, data).length > 0) return []
  const refused = new Set(intent.user_constraints)
  return thatFit(
    (series?.suspectedCovariates ?? []).filter((name) =>
      knownAhead.has(name) && !roles.has(name) && !refused.has(`without ${name}`)
    )
  )
}

/** How many steps after its last target every series has rows for. */
function stepsKnown ({ series }: DataProfile, { step, endsWithin }: CombinedSteps): number {
  const own = series?.freq == null ? undefined : readFrequency(series.freq)
  if (series === null || own === undefined) return 0
  if (step === null) return series.leastFutureRows
  const longer = stepSeconds(readFrequency(step) as Frequency) / stepSeconds(own)
  return Math.floor(series.leastFutureRows / longer) + (endsWithin ? 1 : 0)
}

function thatFit (names: readonly string[]): string[] {
  const chosen = names.slice(0, maxCovariates)
  while (JSON.stringify(chosen).length > maxText) chosen.pop()
  return chosen
}
