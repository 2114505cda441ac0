import { utcOf } from './civil-time.ts'
import { utcDate } from './utc-date.ts'

/**
 * The steps of a series: step i lasts from `startsMs[i]` to `endsMs[i]`, in milliseconds UTC. Steps follow each other
 * without gaps, except for business days.
 */
export interface Periods {
  startsMs: Float64Array
  endsMs: Float64Array
}

export interface Labels {
  /** Regular labels of the series, ascending, future steps included; at least two. Milliseconds of local time. */
  labelsMs: ArrayLike<number>
  /** A pandas alias, such as h, D, W-SUN, MS or ME. */
  frequency: string
  /** The zone of the local time; the dataset's own times are UTC unless it says otherwise. */
  timeZone?: string
}

const dayMs = 86_400_000

/**
 * The periods that the labels of a series stand for. Weeks and the ends of months, quarters and years are labelled by
 * their last day; everything else by its beginning, and a step lasts until the next label. Only this function turns
 * local times into UTC, so a day may have 23 or 25 hours. Throws RangeError if labels do not ascend.
 */
export function periodsOf ({ labelsMs, frequency, timeZone = 'UTC' }: Labels): Periods {
  const count = labelsMs.length
  if (count < 2) throw new RangeError('a grid has at least two labels')
  const label = (index: number) => labelsMs[index] as number
  for (let index = 1; index < count; index++) {
    if (!(label(index) > label(index - 1))) throw new RangeError('labels must rise')
  }
  const edges = isLabelledByEnd(frequency)
    ? [previous(label(0), label(1), frequency) + dayMs,
      ...Array.from({ length: count }, (_, index) => label(index) + dayMs)]
    : [...Array.from({ length: count }, (_, index) => label(index)),
      following(label(count - 2), label(count - 1), frequency)]
  const utc = edges.map((edge) => utcOf(edge, timeZone))
  if (isOfBusinessDays(frequency)) {
    return {
      startsMs: Float64Array.from(utc.slice(0, -1)),
      endsMs: Float64Array.from({ length: count }, (_, index) => utcOf(label(index) + dayMs, timeZone))
    }
  }
  return { startsMs: Float64Array.from(utc.slice(0, -1)), endsMs: Float64Array.from(utc.slice(1)) }
}

/** Multiples (2W) and old names (M, Q, A, Y) count as the alias itself. */
function aliasOf (frequency: string): string {
  return frequency.toUpperCase().replace(/^\d+/, '')
}

/** Friday's step lasts one day, without the weekend. */
function isOfBusinessDays (frequency: string): boolean {
  return aliasOf(frequency) === 'B'
}

function isLabelledByEnd (frequency: string): boolean {
  return /^(?:W(?:-[A-Z]{3})?|M|ME|[QAY](?:-[A-Z]{3})?|[QY]E(?:-[A-Z]{3})?|B?[MQY]E(?:-[A-Z]{3})?)$/.test(
    aliasOf(frequency)
  )
}

function isMonthly (frequency: string): boolean {
  return /^(?:M|ME|MS|[QAY]|[QAY]E|[QAY]S)(?:-[A-Z]{3})?$/.test(aliasOf(frequency))
}

/** The label before the first, by the calendar if lengths differ. */
function previous (first: number, second: number, frequency: string): number {
  return isMonthly(frequency) ? endOfMonth(first, -monthsBetween(first, second)) : first - (second - first)
}

/** The label after the last. Monthly labels move by calendar months, so that February gets its own length. */
function following (before: number, last: number, frequency: string): number {
  if (!isMonthly(frequency)) return last + (last - before)
  const date = new Date(last)
  return utcDate(date.getUTCFullYear(), date.getUTCMonth() + monthsBetween(before, last), date.getUTCDate()) +
    ((last % dayMs) + dayMs) % dayMs
}

function monthsBetween (one: number, other: number): number {
  const [from, to] = [new Date(one), new Date(other)]
  return Math.max(1, (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth())
}

function endOfMonth (time: number, months: number): number {
  const date = new Date(time)
  return utcDate(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0) + ((time % dayMs) + dayMs) % dayMs
}
