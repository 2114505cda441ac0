/** A set of series and the terms at which it is forecast, as GIFT-Eval has them. */
export interface TaskSet {
  /** The set in the names of the published results; the file has `_` in place of `/`. */
  name: string
  freq: string
  /** Steps of a season, 1 for none. */
  season: number
  /** The shortest horizon; medium and long ones are 10 and 15 times as long. */
  horizon: number
  terms: ReadonlyArray<keyof typeof times>
}

/** How many times as long as the shortest horizon that of a term is. */
export const times = { short: 1, medium: 10, long: 15 }
const all = ['short', 'medium', 'long'] as const

export const taskSets: readonly TaskSet[] = [
  { name: 'jena_weather/10T', freq: '10min', season: 144, horizon: 48, terms: all },
  { name: 'jena_weather/H', freq: 'h', season: 24, horizon: 48, terms: all },
  { name: 'jena_weather/D', freq: 'D', season: 1, horizon: 30, terms: ['short'] },
  { name: 'bizitobs_application/10S', freq: '10s', season: 360, horizon: 60, terms: all },
  { name: 'bizitobs_l2c/5T', freq: '5min', season: 288, horizon: 48, terms: all },
  { name: 'bizitobs_l2c/H', freq: 'h', season: 24, horizon: 48, terms: all }
]
