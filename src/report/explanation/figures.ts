const threeDigits = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 3, signDisplay: 'negative' })
const space = '\u{A0}'

/** At most three significant digits; what is very small or very large as `1.23e15`. */
export function figureText (value: number): string {
  const size = Math.abs(value)
  if (size !== 0 && (size < 1e-4 || size >= 1e12)) return value.toExponential(2).replace(/\.?0*e\+?/, 'e').replace(/^-/, '−')
  return threeDigits.format(value).replace(/^-/, '−')
}

/** A share of 1 as per cent, at most three significant digits. */
export function shareText (share: number): string {
  const percent = share * 100
  if (percent > 0 && percent < 0.01) return `under${space}0.01${space}%`
  // 99.97 % is not all of it.
  if (share < 1 && percent >= 99.95) return `over${space}99.9${space}%`
  return `${figureText(percent)}${space}%`
}
