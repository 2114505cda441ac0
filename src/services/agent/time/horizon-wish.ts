/** How long a forecast shall reach, as a prompt says it. */
export type HorizonWish =
  | { kind: 'steps', quantity: number }
  | { kind: 'duration', quantity: number, unit: TimeUnit }
  /** The last day that it shall reach; of a `week` that is named the last of its days, and of a `time` that very moment. */
  | { kind: 'until', day: Date, precision?: 'week' | 'time' }

export type TimeUnit = 'second' | 'minute' | 'quarterhour' | 'halfhour' | 'hour' | 'day' | 'businessday' | 'week' | 'month' | 'quarter' | 'year'

export const timeUnits: readonly TimeUnit[] = ['second', 'minute', 'quarterhour', 'halfhour', 'hour', 'day', 'businessday', 'week', 'month', 'quarter', 'year']

/** Seasons by the word for them. */
export const seasonUnits: Readonly<Record<string, TimeUnit>> = {
  hourly: 'hour', daily: 'day', weekly: 'week', monthly: 'month', quarterly: 'quarter', yearly: 'year', annual: 'year', annually: 'year'
}
