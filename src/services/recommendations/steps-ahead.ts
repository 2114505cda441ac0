import type { DataProfile } from '../../domain/data-profile.ts'
import type { ForecastIntent } from '../../domain/forecast-intent.ts'
import type { HorizonUnit } from '../../domain/intent-values.ts'
import { countSteps } from './time/count-steps.ts'
import { type Frequency, type HorizonWish, readFrequency, stepSeconds, type TimeUnit } from './time/frequency.ts'
import type { CombinedSteps } from './combined-steps.ts'
import { seriesNames, shortestLength } from './series-names.ts'

const units: Record<Exclude<HorizonUnit, 'steps'>, TimeUnit> = {
  minutes: 'minute',
  hours: 'hour',
  days: 'day',
  weeks: 'week',
  months: 'month',
  quarters: 'quarter',
  years: 'year'
}
/** Natural season lengths, by the unit of the step. */
const naturalSeasons: Record<Frequency['unit'], number> = {
  s: 60,
  min: 60,
  h: 24,
  D: 7,
  B: 5,
  W: 52,
  M: 12,
  Q: 4,
  Y: 1
}

/** The number of steps that the intent names; undefined: it names none. */
export function stepsWanted (intent: ForecastIntent, data: DataProfile, combined: CombinedSteps): number | undefined {
  const steps = intent.horizon ?? stepsOfQuantity(intent, data, combined)
  if (steps === undefined || steps < 1) return undefined
  // If the data end within a step, that step is forecast too, so one more step is needed to reach the intended last
  // one.
  return Math.ceil(steps) + (combined.endsWithin ? 1 : 0)
}

/** The default horizon: two seasons, but at most a quarter of the shortest history. */
export function stepsByDefault (intent: ForecastIntent, data: DataProfile, { step }: CombinedSteps): number {
  const { series } = data
  if (series === null) return 1
  const own = series.freq === null ? undefined : readFrequency(series.freq)
  const frequency = step === null ? own : readFrequency(step)
  const season = intent.seasonality[0] ?? (frequency === undefined ? 1 : naturalSeasons[frequency.unit])
  const longer = step === null || own === undefined || frequency === undefined
    ? 1
    : stepSeconds(frequency) / stepSeconds(own)
  return Math.max(1, Math.floor(Math.min(2 * season, shortestLength(seriesNames(intent, data), data) / longer / 4)))
}

function stepsOfQuantity ({ horizon_quantity: quantity, horizon_unit: unit }: ForecastIntent, { series }: DataProfile,
  { step }: CombinedSteps): number | undefined {
  if (quantity === null || unit === null || quantity <= 0) return undefined
  const frequency = readFrequency(step ?? series?.freq ?? '')
  const wish: HorizonWish = unit === 'steps'
    ? { kind: 'steps', quantity }
    : { kind: 'duration', quantity, unit: units[unit] }
  if (wish.kind === 'steps') return Math.ceil(quantity)
  return frequency === undefined || series === null ? undefined : countSteps(wish, new Date(series.end), frequency)
}
