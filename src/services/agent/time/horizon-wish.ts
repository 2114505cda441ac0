import type { Frequency } from './frequency.ts'

/** How far a forecast should reach, as a prompt says it. */
export type HorizonWish =
  | { kind: 'steps', quantity: number }
  | { kind: 'duration', quantity: number, unit: TimeUnit }
  /** The last day of the forecast. `week`: its last day is meant; `time`: the exact moment. */
  | { kind: 'until', day: Date, precision?: 'week' | 'time' }

export type TimeUnit = 'second' | 'minute' | 'quarterhour' | 'halfhour' | 'hour' | 'day' | 'businessday' | 'week'
  | 'month' | 'quarter' | 'year'

/** Steps by their unit. */
export const unitSteps: Readonly<Record<TimeUnit, Frequency>> = {
  second: { multiple: 1, unit: 's' },
  minute: { multiple: 1, unit: 'min' },
  quarterhour: { multiple: 15, unit: 'min' },
  halfhour: { multiple: 30, unit: 'min' },
  hour: { multiple: 1, unit: 'h' },
  day: { multiple: 1, unit: 'D' },
  businessday: { multiple: 1, unit: 'B' },
  week: { multiple: 1, unit: 'W' },
  month: { multiple: 1, unit: 'M' },
  quarter: { multiple: 1, unit: 'Q' },
  year: { multiple: 1, unit: 'Y' }
}
export const timeUnits = Object.keys(unitSteps) as TimeUnit[]

/** Units by the words for their seasons. */
export const seasonUnits: Readonly<Record<string, TimeUnit>> = Object.fromEntries([
  ...(['hour', 'halfhour', 'quarterhour', 'week', 'month', 'quarter', 'year'] as const)
    .map((unit) => [`${unit}ly`, unit]),
  ['daily', 'day'],
  ['annual', 'year'],
  ['annually', 'year']
])
