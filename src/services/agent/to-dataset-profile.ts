import type { DataProfile } from '../../domain/data-profile.ts'
import type { DatasetProfile } from './dataset-profile.ts'
import { granularityOf } from './time/frequency.ts'

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
