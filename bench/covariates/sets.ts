import type { Preset } from '../../src/domain/forecast-spec.ts'
import type { Bar } from '../result.ts'

export interface CovariateSet {
  /** As rows call it. */
  title: string
  /** Under the folder of the data, with the ending of its format. */
  file: string
  freq: string
  horizon: number
  /** Steps of the season by which errors are scaled. */
  season: number
  origins: number
  /** Origins that `best` forecasts, which takes a minute for each of the largest; left out: all. */
  originsOfBest?: number[]
  /** Steps between origins. */
  stride: number
  presets: Preset[]
  /** As rows call the covariates. */
  known: string
  /** Columns that are known for the horizon. */
  covariates: string[]
  /** Percent by which MASE is lower than without them, with every preset. */
  gain?: { gate: Bar, aim: Bar }
}

const every: Preset[] = ['fast', 'balanced', 'best']
const cheap: Preset[] = ['fast', 'balanced']

/** Two sets with gates; three on which covariates may do no harm. bench/README.md says where they come from. */
export const sets: CovariateSet[] = [
  {
    title: 'demand of Victoria, half-hourly',
    file: 'vic_elec_half_hourly.parquet',
    freq: '30min',
    horizon: 96,
    season: 48,
    origins: 12,
    // 365 days over 12 origins: each month of a year, at another time of the day.
    stride: 1460,
    // Each season of the year.
    originsOfBest: [3, 6, 9, 12],
    presets: every,
    known: 'temperature and holidays',
    covariates: ['temperature', 'holiday'],
    gain: { gate: { atLeast: 10 }, aim: { atLeast: 25 } }
  },
  {
    title: 'Rossmann, 100 stores, daily',
    file: 'rossmann100_daily.parquet',
    freq: 'D',
    horizon: 42,
    season: 7,
    origins: 3,
    stride: 42,
    presets: every,
    known: 'promotions and holidays',
    // Not the opening days, which would explain too much too easily.
    covariates: ['promo', 'stateholiday', 'schoolholiday'],
    gain: { gate: { atLeast: 15 }, aim: { atLeast: 40 } }
  },
  {
    title: 'electricity prices, 4 markets, hourly',
    file: 'electricity_price_hourly.parquet',
    freq: 'h',
    horizon: 24,
    season: 24,
    origins: 8,
    stride: 24,
    presets: cheap,
    known: 'forecasts of load and generation',
    covariates: ['exogenous1', 'exogenous2']
  },
  {
    title: 'M5, 8 food items, daily',
    file: 'm5_foods8_daily.parquet',
    freq: 'D',
    horizon: 28,
    season: 7,
    origins: 8,
    stride: 28,
    presets: cheap,
    known: 'prices and events',
    covariates: ['sell_price', 'event_type_Cultural', 'event_type_National', 'event_type_Religious',
      'event_type_Sporting']
  },
  {
    title: 'Walmart, 7 departments, weekly',
    file: 'walmart_dept7_weekly.csv',
    freq: 'W-FRI',
    horizon: 13,
    season: 52,
    origins: 5,
    stride: 6,
    presets: cheap,
    known: 'markdowns and holidays',
    covariates: ['IsHoliday', 'MarkDown1', 'MarkDown2', 'MarkDown3', 'MarkDown4', 'MarkDown5']
  }
]

/** Numbers of the origins that a preset forecasts. */
export function originsOf ({ origins, originsOfBest }: CovariateSet, preset: Preset): number[] {
  return preset === 'best' && originsOfBest !== undefined
    ? originsOfBest
    : Array.from({ length: origins }, (_, index) => index + 1)
}
