import type { Granularity } from '../../../domain/intent-values.ts'
import { addBusinessDays, addMonths, dayMs } from './civil-time.ts'

/** A step: a multiple of a unit. */
export interface Frequency {
  multiple: number
  unit: 's' | 'min' | 'h' | 'D' | 'B' | 'W' | 'M' | 'Q' | 'Y'
}

const aliases: Record<Exclude<Granularity, 'irregular'>, string> = {
  minutely: 'min',
  five_minutely: '5min',
  quarter_hourly: '15min',
  half_hourly: '30min',
  hourly: 'h',
  daily: 'D',
  business_daily: 'B',
  weekly: 'W',
  monthly: 'MS',
  quarterly: 'QS',
  yearly: 'YS'
}
const seconds = { s: 1, min: 60, h: 3600, D: 86_400, B: 86_400, W: 604_800, M: 2_629_746, Q: 7_889_238, Y: 31_556_952 }

/** The pandas alias of a granularity; null for `irregular`. */
export function aliasOf (granularity: Granularity): string | null {
  return granularity === 'irregular' ? null : aliases[granularity]
}

export function readFrequency (alias: string): Frequency | undefined {
  const match = /^(\d{0,5})(s|min|h|D|B|W|M|Q|Y)[ES]?(?:-[A-Z]{3})?$/.exec(alias)
  return match === null ? undefined : { multiple: Number(match[1] || 1), unit: match[2] as Frequency['unit'] }
}

/** The granularity of a step; `irregular` if the step has no name. */
export function granularityOf (alias: string | null): Granularity {
  const frequency = alias === null ? undefined : readFrequency(alias)
  if (frequency === undefined) return 'irregular'
  const { multiple, unit } = frequency
  const found = Object.entries(aliases).find(([, other]) => {
    const named = readFrequency(other)
    return named?.multiple === multiple && named.unit === unit
  })
  if (found !== undefined) return found[0] as Granularity
  if (unit === 'min' && multiple === 60) return 'hourly'
  if (unit === 'M' && multiple % 12 === 0) return multiple === 12 ? 'yearly' : 'irregular'
  return unit === 'M' && multiple === 3 ? 'quarterly' : 'irregular'
}

/** The approximate length of a step, for comparisons. */
export function stepSeconds ({ multiple, unit }: Frequency): number {
  return multiple * seconds[unit]
}

/** The number of months of a step; undefined if it is not counted in months. */
export function monthsOf ({ multiple, unit }: Frequency): number | undefined {
  return unit === 'M' ? multiple : unit === 'Q' ? 3 * multiple : unit === 'Y' ? 12 * multiple : undefined
}

/** The time this many steps later, on the calendar. A fraction of a month counts days of a 30-day month. */
export function addSteps (time: Date, { multiple, unit }: Frequency, count: number): Date {
  const months = monthsOf({ multiple: multiple * count, unit })
  if (months !== undefined) {
    const whole = Math.floor(months)
    return new Date(addMonths(time, whole).getTime() + Math.round((months - whole) * 30) * dayMs)
  }
  if (unit === 'B') return addBusinessDays(time, Math.floor(multiple * count))
  return new Date(time.getTime() + Math.round(stepSeconds({ multiple, unit }) * count * 1000))
}

/** The beginning of the step that contains a time. Weeks begin on Mondays, as those of `W` do. */
export function startOfStep (time: Date, { multiple, unit }: Frequency): Date {
  const months = monthsOf({ multiple, unit })
  if (months !== undefined) {
    const first = Math.floor((time.getUTCFullYear() * 12 + time.getUTCMonth()) / months) * months
    return new Date(Date.UTC(Math.floor(first / 12), first % 12, 1))
  }
  const [stepMs, monday] = [stepSeconds({ multiple, unit }) * 1000, unit === 'W' ? 4 * dayMs : 0]
  return new Date(Math.floor((time.getTime() - monday) / stepMs) * stepMs + monday)
}

/** The approximate number of shorter steps in a longer one. */
export function stepsIn (longer: Frequency, shorter: Frequency): number {
  const [one, other] = [stepSeconds(longer), stepSeconds(shorter)]
  if (longer.unit === 'W' && shorter.unit === 'B') return (5 * longer.multiple) / shorter.multiple
  return Math.round(one / other)
}

/** Step lengths by the words for them. */
export const granularityByWord: Readonly<Record<string, Granularity>> = Object.fromEntries(`
  minutely minutely minute; quarter_hourly quarterhourly quarterhour; half_hourly halfhourly halfhour; hourly hourly hour; daily daily day;
  business_daily businessdaily businessday; weekly weekly week; monthly monthly month; quarterly quarterly quarter; yearly yearly annual annually year`
  .split(';').flatMap((entry) => {
    const [granularity, ...words] = entry.trim().split(' ')
    return words.map((word) => [word, granularity as Granularity])
  }))

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
