/**
 * Midnight of a day in UTC, in milliseconds. Months count from 0 and may be out of range, as in Date.UTC. Unlike here,
 * Date.UTC takes the year 99 for 1999.
 */
export function utcDate (year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month, day)
}
