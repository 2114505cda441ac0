import type { ForecastSpec, Preset } from '../../domain/forecast-spec.ts'
import { isTabular, type JobSpec } from '../../domain/job.ts'
import type { TabularProfile, TabularTask } from '../../domain/tabular-spec.ts'
import { covariateCount, forecastCostMs, tableCostMs, type Counts } from '../jobs/job-cost.ts'

/** Only jobs of the same kind are compared. */
export type Kind = Preset | 'tuned' | 'training' | TabularTask

/** What a job's time depends on; holds nothing of the customer's. */
export interface Workload {
  kind: Kind
  /** Milliseconds of one core, by the rough formula that also orders the queue. */
  costMs: number
  rows: number
  /** Columns that are read from each row. */
  columns: number
  isExplained: boolean
}

export type ForecastCounts = Counts & { covariates: number }
export type TableCounts = Pick<TabularProfile, 'rows' | 'columns'>

export function forecastWorkload (counts: ForecastCounts, spec: ForecastSpec): Workload {
  const costMs = forecastCostMs(counts, spec, counts.covariates)
  return {
    kind: kindOf(spec),
    costMs,
    rows: counts.rows,
    columns: 3 + counts.covariates,
    isExplained: spec.explainability !== undefined
  }
}

export function tableWorkload (counts: TableCounts, kind: TabularTask, isExplained: boolean): Workload {
  return { kind, costMs: tableCostMs(counts), ...counts, isExplained }
}

function kindOf (spec: ForecastSpec): Kind {
  if (spec.training !== undefined) return 'training'
  return spec.modelId === undefined ? spec.preset : 'tuned'
}

/** undefined when the profile does not match the type of job. */
export function workloadOf (profile: Counts | TableCounts, spec: JobSpec): Workload | undefined {
  if (isTabular(spec)) {
    return 'columns' in profile
      ? tableWorkload(profile, spec.task, spec.explainability !== undefined)
      : undefined
  }
  if (!('series' in profile)) return undefined
  return forecastWorkload({ ...profile, covariates: covariateCount(spec) }, spec)
}
