/** Beyond it differences of numbers are no numbers any more. */
const largest = 1e300

export function isDrawable (value: number | null | undefined): value is number {
  return typeof value === 'number' && Math.abs(value) < largest
}
