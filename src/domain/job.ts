import type { ForecastSpec } from './forecast-spec.ts'
import type { TabularSpec } from './tabular-spec.ts'

export type JobSize = 'small' | 'large'

export type JobType = 'forecast' | 'fine_tune' | 'classification' | 'regression'

/** What a job does, with every default resolved; `isTabular` tells which of them it is. */
export type JobSpec = ForecastSpec | TabularSpec
