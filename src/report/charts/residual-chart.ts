import { html, type Html } from '../html.ts'
import { countOf, numberText, percentText, tickText } from '../number-text.ts'
import type { ReportResiduals } from '../tabular-report.ts'
import { renderAxes, type Plane } from './axes.ts'
import { at, renderChart } from './chart.ts'
import { scaleOf } from './scale.ts'

const plane: Plane = { left: 58, top: 10, right: 340, bottom: 268 }

/** Beyond it differences are no numbers any more. */
const largest = 1e300

/** Predicted value against the error, actual minus predicted; null where there is no row to draw. */
export function residualChart ({ points }: ReportResiduals): Html | null {
  const rows = points
    .filter(({ predicted, actual }) => [predicted, actual].every((value) => Number.isFinite(value) && Math.abs(value) < largest))
    .map(({ predicted, actual }) => ({ predicted, actual, error: actual - predicted }))
  if (rows.length === 0) return null
  const predictions = rows.map(({ predicted }) => predicted)
  const errors = [0, ...rows.map(({ error }) => error)]
  const x = scaleOf({ low: Math.min(...predictions), high: Math.max(...predictions), from: plane.left, to: plane.right, count: 4 })
  const y = scaleOf({ low: Math.min(...errors), high: Math.max(...errors), from: plane.bottom, to: plane.top })
  const zero = at(y.place(0))
  const marks = html`${renderAxes({ plane, x, y, xLabel: 'Predicted value', yLabel: 'Actual minus predicted', tick: tickText })}
<path class="reference" d="M${plane.left} ${zero}H${plane.right}"/>
<g class="cloud">${rows.map(({ predicted, error }) => html`<circle cx="${at(x.place(predicted))}" cy="${at(y.place(error))}" r="2.5"/>`)}</g>`
  return renderChart({
    id: 'residuals',
    title: 'How large are the errors?',
    description: describe(rows.map(({ error }) => error)),
    width: 360,
    height: 310,
    marks,
    table: {
      caption: 'Predicted values, actual values and errors',
      head: ['Predicted', 'Actual', 'Actual minus predicted'],
      rows: rows.map(({ predicted, actual, error }) => [numberText(predicted), numberText(actual), numberText(error)]),
      numbers: [0, 1, 2]
    }
  })
}

function describe (errors: readonly number[]): string {
  const sorted = errors.map(Math.abs).sort((a, b) => a - b)
  const median = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0
  const low = errors.filter((error) => error > 0).length / Math.max(errors.length, 1)
  return `Each of ${countOf(errors.length, 'point')} is a row; one on the dashed line is predicted exactly, one above it was predicted too low. ` +
    `Half of the errors are smaller than ${numberText(median)}; ${percentText(low)} of the ${countOf(errors.length, 'row')} drawn ${errors.length === 1 ? 'was' : 'were'} predicted too low. A slope or a funnel in the cloud says where the model errs.`
}
