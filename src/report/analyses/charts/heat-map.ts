import { at, type Chart } from '../../charts/chart.ts'
import { html, type Html } from '../../html.ts'
import { countOf, numberText } from '../../number-text.ts'
import { named } from '../../shown-text.ts'
import type { FeatureFeature, FeaturePair, Figure } from '../analyses-document.ts'
import { figureText, isDrawable } from '../figure-text.ts'
import { labelText } from '../label-text.ts'
import { methodNames } from '../method-names.ts'
import { inQuotes } from '../quotes.ts'

const top = 18
const mostFeatures = 40
/** More features than this need a drawing wider than a phone, or leave no room for a figure in a cell. */
const mostNarrow = 12
const mostFigures = 9
const mostRows = 500

/** Whether the drawing needs more room than a phone has. */
export function isWide ({ order }: FeatureFeature): boolean {
  return order.length > mostNarrow
}

/** Measures of all pairs as cells in the given order, in which features that go together stand together. */
export function heatMap (given: FeatureFeature, pairs: readonly FeaturePair[]): Chart {
  const { features, order } = given
  const shown = order.slice(0, mostFeatures)
  const left = isWide(given) ? 160 : 112
  const side = isWide(given) ? shown.length * 18 : 248
  const cell = side / Math.max(1, shown.length)
  const placeOf = new Map(shown.map((feature, place) => [feature, place]))
  const cells = pairs.flatMap((pair) => {
    const [a, b] = [placeOf.get(pair.a), placeOf.get(pair.b)]
    return a === undefined || b === undefined ? [] : [{ row: a, column: b, pair }, { row: b, column: a, pair }]
  })
  const font = Math.min(11, cell * 0.8)
  const labels = shown.map((feature, place) => {
    const middle = (place + 0.5) * cell + font / 3
    return html`<text font-size="${at(font)}" x="${left - 5}" y="${at(top + middle)}" text-anchor="end">${place + 1} ${labelText(features[feature] ?? '', (left - 27) * 11 / font)}</text><text font-size="${at(font)}" x="${at(left + (place + 0.5) * cell)}" y="${top - 5}" text-anchor="middle">${place + 1}</text>`
  })
  return {
    id: 'pairs',
    title: 'How features go together',
    description: describe(given, shown.length, pairs[0]),
    width: left + side,
    height: top + side,
    marks: html`<g class="label" aria-hidden="true">${labels}</g>
<rect class="track" x="${left}" y="${top}" width="${side}" height="${side}"/>
${shown.map((_, place) => html`<rect class="plain" x="${at(left + place * cell)}" y="${at(top + place * cell)}" width="${at(cell)}" height="${at(cell)}" fill-opacity="0.35"/>`)}
${cells.map(({ row, column, pair }) => renderCell(left + column * cell, top + row * cell, cell, pair, shown.length))}`,
    table: {
      caption: pairs.length > mostRows ? `The ${mostRows} strongest of ${countOf(pairs.length, 'pair')}` : 'Measures of all pairs',
      head: ['Feature', 'And', 'Measure', 'Value', 'Rows', 'p', 'Redundant'],
      rows: pairs.slice(0, mostRows).map(({ a, b, method, value, n, p_value: p, redundant }) => [
        named(features[a] ?? '', 200), named(features[b] ?? '', 200), methodNames[method], numberText(value), n, numberText(p), redundant ? 'yes' : 'no'
      ]),
      numbers: [3, 4, 5]
    }
  }
}

function renderCell (x: number, y: number, cell: number, { value, redundant }: FeaturePair, count: number): Html | null {
  if (!isDrawable(value)) return null
  const strength = Math.min(1, Math.abs(value))
  const text = count <= mostFigures ? shortText(value) : strength >= 0.3 ? (value < 0 ? '−' : '+') : null
  const font = count <= mostFigures ? Math.min(11, cell * 0.38) : Math.min(13, cell * 0.9)
  const frame = redundant ? html`<rect class="frame" x="${at(x + 0.8)}" y="${at(y + 0.8)}" width="${at(cell - 1.6)}" height="${at(cell - 1.6)}"/>` : null
  const label = text === null ? null : html`<text class="ink" font-size="${at(font)}" x="${at(x + cell / 2)}" y="${at(y + cell / 2 + font / 3)}" text-anchor="middle" aria-hidden="true">${text}</text>`
  return html`<rect class="${value < 0 ? 'down' : 'up'}" x="${at(x)}" y="${at(y)}" width="${at(cell)}" height="${at(cell)}" fill-opacity="${(0.04 + 0.86 * strength).toFixed(2)}"/>${frame}${label}`
}

/** `−.93`: two digits. */
function shortText (value: number): string {
  return value.toFixed(2).replace('-', '−').replace(/^(−?)0\./, '$1.')
}

function describe ({ features }: FeatureFeature, shown: number, strongest: FeaturePair | undefined): string {
  if (strongest === undefined) return features.length < 2 ? 'There are fewer than two features.' : 'No pair has a measure.'
  const name = (place: number) => `${inQuotes(features[place] ?? '')}`
  const value: Figure = strongest.value
  const rest = features.length > shown ? ` The first ${shown} of ${countOf(features.length, 'feature')} are drawn.` : ''
  return 'Rows and columns are the features in one order, in which those that go together stand together. Orange and +: high values go together; blue and −: high with low; the stronger, the fuller. A frame marks a redundant pair. ' +
    `Strongest are ${name(strongest.a)} and ${name(strongest.b)} (${figureText(value)}).${rest}`
}
