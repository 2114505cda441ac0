export interface ShortSet {
  /** As rows call it. */
  title: string
  /** Under the folder of the data, with the ending of its format. */
  file: string
  horizon: number
  /** As pandas spells it: three stamps are too few to infer it from. */
  freq: string
  /** Steps of the season that the simple rules know. */
  season: number
  /** Whole series, and cut ones, at most. */
  full: number
  short: number
  origins: number
}

/** Real retail and electricity, and what is like them; bench/README.md says where they come from. */
export const sets: ShortSet[] = [
  {
    title: 'Rossmann stores, daily',
    file: 'ts/rossmann100_daily.parquet',
    horizon: 28,
    freq: 'D',
    season: 7,
    full: 40,
    short: 18,
    origins: 2
  },
  {
    title: 'NN5 cash machines, daily',
    file: 'ts/nn5_daily.parquet',
    horizon: 28,
    freq: 'D',
    season: 7,
    full: 40,
    short: 18,
    origins: 1
  },
  {
    title: 'M5 stores, daily',
    file: 'hier/m5_stores_daily.parquet',
    horizon: 28,
    freq: 'D',
    season: 7,
    full: 40,
    short: 4,
    origins: 3
  },
  {
    title: 'Australian retail, monthly',
    file: 'hier/aus_retail_monthly.parquet',
    horizon: 12,
    freq: 'MS',
    season: 12,
    full: 40,
    short: 24,
    origins: 1
  },
  {
    title: 'hospital counts, monthly',
    file: 'ts/hospital_monthly.parquet',
    horizon: 12,
    freq: 'MS',
    season: 12,
    full: 40,
    short: 24,
    origins: 1
  },
  {
    title: 'Australian trips, quarterly',
    file: 'hier/tourism_trips_quarterly.parquet',
    horizon: 8,
    freq: 'QS',
    season: 4,
    full: 40,
    short: 24,
    origins: 1
  },
  {
    title: 'M4 hourly',
    file: 'ts/m4_hourly_train.parquet',
    horizon: 24,
    freq: 'h',
    season: 24,
    full: 40,
    short: 24,
    origins: 2
  },
  {
    title: 'ERCOT zones, hourly',
    file: 'ts/ercot8_hourly.parquet',
    horizon: 24,
    freq: 'h',
    season: 24,
    full: 40,
    short: 3,
    origins: 3
  }
]

export interface PlantedSet {
  title: string
  file: string
  horizon: number
  season: number
  series: number
}

/** Panels that outliers and structural zeros are planted in. */
export const plantedSets: PlantedSet[] = [
  { title: 'M5 stores, daily', file: 'hier/m5_stores_daily.parquet', horizon: 28, season: 7, series: 10 },
  { title: 'Rossmann stores, daily', file: 'ts/rossmann100_daily.parquet', horizon: 28, season: 7, series: 12 },
  { title: 'Australian retail, monthly', file: 'hier/aus_retail_monthly.parquet', horizon: 12, season: 12, series: 30 },
  { title: 'hospital counts, monthly', file: 'ts/hospital_monthly.parquet', horizon: 12, season: 12, series: 30 },
  { title: 'ERCOT zones, hourly', file: 'ts/ercot8_hourly.parquet', horizon: 24, season: 24, series: 8 }
]
