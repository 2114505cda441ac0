import type { ForecastSpec } from '../../domain/forecast-spec.ts'
import { isTabular, type JobSpec } from '../../domain/job.ts'
import type { ForecastCounts, TableCounts } from './workload.ts'

/** The prices of a deployment. */
export interface RateCard {
  version: string
  /** For one second of one core; null: nothing is charged. */
  perCpuSecond: number | null
  currency: string | null
}

export interface Cost {
  units: number
  unit: 'forecast_point'
  amount: number | null
  currency: string | null
  rateCardVersion: string
  /** Adds up to `units`. */
  breakdown: { predict: number, residual_windows: number, explainability: number, covariates: number }
}

/**
 * Units for one step of a series, in proportion to the presets' times on one core (bench/results/engine.json). A
 * fine-tuned model fits nothing.
 */
const weights = { fast: 1, balanced: 7, best: 27, tuned: 1, training: 27 }
/** Units for one row of a table, whatever its columns. */
const perTableRow = 7
/**
 * `covariate`: share of the forecast's units for each covariate. `explained`: units for one step of a series with
 * analyses.
 */
const surcharge = { covariate: 0.1, explained: 1 }

/** `cpuSeconds`: the estimated seconds of all cores together. */
export function costOf (spec: JobSpec, data: ForecastCounts | TableCounts, cpuSeconds: number,
  { version, perCpuSecond, currency }: RateCard): Cost {
  const breakdown = isTabular(spec)
    ? {
      predict: data.rows * perTableRow,
      residual_windows: 0,
      explainability: spec.explainability === undefined ? 0 : data.rows * surcharge.explained,
      covariates: 0
    }
    : forecastUnits(spec, data as ForecastCounts)
  return {
    units: Object.values(breakdown).reduce((sum, part) => sum + part, 0),
    unit: 'forecast_point',
    // Not rounded to cents, because small fractions matter in sums.
    amount: perCpuSecond === null ? null : Math.round(perCpuSecond * cpuSeconds * 1e6) / 1e6,
    currency: perCpuSecond === null ? null : currency,
    rateCardVersion: version,
    breakdown
  }
}

function forecastUnits (spec: ForecastSpec, { series, covariates }: ForecastCounts): Cost['breakdown'] {
  const { training, modelId, preset, predictionLength, reconciliation, explainability } = spec
  const points = series * predictionLength
  const predict = points * weights[training !== undefined ? 'training' : modelId !== undefined ? 'tuned' : preset]
  const isBacktested = reconciliation?.weights === 'wls_var' || reconciliation?.weights === 'shrink'
  return {
    predict,
    residual_windows: predict * (isBacktested ? reconciliation?.residualWindows ?? 0 : 0) +
      predict * (training?.validationWindows ?? 0),
    explainability: explainability === undefined ? 0 : points * surcharge.explained,
    covariates: Math.round(predict * surcharge.covariate * covariates)
  }
}
