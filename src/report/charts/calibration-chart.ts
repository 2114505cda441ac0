import type { Chart } from '../chart/chart.ts'
import { Plane } from '../chart/plane.ts'
import { linearScale } from '../chart/scale.ts'
import { countOf, countText, percentText, tickText } from '../number-text.ts'
import type { ReportCalibration } from '../tabular-report.ts'

/** Predicted probability against the share that came true; points on the diagonal are perfect. */
export function calibrationChart ({ curve }: ReportCalibration): Chart {
  const share = { low: 0, high: 1 }
  const plane = new Plane(linearScale({ ...share, from: 52, to: 340 }), linearScale({ ...share, from: 298, to: 10 }))
  const most = Math.max(1, ...curve.map(({ rows }) => rows))
  const format = (value: number) => `${tickText(100 * value)} %`
  return {
    id: 'calibration',
    title: 'Do the probabilities come true?',
    description: describe(curve),
    width: 360,
    height: 340,
    marks: [
      plane.xAxis({ label: 'Predicted probability', format }),
      plane.yAxis({ label: 'Share that came true', format }),
      plane.line('reference', [[0, 0], [1, 1]]),
      plane.line('line', curve.map(({ predicted, observed }) => [predicted, observed])),
      plane.dots(
        'accent',
        curve.map(({ predicted, observed, rows }) => [predicted, observed, 2 + 5 * Math.sqrt(rows / most)])
      )
    ],
    table: {
      caption: 'Predicted probabilities and what came true',
      head: ['Predicted probability', 'Share that came true', 'Rows'],
      rows: curve.map(
        ({ predicted, observed, rows }) => [percentText(predicted), percentText(observed), countText(rows)]
      ),
      numbers: [0, 1, 2]
    }
  }
}

function describe (curve: ReportCalibration['curve']): string {
  const gap = ({ predicted, observed }: { predicted: number, observed: number }) => Math.abs(predicted - observed)
  const worst = [...curve].sort((a, b) => gap(b) - gap(a))[0]
  const how = 'A point on the dashed line is right, one above it was too careful, one below it too sure; ' +
    'large points stand for many predictions.'
  if (worst === undefined) return how
  const { predicted, observed, rows } = worst
  return `${how} The largest gap is at ${percentText(predicted)}, ` +
    `where ${percentText(observed)} came true (${countOf(rows, 'row')}).`
}
