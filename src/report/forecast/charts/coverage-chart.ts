import { scaleOf } from '../../charts/scale.ts'
import { at, renderChart } from '../../charts/chart.ts'
import { html, type Html } from '../../html.ts'
import { percentText, tickText } from '../../number-text.ts'
import { classLabel } from '../class-names.ts'
import { coverageOf } from '../coverage.ts'
import type { ForecastReport } from '../forecast-report.ts'

const step = 34
const [left, right] = [8, 344]
const targets = [0.8, 0.95]

/** Which share of the held-back values lay inside the intervals, a kind of series a line; null where nothing was held back. */
export function coverageChart ({ classes }: ForecastReport): Html | null {
  const rows = classes.flatMap((one) => {
    const found = coverageOf(one)
    return found === undefined ? [] : [{ label: classLabel(one.class), ...found }]
  })
  if (rows.length === 0) return null
  const { place, ticks } = scaleOf({ low: 0, high: 1, from: left, to: right })
  const bottom = rows.length * step + 14
  const marks = html`<g class="grid">${ticks.map((tick) => html`<path d="M${at(place(tick))} 20V${bottom}"/>`)}</g>
${targets.map((target) => html`<path class="reference" d="M${at(place(target))} 14V${bottom}"/>`)}
<g class="ticks" aria-hidden="true">${ticks.map((tick) => html`<text x="${at(place(tick))}" y="${bottom + 14}" text-anchor="middle">${tickText(100 * tick)}</text>`)}
<text x="${at((left + right) / 2)}" y="${bottom + 31}" text-anchor="middle">Per cent of the values inside the interval</text></g>
${rows.map(({ label, inner, outer }, index) => {
    const [x, y] = [place(outer), index * step + 23]
    return html`<text class="count" x="${left}" y="${index * step + 13}" aria-hidden="true">${label}</text>
<circle class="point" cx="${at(place(inner))}" cy="${y}" r="5"/><rect class="hollow" x="${at(x - 4.5)}" y="${at(y - 4.5)}" width="9" height="9"/>`
  })}`
  return renderChart({
    id: 'coverage',
    title: 'Do the intervals hold what they promise?',
    description: `Round marks are the 80 % intervals and hollow squares the 95 % ones; on their dashed lines, at 80 and at 95, they are right. Left of them intervals are too narrow, right of them too wide. ${rows.map(({ label, inner, outer }) => `${label}: ${percentText(inner)} and ${percentText(outer)}`).join('; ')}.`,
    width: 360,
    height: bottom + 38,
    marks,
    table: {
      caption: 'Share of the held-back values inside the intervals',
      head: ['Kind of series', '80 % interval', '95 % interval'],
      rows: rows.map(({ label, inner, outer }) => [label, percentText(inner), percentText(outer)]),
      numbers: [1, 2]
    }
  })
}
