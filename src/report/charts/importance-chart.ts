import type { Chart } from '../chart/chart.ts'
import { shareBars } from '../chart/layout.ts'
import { html } from '../html.ts'
import { countOf, percentText } from '../number-text.ts'
import { shownText } from '../shown-text.ts'
import type { TabularReport } from '../tabular-report.ts'

/** How many bars are drawn; the table has all. */
const mostBars = 15

/** Each column's share of the influence on the predictions. */
export function importanceChart (importance: TabularReport['importance']): Chart {
  const drawn = importance.slice(0, mostBars)
  const most = Math.max(...drawn.map(({ share }) => share), 1e-9)
  return {
    id: 'importance',
    title: 'The columns that matter most',
    description: describe(drawn, importance.length),
    ...shareBars(
      drawn.map(
        ({ feature, share }) => ({ label: featureName(feature, 38), value: percentText(share), share: share / most })
      )
    ),
    table: {
      caption: 'Share of the influence on the predictions by column',
      head: ['Column', 'Share'],
      rows: importance.map(({ feature, share }) => [html`<bdi>${featureName(feature, 200)}</bdi>`, percentText(share)]),
      numbers: [1]
    }
  }
}

function describe (drawn: TabularReport['importance'], all: number): string {
  const first = drawn.slice(0, 3).map(({ feature, share }) => `“${featureName(feature, 40)}” (${percentText(share)})`)
  const rest = all > drawn.length ? ` The first ${drawn.length} of ${countOf(all, 'entry', 'entries')} are drawn.` : ''
  return 'Shares of the influence on the predictions; the longest bar is the strongest. ' +
    `First come ${first.join(', ')}.${rest}`
}

function featureName (feature: string, limit: number): string {
  return feature === '__other__' ? 'all other columns' : shownText(feature, limit)
}
