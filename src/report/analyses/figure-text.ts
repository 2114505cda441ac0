import { unknown } from '../number-text.ts'
import { shownText } from '../shown-text.ts'
import type { Figure } from './analyses-document.ts'

const threeDigits = new Intl.NumberFormat(
  'en-GB',
  { minimumSignificantDigits: 3, maximumSignificantDigits: 3, signDisplay: 'negative' }
)

/** Three significant digits; very small and very large figures as `1.23e-7`. */
export function figureText (value: Figure | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return unknown
  const size = Math.abs(value)
  if (size === 0) return '0'
  const text = size < 1e-4 || size >= 1e12 ? value.toExponential(2).replace('e+', 'e') : threeDigits.format(value)
  return text.replace(/^-/, '−')
}

/** The same, with a plus before positive figures. */
export function signedText (value: Figure | undefined): string {
  const text = figureText(value)
  return typeof value === 'number' && value > 0 && text !== unknown ? `+${text}` : text
}

/** A time from the engine, without a time of day if that is midnight. */
export function timeText (timestamp: string): string {
  return shownText(timestamp.replace(/[ T]00:00:00(\.0+)?$/, ''), 30)
}
