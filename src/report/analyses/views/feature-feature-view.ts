import { renderChart, renderCharts } from '../../chart/chart.ts'
import { dataTable } from '../../data-table.ts'
import { html, type Content, type Html } from '../../html.ts'
import { countOf, numberText } from '../../number-text.ts'
import { named } from '../../shown-text.ts'
import type { FeatureFeature, FeaturePair } from '../analyses-document.ts'
import { heatMap, isWide } from '../charts/heat-map.ts'
import { figureText } from '../figure-text.ts'
import { markdownTable, markdownText } from '../markdown.ts'
import { inQuotes } from '../quotes.ts'
import { methodNames } from '../method-names.ts'
import type { AnalysisView } from '../outcome.ts'
import { pairAssociations } from '../pair-associations.ts'

const mostNames = 50

/** How features relate to each other, and which ones are redundant. */
export function featureFeatureView (given: FeatureFeature): AnalysisView {
  const pairs = pairAssociations(given)
  const redundant = pairs.filter((pair) => pair.redundant)
  const chart = heatMap(given, pairs)
  const name = (place: number) => given.features[place] ?? ''
  return {
    title: 'Features among each other',
    highlights: highlightsOf(given, pairs, redundant),
    sections: [
      {
        id: 'together',
        title: 'All pairs',
        content: isWide(given)
          ? html`<div class="wide" role="region" aria-label="All pairs" tabindex="0">${renderChart(chart)}</div>`
          : renderCharts([chart])
      },
      { id: 'redundant', title: 'Redundant pairs', content: redundantPairs(redundant, name) },
      {
        id: 'reading',
        title: 'How to read it',
        content: html`<p>Pearson and Spearman, of two columns of numbers, go from −1 to +1,
and the larger in size is drawn. Cramér’s V, of two categories, and the correlation ratio,
of a category and a number, go from 0 to 1. A pair without a cell has too few rows.</p>
${listed('Constant, and not compared', given.constant)}
${listed('Beyond the limit, and not compared', given.beyond_limit)}`
      }
    ],
    drawing: chart,
    preview: markdownTable(['Feature', 'And', 'Measure', 'Value', 'Redundant'], pairs.map((
      { a, b, method, value, redundant }
    ) => [
      markdownText(name(a)),
      markdownText(name(b)),
      methodNames[method],
      figureText(value),
      redundant ? 'yes' : 'no'
    ]))
  }
}

function redundantPairs (pairs: readonly FeaturePair[], name: (place: number) => string): Html {
  if (pairs.length === 0) return html`<p>There is none.</p>`
  return html`<p>Of each pair one feature would do nearly as well as both; importance is shared between them.</p>
${
    dataTable({
      caption: 'Redundant pairs',
      head: ['Feature', 'And', 'Measure', 'Value'],
      rows: pairs.slice(0, 100).map(({ a, b, method, value }) => [
        named(name(a), 200),
        named(name(b), 200),
        methodNames[method],
        numberText(value)
      ]),
      numbers: [3]
    })
  }`
}

function listed (what: string, names: readonly string[]): Content {
  if (names.length === 0) return null
  const shown = names.slice(0, mostNames).map((name, index) => html`${index > 0 ? ', ' : null}${named(name)}`)
  return html`<p>${what}: ${shown}${names.length > mostNames ? ' and others' : null}.</p>`
}

function highlightsOf (
  { features }: FeatureFeature,
  pairs: readonly FeaturePair[],
  redundant: readonly FeaturePair[]
): string[] {
  const [first] = pairs
  if (first === undefined) return ['No pair of features has a measure.']
  const name = (place: number) => inQuotes(features[place] ?? '')
  const count = redundant.length === 0 ? 'none is' : redundant.length === 1 ? '1 is' : `${redundant.length} are`
  return [
    pairs.length === 1
      ? `The only pair is ${redundant.length === 0 ? 'not ' : ''}redundant.`
      : `Of ${countOf(pairs.length, 'pair')} ${count} redundant.`,
    `${name(first.a)} and ${name(first.b)} have the strongest association, ` +
    `${methodNames[first.method]} ${figureText(first.value)}.`,
    'These are associations, not causes.'
  ]
}
