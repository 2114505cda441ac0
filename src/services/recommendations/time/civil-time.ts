export const dayMs = 86_400_000

/** The time some months later; on the last day of the month if that month has no such day. */
export function addMonths (time: Date, months: number): Date {
  const moved = new Date(time)
  moved.setUTCDate(1)
  moved.setUTCMonth(moved.getUTCMonth() + months)
  moved.setUTCDate(Math.min(time.getUTCDate(), daysInMonth(moved.getUTCFullYear(), moved.getUTCMonth())))
  return moved
}

/** Counts the days from Monday to Friday after `first`, up to and including `last`. */
export function businessDaysBetween (first: Date, last: Date): number {
  const from = Math.floor(first.getTime() / dayMs)
  const to = Math.floor(last.getTime() / dayMs)
  // 1970-01-01 was a Thursday, so weeks are counted from the Monday before it.
  const until = (day: number): number => {
    const shifted = day + 4
    return Math.floor(shifted / 7) * 5 + Math.min(5, ((shifted % 7) + 7) % 7)
  }
  return Math.max(0, until(to) - until(from))
}

export function addBusinessDays (time: Date, count: number): Date {
  const moved = new Date(time)
  moved.setTime(moved.getTime() + Math.floor(count / 5) * 7 * dayMs)
  for (let left = count % 5; left > 0;) {
    moved.setTime(moved.getTime() + dayMs)
    if (moved.getUTCDay() % 6 !== 0) left--
  }
  return moved
}

export function daysInMonth (year: number, month: number): number {
  return new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
}

/** A calendar day; months are counted from 0. */
export function day (year: number, month: number, date: number): Date {
  return new Date(Date.UTC(year, month, date))
}

export function startOfDay (time: Date): Date {
  return day(time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate())
}

/** Writes a time as `2024-03-15`, or as `2024-03-15T10:30:00Z` if it is not midnight. */
export function timeText (time: Date): string {
  const text = time.toISOString()
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : `${text.slice(0, 19)}Z`
}
