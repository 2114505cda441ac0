const formats = new Map(
  [3, 4, 6].map((
    digits
  ) => [digits, new Intl.NumberFormat('en-GB', { maximumSignificantDigits: digits, signDisplay: 'negative' })])
)
const threeDigits = new Intl.NumberFormat('en-GB', {
  minimumSignificantDigits: 3,
  maximumSignificantDigits: 3,
  signDisplay: 'negative'
})
const whole = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 })
const space = '\u{A0}'

/** The text for an unknown figure. */
export const unknown = 'n/a'

/** At most four significant digits, or three or six; very small and very large figures as `1.235e-7`. */
export function numberText (value: number | null, digits = 4): string {
  if (value === null || !Number.isFinite(value)) return unknown
  const size = Math.abs(value)
  if (size !== 0 && (size < 1e-4 || size >= 1e12)) return exponentText(value, digits)
  return (formats.get(digits) as Intl.NumberFormat).format(value).replace(/^-/, '−')
}

/** A share as per cent, with three significant digits. */
export function percentText (share: number | null): string {
  if (share === null || !Number.isFinite(share)) return unknown
  const percent = share * 100
  // 99.97 % must not read as 100 %.
  const isNearlyAll = share < 1 && percent > 99.9
  if (isNearlyAll) return `over${space}99.9${space}%`
  if (share > 0 && percent < 0.01) return `under${space}0.01${space}%`
  return `${(Number.isInteger(share) ? whole : threeDigits).format(percent).replace(/^-/, '−')}${space}%`
}

/** Counts are exact. */
export function countText (count: number): string {
  return whole.format(count)
}

/** `1 row`, `2 rows`. */
export function countOf (count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`
}

export function secondsText (seconds: number): string {
  return seconds < 0.01 ? `under${space}0.01${space}s` : `${threeDigits.format(seconds)}${space}s`
}

/** For the axis of a chart: as short as `digits` significant digits allow. */
export function tickText (value: number, digits = 3): string {
  const size = Math.abs(value)
  if (size !== 0 && (size < 1e-3 || size >= 1e15)) return exponentText(value, digits)
  return new Intl.NumberFormat('en-GB', {
    notation: 'compact',
    maximumSignificantDigits: digits,
    signDisplay: 'negative'
  }).format(value).replace(/^-/, '−')
}

function exponentText (value: number, digits: number): string {
  const [mantissa, exponent] = value.toExponential(digits - 1).split('e').map(Number)
  return `${mantissa}e${exponent}`.replace(/^-/, '−')
}
