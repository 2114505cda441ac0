import type { DatasetProfile } from '../../domain/dataset-profile.ts'
import type { ModelFile } from '../../domain/files.ts'
import type { ForecastSpec } from '../../domain/forecast-spec.ts'
import { isTabular, type JobSize, type JobSpec } from '../../domain/job.ts'
import type { TabularProfile } from '../../domain/tabular-spec.ts'
import { defined } from '../../platform/defined.ts'
import { forecastCostMs, tableCostMs } from './job-cost.ts'
import { idBytes } from './result-bytes.ts'

/** Jobs above this estimate wait in the line of large jobs. */
const smallJobMs = 1_000

/**
 * Milliseconds for each byte of an id in a row of the result: 90 ids of 32,000 characters, with 1,000 steps each, took
 * 20 s.
 */
const costOfIds = 7e-6

/** Analyses of thousands of rows, at least. */
const analysesMs = 500

/**
 * All analyses but the plot fit models to thousands of rows many times, so they are large whatever the forecast costs.
 */
function needsRows ({ explainability }: ForecastSpec): boolean {
  return explainability?.analyses.some((name) => name !== 'forecast_plot') === true
}

/**
 * The estimated cost in milliseconds of one core; Infinity without a profile: the input was too large to check.
 * `bytes`: of the file, as far as it is known.
 */
export function jobCostMs (profile: DatasetProfile | TabularProfile | null, spec: JobSpec,
  model?: Pick<ModelFile, 'features'>, bytes = 0): number {
  if (profile === null) return Infinity
  if (!('series' in profile)) return tableCostMs(profile)
  if (isTabular(spec)) return Infinity
  const costMs = forecastCostMs({ ...profile, ...defined({ features: model?.features }) }, spec)
  const idsMs = costOfIds * idBytes(profile, bytes) * spec.predictionLength
  return costMs + idsMs + (needsRows(spec) ? analysesMs : 0)
}

/**
 * Trainings and tables are large whatever they cost: 130 rows of 5 columns took 3 s. `checkMs`: what the check took,
 * because the job reads and prepares the same input again.
 */
export function jobSize (profile: DatasetProfile | TabularProfile | null, spec: JobSpec, checkMs = 0,
  model?: Pick<ModelFile, 'features'>, bytes = 0): JobSize {
  if (isTabular(spec) || spec.training !== undefined || needsRows(spec)) return 'large'
  return checkMs + jobCostMs(profile, spec, model, bytes) <= smallJobMs ? 'small' : 'large'
}
