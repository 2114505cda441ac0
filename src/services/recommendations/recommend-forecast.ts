import type { DataProfile } from '../../domain/data-profile.ts'
import type { ForecastIntent } from '../../domain/forecast-intent.ts'
import type { Preset } from '../../domain/forecast-spec.ts'
import { chooseCovariates } from './choose-covariates.ts'
import { chooseSteps } from './choose-steps.ts'
import { coherence } from './coherence.ts'
import { combinedSteps } from './combined-steps.ts'
import { filterReasons, mostlyMissing, prepareRows, takenOutOfSeries } from './prepare-rows.ts'
import { countSeries, nestedLevels, seriesNames, shareLeft } from './series-names.ts'
import type { Recommendation, RecommendationInput, RecommendedConfig, SeriesNames } from './recommendation.ts'
import { withoutEffect } from './without-effect.ts'

/** Recommends how to forecast what the intent asks for. The target and the time column are known. */
export function recommendForecast (input: RecommendationInput): Recommendation {
  const { intent, data, addsCovariates, isIrregular = false, finer = 0, p90Seconds } = input
  const { series } = data
  const { forecast_target: target, time_column: time } = intent
  if (series === null || target === null || time === null) {
    throw new Error('nothing can be recommended for a dataset without target and time')
  }
  const names = seriesNames(intent, data)
  const combined = combinedSteps(intent, data, isIrregular, finer)
  const horizon = chooseSteps(input, combined, names)
  const covariates = chooseCovariates(intent, data, addsCovariates, { steps: horizon.steps, combined })
  const reconciliation = coherence(intent, names)
  const count = countSeries(names, intent, data)

  const warnings = [...withoutEffect(intent, data), ...combined.rows.notes, ...horizon.warnings, ...covariates.warnings,
    ...takenOutOfSeries(intent, data)]
  if (series.missingness > mostlyMissing) {
    warnings.push(
      `${
        Math.round(100 * series.missingness)
      } % of the steps between the first and the last time have no value, so gaps are left as they are: look for a wrong time stamp.`
    )
  }
  const rationale = [...horizon.rationale, ...covariates.rationale, ...combined.rows.reasons, ...filterReasons(intent),
    ...groupingReasons(names, intent)]
  const nested = reconciliation === null ? nestedLevels(intent, data, count) : []
  if (nested.length > 1) {
    rationale.push(`${nested.join(' > ')} nest: reconciliation would add the sums and keep them coherent.`)
  }
  if (reconciliation !== null) {
    rationale.push(`Sums over ${('columns' in names ? names.columns : []).join(' > ')} are forecast too, and add up.`)
  }

  const counts = { series: count, rows: series.totalRows, covariates: covariates.used.length }
  const config: RecommendedConfig = {
    prediction_length: horizon.steps,
    presets: 'balanced',
    item_id_column: 'itemId' in names ? names.itemId : freeName(data),
    timestamp_column: time,
    target_column: target,
    freq: combined.step ?? series.freq,
    quantile_levels: intervalLevels(intent.confidence_intervals),
    covariates: covariates.used.length === 0 ? null : JSON.stringify(covariates.used),
    preparation: prepareRows(intent, data, combined, names),
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
