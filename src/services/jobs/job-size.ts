import type { DatasetProfile } from '../../domain/dataset-profile.ts'
import type { ModelFile } from '../../domain/files.ts'
import type { ForecastSpec } from '../../domain/forecast-spec.ts'
import { isTabular, type JobSize, type JobSpec } from '../../domain/job.ts'
import type { TabularProfile } from '../../domain/tabular-spec.ts'
import { defined } from '../../platform/defined.ts'
import { forecastCostMs } from './job-cost.ts'

/** Jobs above this estimate wait in the line of large jobs. */
const smallJobMs = 1_000

/**
 * All analyses but the plot fit models to thousands of rows many times, so they are large whatever the forecast costs.
 */
function needsRows ({ explainability }: ForecastSpec): boolean {
  return explainability?.analyses.some((name) => name !== 'forecast_plot') === true
}

/**
 * The estimated cost in milliseconds of one core; Infinity for a job without a profile (its input was too large to
 * check), for every training and for every table: 130 rows of 5 columns took 3 s.
 */
export function jobCostMs (profile: DatasetProfile | TabularProfile | null, spec: JobSpec,
  model?: Pick<ModelFile, 'features'>): number {
  if (profile === null || isTabular(spec) || spec.training !== undefined || !('series' in profile)) return Infinity
  if (needsRows(spec)) return Infinity
  return forecastCostMs({ ...profile, ...defined({ features: model?.features }) }, spec)
}

/** `checkMs`: what the check took, because the job reads and prepares the same input again. */
export function jobSize (profile: DatasetProfile | TabularProfile | null, spec: JobSpec, checkMs = 0,
  model?: Pick<ModelFile, 'features'>): JobSize {
  return checkMs + jobCostMs(profile, spec, model) <= smallJobMs ? 'small' : 'large'
}
