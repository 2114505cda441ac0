import { renderChart } from '../../charts/chart.ts'
import { dataTable } from '../../data-table.ts'
import { html, type Content } from '../../html.ts'
import { countOf, numberText } from '../../number-text.ts'
import { named } from '../../shown-text.ts'
import type { FeatureFeature, FeaturePair } from '../analyses-document.ts'
import { renderAnalysisPage, renderLead } from '../analysis-page.ts'
import { heatMap, isWide } from '../charts/heat-map.ts'
import { figureText } from '../figure-text.ts'
import { markdownTable, markdownText, quoted } from '../markdown.ts'
import { methodNames } from '../method-names.ts'
import type { AnalysisView } from '../outcome.ts'
import { pairAssociations } from '../pair-associations.ts'
import { standAloneSvg } from '../stand-alone-svg.ts'
import type { Subject } from '../subject.ts'

const title = 'Features among each other'
const mostNames = 50

/** How features go together, and which ones say the same. */
export function featureFeatureView (given: FeatureFeature, subject: Subject): AnalysisView {
  const pairs = pairAssociations(given)
  const redundant = pairs.filter((pair) => pair.redundant)
  const chart = heatMap(given, pairs)
  const highlights = highlightsOf(given, pairs, redundant)
  const name = (place: number) => given.features[place] ?? ''
  return {
    html: renderAnalysisPage({
      title,
      subject,
      lead: renderLead(highlights),
      sections: [
        { id: 'together', title: 'All pairs', content: isWide(given) ? html`<div class="wide" role="region" aria-label="All pairs" tabindex="0">${renderChart(chart)}</div>` : html`<div class="single">${renderChart(chart)}</div>` },
        {
          id: 'redundant',
          title: 'Redundant pairs',
          content: redundant.length === 0
            ? html`<p>There is none.</p>`
            : html`<p>Of each pair one feature would do nearly as well as both; importance is shared between them.</p>
${dataTable({ caption: 'Redundant pairs', head: ['Feature', 'And', 'Measure', 'Value'], rows: redundant.slice(0, 100).map(({ a, b, method, value }) => [named(name(a), 200), named(name(b), 200), methodNames[method], numberText(value)]), numbers: [3] })}`
        },
        {
          id: 'reading',
          title: 'How to read it',
          content: html`<p>Pearson and Spearman, of two columns of numbers, go from −1 to +1, and the larger in size is drawn. Cramér’s V, of two categories, and the correlation ratio, of a category and a number, go from 0 to 1. A pair without a cell has too few rows.</p>
${listed('Constant, and not compared', given.constant)}${listed('Beyond the limit, and not compared', given.beyond_limit)}`
        }
      ]
    }),
    svg: standAloneSvg({ ...chart, title: `${title}: ${subject.target}` }),
    preview: markdownTable(['Feature', 'And', 'Measure', 'Value', 'Redundant'], pairs.map(({ a, b, method, value, redundant }) => [
      markdownText(name(a)), markdownText(name(b)), methodNames[method], figureText(value), redundant ? 'yes' : 'no'
    ])),
    highlights
  }
}

function listed (what: string, names: readonly string[]): Content {
  if (names.length === 0) return null
  return html`<p>${what}: ${names.slice(0, mostNames).map((name, index) => html`${index > 0 ? ', ' : null}${named(name)}`)}${names.length > mostNames ? ' and others' : null}.</p>`
}

function highlightsOf ({ features }: FeatureFeature, pairs: readonly FeaturePair[], redundant: readonly FeaturePair[]): string[] {
  const [first] = pairs
  if (first === undefined) return ['No pair of features has a measure.']
  const name = (place: number) => quoted(features[place] ?? '')
  return [
    pairs.length === 1 ? `The only pair is ${redundant.length === 0 ? 'not ' : ''}redundant.` : redundant.length === 0 ? `Of ${countOf(pairs.length, 'pair')} none is redundant.` : `Of ${countOf(pairs.length, 'pair')} ${redundant.length} ${redundant.length === 1 ? 'is' : 'are'} redundant.`,
    `${name(first.a)} and ${name(first.b)} have the strongest association, ${methodNames[first.method]} ${figureText(first.value)}.`,
    'These are associations, not causes.'
  ]
}
