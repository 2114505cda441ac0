import type { Chart } from '../../chart/chart.ts'
import { row, rowsOnAxis } from '../../chart/layout.ts'
import { bar, mark } from '../../chart/mark.ts'
import { linearScale } from '../../chart/scale.ts'
import { percentText, tickText } from '../../number-text.ts'
import { classLabel } from '../class-names.ts'
import { coverageOf } from '../coverage.ts'
import type { ForecastReport } from '../forecast-report.ts'

/** Positions of the marks for correct intervals. */
const targets = new Map([[0.8, 'reference'], [0.95, 'reference']] as const)

/** The share of held-back values inside the intervals, one row per kind of series; null if nothing was held back. */
export function coverageChart ({ classes }: ForecastReport): Chart | null {
  const kinds = classes.flatMap((one) => {
    const found = coverageOf(one)
    return found === undefined ? [] : [{ label: classLabel(one.class), ...found }]
  })
  if (kinds.length === 0) return null
  const x = linearScale({ low: 0, high: 1, from: 8, to: 344 })
  const rows = kinds.map(({ label, inner, outer }) =>
    row({
      label,
      marks: [
        mark('circle', { class: 'accent', cx: x.place(inner), cy: 23, r: 5 }),
        bar('hollow', [x.place(outer) - 4.5, x.place(outer) + 4.5], [18.5, 27.5])
      ]
    })
  )
  const found = kinds.map(
    ({ label, inner, outer }) => `${label}: ${percentText(inner)} and ${percentText(outer)}`
  ).join('; ')
  return {
    id: 'coverage',
    title: 'Do the intervals hold what they promise?',
    description: 'Round marks are the 80 % intervals and hollow squares the 95 % ones; ' +
      'on their dashed lines, at 80 and at 95, ' +
      `they are right. Left of them intervals are too narrow, right of them too wide. ${found}.`,
    ...rowsOnAxis(
      rows,
      x,
      { label: 'Per cent of the values inside the interval', format: (share) => tickText(100 * share), rules: targets }
    ),
    table: {
      caption: 'Share of the held-back values inside the intervals',
      head: ['Kind of series', '80 % interval', '95 % interval'],
      rows: kinds.map(({ label, inner, outer }) => [label, percentText(inner), percentText(outer)]),
      numbers: [1, 2]
    }
  }
}
