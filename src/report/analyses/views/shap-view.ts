import { renderCharts } from '../../chart/chart.ts'
import { html, type Html } from '../../html.ts'
import type { Importance, Shap } from '../analyses-document.ts'
import { beeswarm } from '../charts/beeswarm.ts'
import { waterfall } from '../charts/waterfall.ts'
import { figureText, signedText } from '../figure-text.ts'
import { markdownTable, markdownText } from '../markdown.ts'
import { inQuotes } from '../quotes.ts'
import type { AnalysisView } from '../outcome.ts'
import { rowCells, rowHead, rowText, type Subject } from '../subject.ts'
import { fidelityMeaning, surrogateText } from '../surrogate-text.ts'

const mostDetailed = 10

/** Contributions (Shapley values) of all rows by feature, and of some rows in detail. */
export function shapView (
  shap: Shap,
  importance: Importance | null,
  subject: Subject,
  topFeatures: number
): AnalysisView {
  const swarm = beeswarm(shap, subject, topFeatures)
  const detailed = shap.detailed.slice(0, mostDetailed)
  return {
    title: `Contributions to the ${subject.result}`,
    highlights: highlightsOf(shap, importance, subject),
    sections: [
      { id: 'contributions', title: 'All rows', content: renderCharts([swarm]) },
      detailed.length === 0
        ? null
        : {
          id: 'rows',
          title: 'Some rows in detail',
          content: html`<p>From the base, the mean of the surrogate, each feature adds (orange, to the right)
or takes away (blue, to the left), down to what the surrogate says. The largest are drawn; the table has all.</p>
${renderCharts(detailed.map((row, index) => waterfall(row, subject, index)))}`
        },
      { id: 'reading', title: 'How to read it', content: howToRead(importance, subject) }
    ],
    drawing: swarm,
    preview: markdownTable(['Feature', 'Mean size', 'Mean', '5 %', 'Median', '95 %'], shap.summary.map((one) => [
      markdownText(one.feature),
      ...[one.mean_abs, one.mean, one.p05, one.p50, one.p95].map(figureText)
    ]))
  }
}

const relativeValues = html`<p>Values of lags, rolling features and growth are relative
to the mean size of their series.</p>`

function howToRead (importance: Importance | null, subject: Subject): Html {
  const meaning = fidelityMeaning(importance?.fidelity ?? null, subject)
  const unit = subject.unit === subject.target ? 'the target' : subject.unit
  return html`${meaning === null ? null : html`<p>${meaning}</p>`}
<p>Contributions are Shapley values of the surrogate, in units of ${unit};
those of a row and the base sum up to what the surrogate says.</p>
${subject.isTable ? null : relativeValues}`
}

/** The detailed rows, for the file with the contributions of all rows. */
export function detailedPreview ({ detailed }: Shap, subject: Subject): string {
  return markdownTable([...rowHead(subject), 'Base', 'Surrogate', subject.title], detailed.map((row) => [
    ...rowCells(row).map((cell) => markdownText(cell)),
    ...[row.base, row.reproduced, row.prediction].map(figureText)
  ]))
}

function highlightsOf ({ summary, detailed }: Shap, importance: Importance | null, subject: Subject): string[] {
  const first = summary[0]
  const highs = detailed.filter(({ told }) => told === 'highest')
  const highest = highs.toSorted((a, b) => (b.prediction ?? -Infinity) - (a.prediction ?? -Infinity))[0]
  const largest = highest?.contributions.toSorted((a, b) => Math.abs(b.shap ?? 0) - Math.abs(a.shap ?? 0))[0]
  const unit = subject.unit === subject.target ? inQuotes(subject.target) : subject.unit
  return [
    first === undefined
      ? 'No feature has a contribution.'
      : `${inQuotes(first.feature)} has the largest contributions, ${figureText(first.mean_abs)} in mean size, ` +
        `in units of ${unit}.`,
    ...highest === undefined || largest === undefined
      ? []
      : [`Of the ${subject.results} told in detail the highest is ${figureText(highest.prediction)} ` +
        `(${rowText(highest)}), ` +
        `where the contribution of ${inQuotes(largest.feature)} is ${signedText(largest.shap)}.`],
    surrogateText(importance, subject)
  ]
}
