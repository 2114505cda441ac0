import { numberText } from '../number-text.ts'

const space = '\u{A0}'

/** At most three significant digits; very small and very large figures as `1.23e15`. */
export function figureText (value: number): string {
  return numberText(value, 3)
}

/** A share as per cent, with at most three significant digits. */
export function shareText (share: number): string {
  const percent = share * 100
  if (percent > 0 && percent < 0.01) return `under${space}0.01${space}%`
  // 99.97 % must not read as 100 %.
  if (share < 1 && percent >= 99.95) return `over${space}99.9${space}%`
  return `${figureText(percent)}${space}%`
}
