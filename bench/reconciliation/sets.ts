export interface HierarchySet {
  /** As rows call it. */
  title: string
  /** Under the folder of the data, with the ending of its format. */
  file: string
  /** From the top to the bottom. */
  columns: string[]
  horizon: number
}

/** The bottom series of five public hierarchies; bench/README.md says where they come from. */
export const sets: HierarchySet[] = [
  { title: 'tourism, 2006', file: 'tourism_small_quarterly.csv', columns: ['Purpose', 'State', 'Area'], horizon: 4 },
  { title: 'labour', file: 'labour_monthly.parquet', columns: ['State', 'Sex', 'Employment'], horizon: 8 },
  {
    title: 'tourism, 2017',
    file: 'tourism_trips_quarterly.parquet',
    columns: ['State', 'Region', 'Purpose'],
    horizon: 8
  },
  { title: 'retail', file: 'aus_retail_monthly.parquet', columns: ['State', 'Industry'], horizon: 12 },
  { title: 'M5 stores', file: 'm5_stores_daily.parquet', columns: ['State', 'Store'], horizon: 28 }
]

/** As `examples/reconcile_panel` of crates/forecast takes a method, and as the peer's is called here. */
export const methods = [
  'bottom_up',
  'top_down:proportions_of_historical_totals',
  'top_down:average_historical_proportions',
  'top_down:forecast_proportions',
  'min_trace:ols',
  'min_trace:wls_struct',
  'min_trace:wls_var',
  'min_trace:shrink'
] as const

export type Method = typeof methods[number]

/** The one that a job gets which names none. */
export const defaultMethod: Method = 'min_trace:wls_struct'

/** The name of a method in paths. */
export function fileName (method: Method): string {
  return method.replace(':', '.')
}
