import { renderCharts } from '../../chart/chart.ts'
import { dataTable } from '../../data-table.ts'
import { html, type Html } from '../../html.ts'
import { countOf } from '../../number-text.ts'
import type { Section } from '../../section.ts'
import { named } from '../../shown-text.ts'
import { weightChart } from '../charts/weight-chart.ts'
import type { ForecastReport } from '../forecast-report.ts'
import { modelLabel, modelMeaning } from '../model-names.ts'
import { meanWeights } from '../weights.ts'

/** Which models were combined, and with which weights; null if rules continue all series. */
export function modelsSection (report: ForecastReport): Section | null {
  const members = [...new Set(report.classes.flatMap((one) => one.members))]
  const weights = meanWeights(report)
  if (members.length === 0 && weights.length === 0) return null
  return {
    id: 'models',
    title: 'The models and their weights',
    content: html`<p>${whereFrom(report, weights.length > 0)}</p>
${weights.length > 0 ? renderCharts([weightChart(weights)]) : memberTable(members)}
${sharedModel(report.global)}
${featureList(report.features)}`
  }
}

function whereFrom ({ preset }: ForecastReport, isWeighed: boolean): string {
  if (isWeighed) {
    return 'The forecast of a series is a weighted mean of several models. A model that did better ' +
      'on what was held back counts for more; a single series may have other weights than the mean.'
  }
  if (preset === 'fine_tuned') return 'The models were learned and weighed once, when the fine-tuned model was trained.'
  return 'The forecast of a series is a mean of these models. ' +
    'Nothing was tested, so that they count what they usually should for a history of its shape.'
}

function memberTable (members: readonly string[]): Html {
  return dataTable({
    caption: 'Models',
    head: ['Model', 'How it forecasts'],
    rows: members.map((name) => [modelLabel(name), modelMeaning(name)])
  })
}

function sharedModel (global: ForecastReport['global']): Html | null {
  if (global === undefined) return null
  return html`<p>The trees of all series learned from ${countOf(global.series, 'series', 'series')}:
${countOf(global.rows, 'row')} with ${countOf(global.features, 'feature')} each.</p>`
}

function featureList (features: ForecastReport['features']): Html | null {
  if (features === undefined || features.length === 0) return null
  return html`<details><summary>${countOf(features.length, 'feature')} that models learned from</summary>
<ul>${features.map((name) => html`<li>${named(name, 120)}</li>`)}</ul></details>`
}
