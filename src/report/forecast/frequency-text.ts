import { countOf } from '../number-text.ts'
import { shownText } from '../shown-text.ts'

/** By the letters of an alias, without its anchor. */
const units: Record<string, string> = {
  s: 'second',
  min: 'minute',
  h: 'hour',
  D: 'day',
  B: 'business day',
  W: 'week',
  MS: 'month',
  ME: 'month',
  QS: 'quarter',
  QE: 'quarter',
  YS: 'year',
  YE: 'year'
}

/** `12 months`, `4 steps of 15 minutes`; an unknown alias is shown as it is. */
export function stepsText (steps: number, freq: string): string {
  const [, multiple = '', letters = ''] = /^(\d*)([A-Za-z]+)(?:-[A-Z]{3})?$/.exec(freq) ?? []
  const unit = Object.hasOwn(units, letters) ? units[letters] : undefined
  if (unit === undefined) return `${countOf(steps, 'step')} (${shownText(freq)})`
  return multiple === '' ? countOf(steps, unit) : `${countOf(steps, 'step')} of ${countOf(Number(multiple), unit)}`
}
