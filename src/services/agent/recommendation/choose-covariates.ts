import type { DataProfile } from '../../../domain/data-profile.ts'
import type { ForecastIntent } from '../../../domain/forecast-intent.ts'
import { maxCovariates } from '../../forecasts/covariates.ts'
import { readFrequency, stepSeconds, type Frequency } from '../time/frequency.ts'
import { coherenceWish } from './coherence.ts'
import type { CombinedSteps } from './combined-steps.ts'
import { rowFilters } from './prepare-rows.ts'
import { maxColumnName } from './recommendation.ts'

/** The maximum length of a request's list of covariates, in characters. */
const maxText = 500

/**
 * Chooses columns that are known for the whole horizon: those of the intent. If it names none and `addsOwn` is set,
 * chooses columns that move with the target and that the prompt does not exclude.
 */
export function chooseCovariates (intent: ForecastIntent, data: DataProfile, addsOwn: boolean): string[] {
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
export function stepsKnown ({ series }: DataProfile, { step, endsWithin }: CombinedSteps): number {
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
