import { html, type Html } from '../html.ts'
import { countOf, percentText } from '../number-text.ts'
import { shownText } from '../shown-text.ts'
import type { TabularReport } from '../tabular-report.ts'
import { at, renderChart } from './chart.ts'

/** Bars that are drawn; the table has all. */
const mostBars = 15
const step = 34

/** How much of the movement of the predictions each column is behind. */
export function importanceChart (importance: TabularReport['importance']): Html {
  const drawn = importance.slice(0, mostBars)
  const most = Math.max(...drawn.map(({ share }) => share), 1e-9)
  const marks = html`${drawn.map(({ feature, share }, index) => {
    const y = index * step
    return html`<g aria-hidden="true"><text x="0" y="${y + 13}">${featureName(feature, 38)}</text><text class="share" x="360" y="${y + 13}" text-anchor="end">${percentText(share)}</text>
<rect class="track" x="0" y="${y + 18}" width="360" height="9" rx="2"/><rect class="bar" x="0" y="${y + 18}" width="${at(Math.max(0, share / most) * 360)}" height="9" rx="2"/></g>
`
  })}`
  return renderChart({
    id: 'importance',
    title: 'The columns that matter most',
    description: describe(drawn, importance.length),
    width: 360,
    height: Math.max(drawn.length, 1) * step,
    marks,
    table: {
      caption: 'Share of the influence on the predictions by column',
      head: ['Column', 'Share'],
      rows: importance.map(({ feature, share }) => [html`<bdi>${featureName(feature, 200)}</bdi>`, percentText(share)]),
      numbers: [1]
    }
  })
}

function describe (drawn: TabularReport['importance'], all: number): string {
  const first = drawn.slice(0, 3).map(({ feature, share }) => `“${featureName(feature, 40)}” (${percentText(share)})`)
  const rest = all > drawn.length ? ` The first ${drawn.length} of ${countOf(all, 'entry', 'entries')} are drawn.` : ''
  return `Shares of the influence on the predictions; the longest bar is the strongest. First come ${first.join(', ')}.${rest}`
}

function featureName (feature: string, limit: number): string {
  return feature === '__other__' ? 'all other columns' : shownText(feature, limit)
}
