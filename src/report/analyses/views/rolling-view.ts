import { renderChart } from '../../charts/chart.ts'
import { html } from '../../html.ts'
import { countOf } from '../../number-text.ts'
import { shownText } from '../../shown-text.ts'
import type { Rolling, RollingFeature } from '../analyses-document.ts'
import { renderAnalysisPage, renderLead } from '../analysis-page.ts'
import { coefficientPanels, panelsWidth } from '../charts/coefficient-panels.ts'
import { figureText, isDrawable } from '../figure-text.ts'
import { labelText } from '../label-text.ts'
import { markdownTable, markdownText, quoted } from '../markdown.ts'
import type { AnalysisView } from '../outcome.ts'
import { standAloneSvg } from '../stand-alone-svg.ts'
import type { Subject } from '../subject.ts'

const title = 'Coefficients over time'
const mostSeries = 12
/** Series of the drawing in a file of its own, and how many stand beside each other. */
const drawnSeries = 6
const columns = 3

/** Regressions in windows that move through the history: does what a feature goes with stay the same? */
export function rollingView (rolling: Rolling, subject: Subject): AnalysisView {
  const series = rolling.series.slice(0, mostSeries)
  const highlights = highlightsOf(rolling)
  return {
    html: renderAnalysisPage({
      title,
      subject,
      lead: renderLead(highlights),
      sections: [
        {
          id: 'coefficients',
          title: 'By series',
          content: series.length === 0 ? html`<p>There is no series.</p>` : html`<div class="panels">${series.map((one, index) => renderChart(coefficientPanels(one, rolling, index)))}</div>`
        },
        {
          id: 'reading',
          title: 'How to read it',
          content: html`<p>Each point is a regression of the target on all features in ${countOf(rolling.window, 'row')}. A coefficient says by how many standard deviations the target goes up when the feature is one higher and the others stay.
The panels of a series have one scale; intervals of weak windows are not drawn. A window is weak when the features explain little of the target in it.</p>`
        }
      ]
    }),
    svg: standAloneSvg(smallMultiples(rolling, subject.target)),
    preview: markdownTable(['Series', 'Feature', 'Latest', 'From', 'To', 'Sign changes'], rolling.series.flatMap(({ item_id: item, features }) => features.map((one) => {
      const latest = one.points.findLast(({ coefficient }) => coefficient !== null)
      return [markdownText(item), markdownText(rolling.features[one.feature] ?? ''), ...[latest?.coefficient, latest?.ci_low, latest?.ci_high].map(figureText), one.sign_change ? 'yes' : 'no']
    }))),
    highlights
  }
}

/** The first series beside each other, each with its panels under its name. */
function smallMultiples (rolling: Rolling, target: string) {
  const charts = rolling.series.slice(0, drawnSeries).map((one, index) => coefficientPanels(one, rolling, index))
  const across = Math.max(1, Math.min(columns, charts.length))
  const [stepX, stepY] = [panelsWidth + 24, Math.max(0, ...charts.map(({ height }) => height)) + 28]
  const marks = charts.map((chart, index) => html`<g transform="translate(${index % across * stepX} ${Math.floor(index / across) * stepY})"><text class="heading" x="0" y="12" aria-hidden="true">${labelText(chart.title, 340)}</text>
<g transform="translate(0 20)">${chart.marks}</g></g>
`)
  const rest = rolling.series.length > charts.length ? ` The first ${charts.length} of ${countOf(rolling.series.length, 'series', 'series')} are drawn.` : ''
  return {
    title: `${title}: ${shownText(target)}`,
    description: charts.length === 0 ? 'There is no series.' : `${charts.map(({ title, description }) => `${title}. ${description}`).join(' ')}${rest}`,
    width: across * stepX - 24,
    height: Math.max(1, Math.ceil(charts.length / across)) * stepY,
    marks: html`${charts.length === 0 ? html`<text class="ticks" x="0" y="14">nothing to draw</text>` : marks}`
  }
}

function highlightsOf ({ features: names, series }: Rolling): string[] {
  const all = series.flatMap(({ item_id: item, features }) => features.map((one) => ({ item, ...one })))
  if (all.length === 0) return ['No series has a coefficient.']
  const changing = all.filter((one) => one.sign_change)
  const example = changing[0] ?? all[0] as RollingFeature & { item: string }
  const windows = all.flatMap(({ points }) => points)
  const weak = windows.filter((one) => one.weak).length
  const strong = example.points.filter(({ weak }) => !weak).map(({ coefficient }) => coefficient).filter(isDrawable)
  const range = strong.length === 0 ? 'has weak windows only' : `has coefficients from ${figureText(Math.min(...strong))} to ${figureText(Math.max(...strong))}`
  return [
    all.length === 1 ? `The coefficient ${changing.length === 1 ? 'changes its sign' : 'keeps its sign'} over time.` : `Of ${countOf(all.length, 'coefficient')} over time ${changing.length} ${changing.length === 1 ? 'changes its' : 'change their'} sign.`,
    `${quoted(names[example.feature] ?? '')} in ${quoted(example.item)} ${range}.`,
    `Of ${countOf(windows.length, 'window')} ${weak} ${weak === 1 ? 'is' : 'are'} weak; these are associations, not causes.`
  ]
}
