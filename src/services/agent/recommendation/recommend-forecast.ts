import type { DataProfile } from '../../../domain/data-profile.ts'
import type { ForecastIntent } from '../../../domain/forecast-intent.ts'
import type { Preset } from '../../../domain/forecast-spec.ts'
import { chooseCovariates, stepsKnown } from './choose-covariates.ts'
import { coherence } from './coherence.ts'
import { combinedSteps, tooFewSteps } from './combined-steps.ts'
import { filterReasons, mostlyMissing, prepareRows, takenOutOfSeries } from './prepare-rows.ts'
import { forecastSpan } from './forecast-span.ts'
import { countSeries, nestedLevels, seriesNames, shareLeft, shortestLength } from './series-names.ts'
import type { Recommendation, RecommendationInput, RecommendedConfig, SeriesNames } from './recommendation.ts'
import { stepsByDefault, stepsWanted } from './steps-ahead.ts'
import { withoutEffect } from './without-effect.ts'

/** Recommends how to forecast what the intent asks for. The target and the time column are known. */
export function recommendForecast (
  { intent, data, horizon, maxHorizon, addsCovariates, isIrregular = false, finer = 0, p90Seconds }: RecommendationInput
): Recommendation {
  const { series } = data
  const { forecast_target: target, time_column: time } = intent
  if (series === null || target === null || time === null) {
    throw new Error('nothing can be recommended for a dataset without target and time')
  }
  const names = seriesNames(intent, data)
  const combined = combinedSteps(intent, data, isIrregular, finer)
  const preparation = prepareRows(intent, data, combined, names)
  const rationale: string[] = []
  const warnings = [...withoutEffect(intent, data), ...combined.rows.notes]

  if (combined.tooLong !== null) {
    warnings.push(
      `${tooFewSteps(combined.tooLong)} ${
        combined.step === null ? 'Steps stay as they are in the data.' : `Those of ${combined.step} are taken.`
      }`
    )
  }
  // If the requested step is too long, its number of steps would mean a different horizon.
  const asked = horizon ?? (combined.tooLong === null ? stepsWanted(intent, data, combined) : undefined)
  const steps = Math.min(asked ?? stepsByDefault(intent, data, combined), maxHorizon)
  rationale.push(asked === undefined
    ? `${steps} steps: nobody said how far, so two seasons, and at most a quarter of the shortest series.`
    : `${steps} steps: ${horizon === null ? 'as the prompt or the intent has it' : 'as the form has it'}${
      combined.endsWithin && horizon === null ? ', and the one that the data end in' : ''
    }.`)
  const span = forecastSpan(intent, data, combined, steps)
  if (span !== undefined) {
    rationale.push(
      `The forecast is of ${span.first === span.last ? span.first : `${span.first} to ${span.last}`}${
        series.trailingGap > 0 ? ', where a series ends with the data' : ''
      }.`
    )
  }
  if (asked === undefined) {
    warnings.push(
      `Nothing says how far the forecast shall reach: it has ${steps} steps. Say it in the prompt or in horizon for ` +
        'another length.'
    )
  }
  if (asked !== undefined && asked > maxHorizon) {
    warnings.push(`${asked} steps were asked for, and this deployment forecasts at most ${maxHorizon}.`)
  }
  const shortest = shortestLength(names, data)
  if (steps > shortest) {
    warnings.push(`The horizon of ${steps} steps is longer than the shortest series (${shortest} rows).`)
  }

  const known = stepsKnown(data, combined)
  const candidates = chooseCovariates(intent, data, addsCovariates)
  const used = known < steps ? [] : candidates
  if (used.length < candidates.length) {
    warnings.push(`${candidates.join(', ')}: known for ${known} of the ${steps} steps of every series, so not used.`)
  }
  if (used.length > 0) rationale.push(`Covariates ${used.join(', ')}: known for the steps that are forecast.`)
  const notAhead = new Set([...intent.historical_features,
    ...intent.covariates.filter((name) => !candidates.includes(name))])
  for (const name of notAhead) {
    warnings.push(`${name}: has no values behind the last target, or another part in the forecast, so it is not used.`)
  }
  warnings.push(...takenOutOfSeries(intent, data))
  if (series.missingness > mostlyMissing) {
    warnings.push(
      `${
        Math.round(100 * series.missingness)
      } % of the steps between the first and the last time have no value, so gaps are left as they are: look for a wrong time stamp.`
    )
  }

  rationale.push(...combined.rows.reasons)
  rationale.push(...filterReasons(intent), ...groupingReasons(names, intent))
  const reconciliation = coherence(intent, names)
  const count = countSeries(names, intent, data)
  const nested = reconciliation === null ? nestedLevels(intent, data, count) : []
  if (nested.length > 1) {
    rationale.push(`${nested.join(' > ')} nest: reconciliation would add the sums and keep them coherent.`)
  }
  if (reconciliation !== null) {
    rationale.push(`Sums over ${('columns' in names ? names.columns : []).join(' > ')} are forecast too, and add up.`)
  }

  const counts = { series: count, rows: series.totalRows, covariates: used.length }
  const config: RecommendedConfig = {
    prediction_length: steps,
    presets: 'balanced',
    item_id_column: 'itemId' in names ? names.itemId : freeName(data),
    timestamp_column: time,
    target_column: target,
    freq: combined.step ?? series.freq,
    quantile_levels: intervalLevels(intent.confidence_intervals),
    covariates: used.length === 0 ? null : JSON.stringify(used),
    preparation,
    reconciliation
  }
  config.presets = choosePreset((preset) => p90Seconds(config, preset, counts))
  rationale.push(
    `Preset ${config.presets}: the most accurate that is expected to end soon, of about ${counts.series} series and ${
      Math.ceil(counts.rows * shareLeft(intent, data))
    } rows.`
  )
  return { config, rationale, warnings, counts }
}

/** A name for the column of joined ids that no column of the file has. */
function freeName ({ columns }: DataProfile): string {
  let name = 'item_id'
  while (columns.some((column) => column.name === name)) name = `series_${name}`
  return name
}

function groupingReasons (names: SeriesNames, intent: ForecastIntent): string[] {
  if ('itemId' in names) return [`Each value of ${names.itemId} is a series.`]
  if (names.columns.length === 0) return ['The rows are one series.']
  return [
    `Each ${names.columns.join(' and ')} is a series${intent.grouping_dimensions.length > 0 ? ', as asked for' : ''}.`
  ]
}

/** How many seconds the forecast of each preset may take in nine of ten cases. */
const patience: ReadonlyArray<{ preset: Preset, seconds: number }> = [{ preset: 'best', seconds: 60 }, {
  preset: 'balanced',
  seconds: 600
}]

/** Chooses the most accurate preset that is fast enough on this deployment. */
export function choosePreset (p90Seconds: (preset: Preset) => number): Preset {
  return patience.find(({ preset, seconds }) => p90Seconds(preset) <= seconds)?.preset ?? 'fast'
}

/** More intervals do not fit into the field of a request. */
const maxIntervals = 10

/**
 * The quantile levels in the form of a request: the ends of the intervals, and the median; null: the defaults.
 * `intervals` are shares of the outcomes.
 */
export function intervalLevels (intervals: readonly number[]): string | null {
  if (intervals.length === 0) return null
  const levels = intervals.slice(0, maxIntervals).flatMap((share) => [(1 - share) / 2, (1 + share) / 2])
  const rounded = new Set([...levels, 0.5].map((level) => Math.round(level * 1e6) / 1e6))
  return JSON.stringify([...rounded].filter((level) => level > 0 && level < 1).sort((left, right) => left - right))
}
