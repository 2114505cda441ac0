import type { Granularity } from '../../domain/intent-values.ts'

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
