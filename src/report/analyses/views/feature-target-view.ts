import { renderCharts } from '../../chart/chart.ts'
import { html } from '../../html.ts'
import type { FeatureTargetRow } from '../analyses-document.ts'
import { targetBars } from '../charts/target-bars.ts'
import { figureText } from '../figure-text.ts'
import { markdownTable, markdownText } from '../markdown.ts'
import { inQuotes } from '../quotes.ts'
import { methodNames, transformNames } from '../method-names.ts'
import type { AnalysisView } from '../outcome.ts'
import type { Subject } from '../subject.ts'
import { targetAssociations, type TargetAssociation } from '../target-associations.ts'

const readingOfTable = html`<p>Pearson’s r and Spearman’s rho are of two columns of numbers and go from −1 to +1;
Cramér’s V, of two of levels, and the correlation ratio, of one of each, go from 0 to 1.
The p values are adjusted for the number of features (Benjamini and Hochberg).</p>`

const readingOfSeries = html`<p>Two series that both grow go together in their levels, whatever they are.
What remains in their differences, from step to step, says more;
seasonal differences are those from season to season.</p>
<p>The best lag is the one at which Pearson’s r is largest in size: above 0 the feature runs ahead of the target.
The p values are adjusted for the number of features (Benjamini and Hochberg);
those of levels are too small, because rows that follow each other are alike.</p>`

/** How each feature relates to the target; for series in differences beside levels. */
export function featureTargetView (
  rows: readonly FeatureTargetRow[],
  subject: Subject,
  topFeatures: number
): AnalysisView {
  const associations = targetAssociations(rows)
  const chart = targetBars(associations, rows, subject, topFeatures)
  return {
    title: 'Features and the target',
    highlights: highlightsOf(associations, subject),
    sections: [
      { id: 'associations', title: 'Measures', content: renderCharts([chart]) },
      { id: 'reading', title: 'How to read it', content: subject.isTable ? readingOfTable : readingOfSeries }
    ],
    drawing: chart,
    preview: previewOf(associations, subject)
  }
}

/** Rows of a table have neither differences nor lags. */
function previewOf (associations: readonly TargetAssociation[], { isTable }: Subject): string {
  const ofSeries = (...cells: string[]) => isTable ? [] : cells
  const head = ['Feature', ...ofSeries('Of'), 'Measure', 'Value', 'p, adjusted', ...ofSeries('Best lag')]
  return markdownTable(head, associations.map(({ feature, leading }) => [
    markdownText(feature),
    ...ofSeries(transformNames[leading.transform]),
    methodNames[leading.method],
    figureText(leading.value),
    figureText(leading.p_adjusted),
    ...ofSeries(lagText(leading.best_lag))
  ]))
}

function lagText (lag: number | null): string {
  return lag === null ? '' : String(lag).replace('-', '−')
}

function highlightsOf ([first]: readonly TargetAssociation[], { target, isTable }: Subject): string[] {
  if (first === undefined) return ['No feature has a measure of association with the target.']
  const { leading, rows, feature } = first
  const levels = leading.transform === 'levels' ? undefined : rows.find(({ transform }) => transform === 'levels')
  const transform = isTable ? '' : ` in ${transformNames[leading.transform]}`
  const measure = `${methodNames[leading.method]} ${figureText(leading.value)}${transform}`
  const beside = levels === undefined ? '' : `, ${figureText(levels.value)} in levels`
  return [
    `${inQuotes(feature)} has the strongest association with ${inQuotes(target)}: ${measure}${beside}.`,
    ...leading.best_lag === null
      ? []
      : [`Its best lag is ${lagText(leading.best_lag)}, with ${figureText(leading.value_at_best_lag)}.`],
    'These are associations, not causes.'
  ]
}
