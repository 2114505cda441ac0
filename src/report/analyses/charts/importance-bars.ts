import { at, type Chart } from '../../charts/chart.ts'
import { html, type Html } from '../../html.ts'
import { countOf, numberText, percentText } from '../../number-text.ts'
import { named } from '../../shown-text.ts'
import type { FeatureImportance } from '../analyses-document.ts'
import { isDrawable } from '../figure-text.ts'
import { labelText } from '../label-text.ts'
import { inQuotes } from '../quotes.ts'
import type { Subject } from '../subject.ts'

const width = 360
const step = 36

const looks = { rising: { look: 'up', sign: '▲', text: 'rising' }, falling: { look: 'down', sign: '▼', text: 'falling' }, none: { look: 'plain', sign: '◆', text: 'no one direction' } }

export interface ImportanceBars {
  /** Names the chart in the page, and what a bar stands for. */
  id: string
  title: string
  kind: 'feature' | 'group'
  /** What goes up or down with it. */
  result: Subject['result']
  all: readonly FeatureImportance[]
  mostBars: number
}

/** Shares as bars with the direction in which the result goes with the feature. */
export function importanceBars ({ id, title, kind, result, all, mostBars }: ImportanceBars): Chart {
  const drawn = all.slice(0, mostBars)
  const most = Math.max(1e-9, ...drawn.map(({ share }) => isDrawable(share) ? share : 0))
  return {
    id,
    title,
    description: describe(drawn, all.length, kind, result),
    width,
    height: Math.max(1, drawn.length) * step,
    marks: drawn.length === 0 ? html`<text class="ticks" x="0" y="14">nothing to draw</text>` : html`${drawn.map((one, index) => renderBar(one, index * step, most))}`,
    table: {
      caption: `Importance by ${kind}`,
      head: [kind === 'feature' ? 'Feature' : 'Group', 'Rank', 'Share', 'Importance', 'Direction', 'Loss of fit when shuffled', 'Its standard deviation'],
      rows: all.map((one) => [
        named(one.feature, 200), one.rank, percentText(one.share), numberText(one.importance), looks[one.direction ?? 'none'].text, numberText(one.permutation_drop), numberText(one.permutation_sd)
      ]),
      numbers: [1, 2, 3, 5, 6]
    }
  }
}

function renderBar ({ feature, share, direction }: FeatureImportance, y: number, most: number): Html {
  const { look, sign } = looks[direction ?? 'none']
  const length = isDrawable(share) ? Math.min(1, Math.max(0, share / most)) * width : 0
  return html`<g aria-hidden="true"><text class="label" x="0" y="${y + 14}">${labelText(feature, 250)}</text><text class="label" x="${width}" y="${y + 14}" text-anchor="end">${percentText(share)} ${sign}</text>
<rect class="track" x="0" y="${y + 20}" width="${width}" height="9" rx="2"/><rect class="${look}" x="0" y="${y + 20}" width="${at(length)}" height="9" rx="2"/></g>
`
}

function describe (drawn: readonly FeatureImportance[], count: number, kind: 'feature' | 'group', result: string): string {
  if (drawn.length === 0) return `There is no ${kind}.`
  const first = drawn.slice(0, 3).map(({ feature, share }) => `${inQuotes(feature)} (${percentText(share)})`).join(', ')
  const rest = count > drawn.length ? ` The first ${drawn.length} of ${countOf(count, kind)} are drawn.` : ''
  return `Shares of the importance; first ${drawn.length === 1 ? 'comes' : 'come'} ${first}. ▲ orange: higher values go with a higher ${result}; ▼ blue: with a lower one; ◆ grey: neither.${rest}`
}
