import type { ForecastSpec } from './forecast-spec.ts'
import type { TabularSpec, TabularTask } from './tabular-spec.ts'

export type JobSize = 'small' | 'large'

export type JobType = 'forecast' | 'fine_tune' | TabularTask

/** What a job does, with every default resolved; `isTabular` tells which of them it is. */
export type JobSpec = ForecastSpec | TabularSpec

export function isTabular (spec: JobSpec): spec is TabularSpec {
  return 'task' in spec
}
