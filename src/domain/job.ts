import type { ForecastSpec } from './forecast-spec.ts'
import type { TabularSpec, TabularTask } from './tabular-spec.ts'

export type JobSize = 'small' | 'large'

export type JobType = 'forecast' | 'fine_tune' | TabularTask

/** The specification of a job, with every default resolved; `isTabular` tells the two apart. */
export type JobSpec = ForecastSpec | TabularSpec

export function isTabular (spec: JobSpec): spec is TabularSpec {
  return 'task' in spec
}

/** Whether its series can be forecast apart. Those of a hierarchy are reconciled, and a training needs all of them. */
export function isDivisible (spec: JobSpec): boolean {
  return !isTabular(spec) && spec.training === undefined && spec.reconciliation === undefined
}
