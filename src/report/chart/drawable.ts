/** Beyond this, differences between numbers overflow. */
const largest = 1e300

export function isDrawable (value: number | null | undefined): value is number {
  return typeof value === 'number' && Math.abs(value) < largest
}
