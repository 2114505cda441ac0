import type { DataProfile } from '../../domain/data-profile.ts'
import type { Granularity } from '../../domain/intent-values.ts'
import { granularityOf } from '../recommendations/time/frequency.ts'

/** What a client knows about its data, with the field names of the specification. */
export interface DatasetProfile {
  total_rows: number
  num_items: number
  min_length: number
  max_length: number
  avg_length: number
  frequency?: Granularity
  missingness_ratio: number
  dataset_size?: 'tiny' | 'small' | 'medium' | 'large' | 'huge'
  inferred_freq_str: string | null
  has_negatives: boolean
  covers_weekends: boolean
  value_min: number
  value_max: number
  candidate_seasonality: number[]
  suspected_covariates: string[]
  hierarchical: boolean
  hierarchy_columns: string[]
}

const sizes = [['tiny', 1_000], ['small', 10_000], ['medium', 100_000], ['large', 1_000_000]] as const

/** Describes the contents of a file with the field names of the specification; undefined if its series are unknown. */
export function toDatasetProfile ({ series }: DataProfile): Required<DatasetProfile> | undefined {
  if (series === null) return undefined
  return {
    total_rows: series.totalRows,
    num_items: series.numItems,
    min_length: series.minLength,
    max_length: series.maxLength,
    avg_length: series.avgLength,
    frequency: granularityOf(series.freq),
    missingness_ratio: series.missingness,
    dataset_size: sizes.find(([, rows]) => series.totalRows < rows)?.[0] ?? 'huge',
    inferred_freq_str: series.freq,
    has_negatives: series.hasNegatives,
    covers_weekends: series.coversWeekends,
    value_min: series.min,
    value_max: series.max,
    candidate_seasonality: series.seasonality,
    suspected_covariates: series.suspectedCovariates,
    hierarchical: series.hierarchyColumns.length > 1,
    hierarchy_columns: series.hierarchyColumns
  }
}
