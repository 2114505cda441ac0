import type { Frequency } from './frequency.ts'

/** How long a forecast shall reach, as a prompt says it. */
export type HorizonWish =
  | { kind: 'steps', quantity: number }
  | { kind: 'duration', quantity: number, unit: TimeUnit }
  /** The last day that it shall reach; of a `week` the last of its days, and of a `time` that very moment. */
  | { kind: 'until', day: Date, precision?: 'week' | 'time' }

export type TimeUnit = 'second' | 'minute' | 'quarterhour' | 'halfhour' | 'hour' | 'day' | 'businessday' | 'week'
  | 'month' | 'quarter' | 'year'

/** Units as steps. */
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

/** Seasons by the word for them. */
export const seasonUnits: Readonly<Record<string, TimeUnit>> = Object.fromEntries([
  ...(['hour', 'halfhour', 'quarterhour', 'week', 'month', 'quarter', 'year'] as const)
    .map((unit) => [`${unit}ly`, unit]),
  ['daily', 'day'],
  ['annual', 'year'],
  ['annually', 'year']
])
