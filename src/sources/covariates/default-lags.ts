import type { Kind } from './covariate-key.ts'
import type { PublicationLag } from './publication-lag.ts'

/** By variable; `*` stands for the others. */
export type LagTable = Readonly<Record<string, PublicationLag>>

const day = 24

/** Weeks after the end of a period until its figures are published, with a margin. */
const macro: LagTable = {
  '*': { after_period_hours: 60 * day },
  cpi: { after_period_hours: 42 * day },
  unemployment: { after_period_hours: 40 * day },
  gdp: { after_period_hours: 65 * day },
  policy_rate: { after_period_hours: 2 * day },
  fx_usd_eur: { after_period_hours: 7 * day },
  yield_10y: { after_period_hours: 2 * day }
}

/**
 * Declared publication delays, used if a provider gives no publication times; an operator's `lags` take precedence.
 * Delays after a period count from the end of the value's interval. A weather run is public some hours after it began;
 * ERA5 has a day after five days. Day-ahead prices are published at 12:45 and load forecasts at 12:00 of the day
 * before, Brussels time; foreign exchange rates of FRED weekly.
 */
export const defaultLags: Readonly<Record<Kind, LagTable>> = {
  weather: { '*': { after_issue_hours: 6, after_period_hours: 5 * day } },
  air_quality: { '*': { after_period_hours: day } },
  holidays: { '*': { always: true } },
  macro,
  rates: { ...macro, '*': { after_period_hours: 7 * day } },
  electricity: {
    '*': { after_period_hours: day },
    day_ahead_price: { day_before: { time: '12:45', timezone: 'Europe/Brussels' } },
    load_forecast: { day_before: { time: '12:00', timezone: 'Europe/Brussels' } }
  },
  transport: { '*': { after_period_hours: 6 } }
}

/** Looks in the operator's table, then in the default one; in each, a variable's own entry comes before `*`. */
export function lagLookup (kind: Kind, operator: LagTable = {}): (variable: string) => PublicationLag {
  const table = defaultLags[kind]
  return (variable) => operator[variable] ?? operator['*'] ?? table[variable] ?? table['*'] ?? {}
}
