import type { DatasetProfile, ForecastSpec, JobSize, Preset } from '../queue/messages.ts'

/**
 * Rough cost of one series in milliseconds of one core: a constant, and a part that grows with its length and its
 * horizon and with the covariates. Only the order of magnitude matters: it decides which jobs may not hold up the others.
 */
const costByPreset: Record<Preset, { perSeries: number, perStep: number }> = {
  fast: { perSeries: 0.2, perStep: 0.002 },
  balanced: { perSeries: 1, perStep: 0.01 },
  best: { perSeries: 5, perStep: 0.05 }
}

/** Milliseconds of a core per step for the square of the number of regressors: each model fits them again and again. */
const costOfRegressors = 0.0005
/** A covariate of text gives as many columns as it has categories, up to a dozen; all of them together this many. */
const mostRegressors = { perCovariate: 12, together: 30 }

/** Jobs above this estimate wait in the line of large ones. */
const smallJobMs = 1_000

/**
 * Every parent is forecast too: a hierarchy whose parents have two children or more has fewer parents than series at the bottom.
 * Weights from a backtest cost one more forecast a window.
 */
function forecastsPerSeries ({ reconciliation }: ForecastSpec): number {
  if (reconciliation === undefined) return 1
  const { weights, residualWindows } = reconciliation
  return 2 * (weights === 'wls_var' || weights === 'shrink' ? 1 + residualWindows : 1)
}

/** Without a profile (the input was too large to be checked at once) a job is large. */
export function jobSize (profile: DatasetProfile | null, spec: ForecastSpec): JobSize {
  if (profile === null) return 'large'
  const { perSeries, perStep } = costByPreset[spec.preset]
  const steps = profile.rows + profile.series * spec.predictionLength
  const regressors = Math.min(mostRegressors.together, (spec.columns.covariates?.length ?? 0) * mostRegressors.perCovariate)
  const ms = profile.series * perSeries + steps * (perStep + (spec.preset === 'fast' ? 0 : costOfRegressors * regressors ** 2))
  return ms * forecastsPerSeries(spec) <= smallJobMs ? 'small' : 'large'
}
