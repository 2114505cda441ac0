import type { DataProfile } from '../../../domain/data-profile.ts'
import type { ForecastIntent } from '../../../domain/forecast-intent.ts'
import { maxCovariates } from '../../forecasts/covariates.ts'
import { readFrequency, stepSeconds, type Frequency } from '../time/frequency.ts'
import { coherenceWish } from './coherence.ts'
import type { CombinedSteps } from './combined-steps.ts'
import { rowFilters } from './prepare-rows.ts'
import { maxColumnName } from './recommendation.ts'

/** Characters that a request takes as its list of covariates. */
const maxText = 500

/**
 * Columns known for the steps that are forecast: those of the intent; with `addsOwn`, where it names none, those that
 * move with the target and that nobody wants left out.
 */
export function chooseCovariates (intent: ForecastIntent, data: DataProfile, addsOwn: boolean): string[] {
  const { columns, series } = data
  const knownAhead = new Set(
    columns.filter(({ name, isKnownAhead }) => isKnownAhead && name.length <= maxColumnName).map(({ name }) => name)
  )
  // Sums that add up name the series by all levels.
  const levels = coherenceWish(intent) === undefined ? [] : series?.hierarchyColumns ?? []
  const roles = new Set([intent.forecast_target, intent.time_column, ...intent.grouping_dimensions,
    ...intent.entity_columns, ...levels])
  // What the prompt says is known for the past only is not used, whatever rows the file has of it.
  const past = new Set(intent.historical_features.filter((name) => !intent.known_future_features.includes(name)))
  const named = [...new Set([...intent.covariates, ...intent.known_future_features])].filter((name) => !past.has(name))
  if (named.length > 0 || !addsOwn) return thatFit(named.filter((name) => knownAhead.has(name) && !roles.has(name)))
  // Rows that a filter takes out of a series leave its covariates with gaps.
  if (rowFilters(intent, data).length > 0) return []
  const refused = new Set(intent.user_constraints)
  return thatFit(
    (series?.suspectedCovariates ?? []).filter((name) =>
      knownAhead.has(name) && !roles.has(name) && !refused.has(`without ${name}`)
    )
  )
}

/** Steps behind the last target of every series that the file has rows for. */
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
