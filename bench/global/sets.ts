export interface PanelSet {
  /** As rows call it. */
  title: string
  /** Under the folder of the data, with the ending of its format. */
  file: string
  horizon: number
  /** Steps of the season by which errors are scaled. */
  season: number
  /** As pandas spells it. */
  freq: string
  /** Columns known for the horizon too. */
  known: string[]
  /** Columns with one value a series. */
  statics: string[]
}

/** Eight public sets, five with covariates; bench/README.md says where they come from. */
export const sets: PanelSet[] = [
  {
    title: 'Rossmann, 100 stores, daily',
    file: 'rossmann100_daily.parquet',
    horizon: 42,
    season: 7,
    freq: 'D',
    known: ['open', 'promo', 'stateholiday', 'schoolholiday'],
    statics: ['store_type', 'assortment', 'competition_distance']
  },
  {
    title: 'Walmart, 7 departments, weekly',
    file: 'walmart_dept7_weekly.csv',
    horizon: 13,
    season: 52,
    freq: 'W-FRI',
    known: ['IsHoliday', 'MarkDown1', 'MarkDown2', 'MarkDown3', 'MarkDown4', 'MarkDown5'],
    statics: []
  },
  {
    title: 'electricity prices, 4 markets, hourly',
    file: 'electricity_price_hourly.parquet',
    horizon: 24,
    season: 24,
    freq: 'h',
    known: ['exogenous1', 'exogenous2'],
    statics: []
  },
  {
    title: 'demand of Victoria, half-hourly',
    file: 'vic_elec_half_hourly.parquet',
    horizon: 96,
    season: 48,
    freq: '30min',
    known: ['temperature', 'holiday'],
    statics: []
  },
  {
    title: 'M5, 8 food items, daily',
    file: 'm5_foods8_daily.parquet',
    horizon: 28,
    season: 7,
    freq: 'D',
    known: ['sell_price', 'event_type_Cultural', 'event_type_National', 'event_type_Religious', 'event_type_Sporting'],
    statics: []
  },
  {
    title: 'Wikipedia, 50 pages, daily',
    file: 'wikipedia_daily.parquet',
    horizon: 30,
    season: 7,
    freq: 'D',
    known: [],
    statics: []
  },
  {
    title: 'NN5, 111 cash machines, daily',
    file: 'nn5_daily.parquet',
    horizon: 56,
    season: 7,
    freq: 'D',
    known: [],
    statics: []
  },
  {
    title: 'ERCOT, 8 zones, hourly',
    file: 'ercot8_hourly.parquet',
    horizon: 24,
    season: 24,
    freq: 'h',
    known: [],
    statics: []
  }
]
