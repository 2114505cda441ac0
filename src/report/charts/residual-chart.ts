import type { Chart } from '../chart/chart.ts'
import { isDrawable } from '../chart/drawable.ts'
import { Plane } from '../chart/plane.ts'
import { linearScale } from '../chart/scale.ts'
import { countOf, numberText, percentText } from '../number-text.ts'
import type { ReportResiduals } from '../tabular-report.ts'

/** Predicted value against the error, actual minus predicted; null if there is no row to draw. */
export function residualChart ({ points }: ReportResiduals): Chart | null {
  const rows = points
    .filter(({ predicted, actual }) => isDrawable(predicted) && isDrawable(actual))
    .map(({ predicted, actual }) => ({ predicted, actual, error: actual - predicted }))
  if (rows.length === 0) return null
  const predictions = rows.map(({ predicted }) => predicted)
  const errors = rows.map(({ error }) => error)
  const plane = new Plane(
    linearScale({ low: Math.min(...predictions), high: Math.max(...predictions), from: 58, to: 340, count: 4 }),
    linearScale({ low: Math.min(0, ...errors), high: Math.max(0, ...errors), from: 268, to: 10 })
  )
  return {
    id: 'residuals',
    title: 'How large are the errors?',
    description: describe(errors),
    width: 360,
    height: 310,
    marks: [
      plane.xAxis({ label: 'Predicted value' }),
      plane.yAxis({ label: 'Actual minus predicted' }),
      plane.rule('reference', 'y', 0),
      plane.dots('cloud', rows.map(({ predicted, error }) => [predicted, error, 2.5]))
    ],
    table: {
      caption: 'Predicted values, actual values and errors',
      head: ['Predicted', 'Actual', 'Actual minus predicted'],
      rows: rows.map(({ predicted, actual, error }) => [numberText(predicted), numberText(actual), numberText(error)]),
      numbers: [0, 1, 2]
    }
  }
}

function describe (errors: readonly number[]): string {
  const sorted = errors.map(Math.abs).sort((a, b) => a - b)
  const median = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0
  const low = errors.filter((error) => error > 0).length / Math.max(errors.length, 1)
  const count = countOf(errors.length, 'row')
  return `Each of ${countOf(errors.length, 'point')} is a row; one on the dashed line is predicted exactly, ` +
    `one above it was predicted too low. Half of the errors are smaller than ${numberText(median)}; ` +
    `${percentText(low)} of the ${count} drawn ${errors.length === 1 ? 'was' : 'were'} predicted too low. ` +
    'A slope or a funnel in the cloud says where the model errs.'
}
