import { html, type Html } from '../html.ts'
import { countOf, countText, percentText, tickText } from '../number-text.ts'
import type { ReportCalibration } from '../tabular-report.ts'
import { renderAxes, type Plane } from './axes.ts'
import { at, renderChart } from './chart.ts'
import { scaleOf } from './scale.ts'

const plane: Plane = { left: 52, top: 10, right: 340, bottom: 298 }

/** Predicted probability against the share that came true; a point on the diagonal is right. */
export function calibrationChart ({ curve }: ReportCalibration): Html {
  const x = scaleOf({ low: 0, high: 1, from: plane.left, to: plane.right })
  const y = scaleOf({ low: 0, high: 1, from: plane.bottom, to: plane.top })
  const most = Math.max(1, ...curve.map(({ rows }) => rows))
  const places = curve.map(({ predicted, observed }) => ({ px: at(x.place(predicted)), py: at(y.place(observed)) }))
  const marks = html`${renderAxes({ plane, x, y, xLabel: 'Predicted probability', yLabel: 'Share that came true', tick: (share) => `${tickText(100 * share)} %` })}
<path class="reference" d="M${plane.left} ${plane.bottom}L${plane.right} ${plane.top}"/>
<path class="line" d="${places.map(({ px, py }, index) => `${index === 0 ? 'M' : 'L'}${px} ${py}`).join('')}"/>
${curve.map(({ rows }, index) => html`<circle class="point" cx="${places[index]?.px}" cy="${places[index]?.py}" r="${at(2 + 5 * Math.sqrt(rows / most))}"/>`)}`
  return renderChart({
    id: 'calibration',
    title: 'Do the probabilities come true?',
    description: describe(curve),
    width: 360,
    height: 340,
    marks,
    table: {
      caption: 'Predicted probabilities and what came true',
      head: ['Predicted probability', 'Share that came true', 'Rows'],
      rows: curve.map(({ predicted, observed, rows }) => [percentText(predicted), percentText(observed), countText(rows)]),
      numbers: [0, 1, 2]
    }
  })
}

function describe (curve: ReportCalibration['curve']): string {
  const gap = ({ predicted, observed }: { predicted: number, observed: number }) => Math.abs(predicted - observed)
  const worst = [...curve].sort((a, b) => gap(b) - gap(a))[0]
  const how = 'A point on the dashed line is right, one above it was too careful, one below it too sure; large points stand for many predictions.'
  if (worst === undefined) return how
  return `${how} The largest gap is at ${percentText(worst.predicted)}, where ${percentText(worst.observed)} came true (${countOf(worst.rows, 'row')}).`
}
