/**
 * Midnight of a day in UTC, milliseconds; months from 0, out of range as Date.UTC takes them. Date.UTC itself takes the
 * year 99 for 1999.
 */
export function utcDate (year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month, day)
}
