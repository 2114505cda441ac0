import { utcDate } from './utc-date.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

/** Whether this is a time zone of the IANA database that the runtime knows. */
export function isTimeZone (name: string): boolean {
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}

/**
 * The local time in the zone at that instant, as milliseconds as if it were UTC. Throws RangeError for an unknown zone.
 */
export function civilOf (utcMs: number, timeZone: string): number {
  if (timeZone === 'UTC') return utcMs
  const parts: Record<string, number> = {}
  for (const { type, value } of formatOf(timeZone).formatToParts(utcMs)) parts[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  const milliseconds = ((utcMs % 1000) + 1000) % 1000
  return utcDate(year, month - 1, day) + (hour * 3600 + minute * 60 + second) * 1000 + milliseconds
}

/**
 * The instant of a local time in the zone. A time that occurs twice means the first of the two. A time that the clocks
 * skip is moved past the change by the length of the skip.
 */
export function utcOf (civilMs: number, timeZone: string): number {
  if (timeZone === 'UTC') return civilMs
  // No zone changes twice within two days, so one of the two neighbouring offsets is the right one.
  const before = offset(civilMs - 86_400_000, timeZone)
  const after = offset(civilMs + 86_400_000, timeZone)
  for (const shift of [before, after]) {
    if (civilOf(civilMs - shift, timeZone) === civilMs) return civilMs - shift
  }
  return civilMs - before
}

/** The second of the two instants of a local time in the zone; the only one if it occurs once. */
export function laterUtcOf (civilMs: number, timeZone: string): number {
  if (timeZone === 'UTC') return civilMs
  const later = civilMs - offset(civilMs + 86_400_000, timeZone)
  return civilOf(later, timeZone) === civilMs ? later : utcOf(civilMs, timeZone)
}

function offset (utcMs: number, timeZone: string): number {
  return civilOf(utcMs, timeZone) - utcMs
}

function formatOf (timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'iso8601',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric'
    })
    formats.set(timeZone, format)
  }
  return format
}
