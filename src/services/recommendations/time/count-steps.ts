import { businessDaysBetween, dayMs, startOfDay } from './civil-time.ts'
import { addSteps, type Frequency, type HorizonWish, monthsOf, stepSeconds, type TimeUnit,
  unitSteps } from './frequency.ts'

/** No forecast has more steps, so a wish for more is ignored. */
const maxSteps = 1_000_000

/**
 * Counts the steps after `end`, the last timestamp of the data, that cover a wish. 0: the wish ends before `end`;
 * undefined: there are implausibly many. `isNamedByStart`: the timestamp of a step is its beginning.
 */
export function countSteps (wish: HorizonWish, end: Date, frequency: Frequency, isNamedByStart = false):
  | number
  | undefined {
  const steps = wish.kind === 'steps'
    ? Math.ceil(wish.quantity)
    : wish.kind === 'duration'
    ? stepsOfDuration(wish.quantity, wish.unit, end, frequency)
    : stepsUntil(wish, end, frequency, isNamedByStart)
  return Number.isFinite(steps) && steps <= maxSteps ? Math.max(0, steps) : undefined
}

function stepsOfDuration (quantity: number, unit: TimeUnit, end: Date, frequency: Frequency): number {
  const [monthly, stepMonths] = [monthsOf(unitSteps[unit]), monthsOf(frequency)]
  if (monthly !== undefined && stepMonths !== undefined) return Math.ceil(round(quantity * monthly / stepMonths))
  if (unit === 'businessday' && frequency.unit === 'B') return Math.ceil(quantity / frequency.multiple)
  if (quantity > 1e7) return Infinity
  const last = addSteps(end, unitSteps[unit], quantity)
  return stepMonths === undefined ? stepsTo(last, end, frequency) : Math.max(1, monthsTo(last, end, stepMonths))
}

/**
 * Counts the steps up to the last one that begins on or before the day. Weeks that are not named by their beginning
 * must cover the day.
 */
function stepsUntil ({ day, precision }: Extract<HorizonWish, { kind: 'until' }>, end: Date, frequency: Frequency,
  isNamedByStart: boolean): number {
  const stepMonths = monthsOf(frequency)
  const stepMs = stepSeconds(frequency) * 1000
  if (day.getTime() < end.getTime() - (end.getTime() % dayMs)) return 0
  if (stepMonths !== undefined) return monthsTo(day, end, stepMonths)
  if (frequency.unit === 'W' && precision === 'week') return Math.ceil((weekOf(day) - weekOf(end)) / frequency.multiple)
  if (frequency.unit === 'W' && isNamedByStart) return Math.floor((day.getTime() - end.getTime()) / stepMs)
  if (stepMs >= dayMs) return stepsTo(precision === 'time' ? startOfDay(day) : day, end, frequency)
  return precision === 'time'
    ? Math.floor((day.getTime() - end.getTime()) / stepMs)
    : Math.ceil((day.getTime() + dayMs - end.getTime()) / stepMs) - 1
}

/** The number of the week. Weeks are counted from Mondays, whichever day names those of the data. */
function weekOf (time: Date): number {
  return Math.floor((Math.floor(time.getTime() / dayMs) + 3) / 7)
}

function stepsTo (last: Date, end: Date, frequency: Frequency): number {
  if (frequency.unit === 'B') return Math.ceil(businessDaysBetween(end, last) / frequency.multiple)
  return Math.ceil(round((last.getTime() - end.getTime()) / (stepSeconds(frequency) * 1000)))
}

function monthsTo (last: Date, end: Date, stepMonths: number): number {
  const number = (time: Date): number =>
    Math.floor((time.getUTCFullYear() * 12 + time.getUTCMonth()) / (stepMonths % 3 === 0 ? stepMonths : 1))
  const steps = number(last) - number(end)
  return stepMonths % 3 === 0 ? steps : Math.ceil(steps / stepMonths)
}

/** Removes rounding errors, so that 12.000000001 does not become 13 steps. */
function round (value: number): number {
  return Math.round(value * 1e6) / 1e6
}
