import type { Chart } from '../../chart/chart.ts'
import { isDrawable } from '../../chart/drawable.ts'
import { matrix, type Cell } from '../../chart/matrix.ts'
import { countOf, numberText } from '../../number-text.ts'
import { named } from '../../shown-text.ts'
import type { FeatureFeature, FeaturePair } from '../analyses-document.ts'
import { figureText } from '../figure-text.ts'
import { methodNames } from '../method-names.ts'
import { inQuotes } from '../quotes.ts'

const mostFeatures = 40
/** With more features than this, the drawing is wider than a phone, and a cell has no space for a figure. */
const mostNarrow = 12
const mostFigures = 9
const mostRows = 500

/** Whether the drawing is wider than a phone. */
export function isWide ({ order }: FeatureFeature): boolean {
  return order.length > mostNarrow
}

/** The association of each pair as a cell, in the given order, which puts related features next to each other. */
export function heatMap (given: FeatureFeature, pairs: readonly FeaturePair[]): Chart {
  const { features, order } = given
  const shown = order.slice(0, mostFeatures)
  const placeOf = new Map(shown.map((feature, place) => [feature, place]))
  const cells = pairs.flatMap((pair) => {
    const [a, b] = [placeOf.get(pair.a), placeOf.get(pair.b)]
    return a === undefined || b === undefined
      ? []
      : [...cellOf(a, b, pair, shown.length), ...cellOf(b, a, pair, shown.length)]
  })
  return {
    id: 'pairs',
    title: 'How features go together',
    description: describe(given, shown.length, pairs[0]),
    ...matrix({
      names: shown.map((feature) => features[feature] ?? ''),
      ...isWide(given) ? { left: 160, side: shown.length * 18 } : { left: 112, side: 248 },
      hasGround: true,
      cells: [...shown.map((_, place): Cell => ({ row: place, column: place, look: 'soft', strength: 0.35 })), ...cells]
    }),
    table: {
      caption: pairs.length > mostRows
        ? `The ${mostRows} strongest of ${countOf(pairs.length, 'pair')}`
        : 'Measures of all pairs',
      head: ['Feature', 'And', 'Measure', 'Value', 'Rows', 'p', 'Redundant'],
      rows: pairs.slice(0, mostRows).map(({ a, b, method, value, n, p_value: p, redundant }) => [
        ...[a, b].map((place) => named(features[place] ?? '', 200)),
        methodNames[method],
        numberText(value),
        n,
        numberText(p),
        redundant ? 'yes' : 'no'
      ]),
      numbers: [3, 4, 5]
    }
  }
}

function cellOf (row: number, column: number, { value, redundant }: FeaturePair, count: number): Cell[] {
  if (!isDrawable(value)) return []
  const strength = Math.min(1, Math.abs(value))
  const sign = strength < 0.3 ? undefined : value < 0 ? '−' : '+'
  const figure = count <= mostFigures ? shortText(value) : sign
  return [{ row, column, look: value < 0 ? 'accent' : 'warm', strength, text: figure, hasFrame: redundant }]
}

/** `−.93`: two digits. */
function shortText (value: number): string {
  return value.toFixed(2).replace('-', '−').replace(/^(−?)0\./, '$1.')
}

function describe ({ features }: FeatureFeature, shown: number, strongest: FeaturePair | undefined): string {
  if (strongest === undefined) {
    return features.length < 2 ? 'There are fewer than two features.' : 'No pair has a measure.'
  }
  const [a, b] = [strongest.a, strongest.b].map((place) => inQuotes(features[place] ?? ''))
  const rest = features.length > shown ? ` The first ${shown} of ${countOf(features.length, 'feature')} are drawn.` : ''
  return 'Rows and columns are the features in one order, in which those that go together stand together. ' +
    'Orange and +: high values go together; blue and −: high with low; the stronger, the fuller. ' +
    'A frame marks a redundant pair. ' +
    `Strongest are ${a} and ${b} (${figureText(strongest.value)}).${rest}`
}
