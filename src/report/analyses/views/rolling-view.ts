import { renderCharts } from '../../chart/chart.ts'
import { isDrawable } from '../../chart/drawable.ts'
import { labelText } from '../../chart/label-text.ts'
import { arranged, headed } from '../../chart/layout.ts'
import { html } from '../../html.ts'
import { countOf } from '../../number-text.ts'
import type { Rolling, RollingFeature } from '../analyses-document.ts'
import { coefficientPanels } from '../charts/coefficient-panels.ts'
import { figureText } from '../figure-text.ts'
import { markdownTable, markdownText } from '../markdown.ts'
import { inQuotes } from '../quotes.ts'
import type { AnalysisView } from '../outcome.ts'

const mostSeries = 12
/** How many series the drawing for the file has, and how many of them side by side. */
const drawnSeries = 6
const columns = 3

/** Regressions in windows that move through the history: does the effect of a feature stay the same? */
export function rollingView (rolling: Rolling): AnalysisView {
  const charts = rolling.series.slice(0, mostSeries).map((one, index) => coefficientPanels(one, rolling, index))
  const drawn = charts.slice(0, drawnSeries)
  const rest = rolling.series.length > drawn.length
    ? ` The first ${drawn.length} of ${countOf(rolling.series.length, 'series', 'series')} are drawn.`
    : ''
  return {
    title: 'Coefficients over time',
    highlights: highlightsOf(rolling),
    sections: [
      {
        id: 'coefficients',
        title: 'By series',
        content: charts.length === 0 ? html`<p>There is no series.</p>` : renderCharts(charts)
      },
      {
        id: 'reading',
        title: 'How to read it',
        content: html`<p>Each point is a regression of the target on all features in ${countOf(rolling.window, 'row')}.
A coefficient says by how many standard deviations the target goes up when the feature is one higher
and the others stay. The panels of a series have one scale; intervals of weak windows are not drawn.
A window is weak when the features explain little of the target in it.</p>`
      }
    ],
    drawing: {
      ...arranged(drawn.map((chart) => headed(labelText(chart.title, 340), chart)), columns, 24),
      description: drawn.length === 0
        ? 'There is no series.'
        : `${drawn.map(({ title, description }) => `${title}. ${description}`).join(' ')}${rest}`
    },
    preview: previewOf(rolling)
  }
}

function previewOf ({ features: names, series }: Rolling): string {
  const all = series.flatMap(({ item_id: item, features }) => features.map((one) => ({ item, ...one })))
  return markdownTable(['Series', 'Feature', 'Latest', 'From', 'To', 'Sign changes'], all.map((one) => {
    const latest = one.points.findLast(({ coefficient }) => coefficient !== null)
    const figures = [latest?.coefficient, latest?.ci_low, latest?.ci_high].map(figureText)
    return [markdownText(one.item), markdownText(names[one.feature] ?? ''), ...figures, one.sign_change ? 'yes' : 'no']
  }))
}

function highlightsOf ({ features: names, series }: Rolling): string[] {
  const all = series.flatMap(({ item_id: item, features }) => features.map((one) => ({ item, ...one })))
  if (all.length === 0) return ['No series has a coefficient.']
  const changing = all.filter((one) => one.sign_change)
  const change = changing.length === 1 ? 'changes its' : 'change their'
  const example = changing[0] ?? all[0] as RollingFeature & { item: string }
  const windows = all.flatMap(({ points }) => points)
  const weak = windows.filter((one) => one.weak).length
  const strong = example.points.filter(({ weak }) => !weak).map(({ coefficient }) => coefficient).filter(isDrawable)
  const range = strong.length === 0
    ? 'has weak windows only'
    : `has coefficients from ${figureText(Math.min(...strong))} to ${figureText(Math.max(...strong))}`
  return [
    all.length === 1
      ? `The coefficient ${changing.length === 1 ? 'changes its sign' : 'keeps its sign'} over time.`
      : `Of ${countOf(all.length, 'coefficient')} over time ${changing.length} ${change} sign.`,
    `${inQuotes(names[example.feature] ?? '')} in ${inQuotes(example.item)} ${range}.`,
    `Of ${countOf(windows.length, 'window')} ${weak} ${weak === 1 ? 'is' : 'are'} weak; ` +
    'these are associations, not causes.'
  ]
}
