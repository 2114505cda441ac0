import { calibrationChart } from '../charts/calibration-chart.ts'
import { confusionChart } from '../charts/confusion-chart.ts'
import { residualChart } from '../charts/residual-chart.ts'
import { compare, fewestRowsToBeBetter, type Standing } from '../compare.ts'
import { dataTable } from '../data-table.ts'
import { html, type Content, type Html } from '../html.ts'
import { figureText, measureLabel, measureOf, plainName } from '../metric-names.ts'
import { countOf, numberText, percentText } from '../number-text.ts'
import type { Section } from '../section.ts'
import type { ReportCalibration, ReportMetric, ReportResiduals, TabularReport } from '../tabular-report.ts'

/** Every measure beside the two simple models, and the drawings of what goes wrong. */
export function qualitySection ({ metrics, evaluated_rows: count, calibration, classes, confusion, residuals }: TabularReport): Section {
  return {
    id: 'quality',
    title: 'How good it is',
    content: html`<p>The baseline ignores all columns: ${classes === null ? 'it always says the mean' : 'it says the most frequent class with the usual frequencies'}. The linear model is the usual simple one. A difference counts as clear when the other model's figure lies outside the interval${count < fewestRowsToBeBetter ? `; ${countOf(count, 'row')} are too few to call any model better` : ''}.</p>
${dataTable({
    caption: 'Measures',
    head: ['Measure', 'This model', '95 % interval', 'Linear model', 'Baseline', 'Against the baseline'],
    rows: metrics.map((metric) => metricRow(metric, count)),
    numbers: [1, 2, 3, 4]
  })}
<div class="charts">
${calibration === null ? null : html`<div class="panel">${calibrationChart(calibration)}${aboutCalibration(calibration)}</div>`}
${confusion === null ? null : html`<div class="panel">${confusionChart(confusion)}</div>`}
${residuals === null ? null : html`<div class="panel">${residualChart(residuals)}${aboutIntervals(residuals)}</div>`}
</div>`
  }
}

const standings: Record<Standing, string> = { better: '▲ better', alike: '● no clear difference', worse: '▼ worse' }

function metricRow (metric: ReportMetric, rows: number): Content[] {
  const measure = measureOf(metric.name)
  const text = (value: number | null) => figureText(metric.name, value)
  const standing = compare(metric, 'baseline', rows)
  const interval = metric.low === null || metric.high === null ? '' : `${text(metric.low)} to ${text(metric.high)}`
  const other = (value: number | null) => value === null ? '' : text(value)
  return [
    html`${measureLabel(metric.name)}${measure === undefined ? null : html`<small>${measure.meaning}</small>`}`,
    text(metric.value), interval, other(metric.linear), other(metric.baseline), standing === undefined ? '' : standings[standing]
  ]
}

function aboutCalibration ({ method, before, after }: ReportCalibration): Html {
  if (method === null) return html`<p>The probabilities are the members' own: no correction made them better.</p>`
  return html`<p>The probabilities were corrected (${plainName(method).toLowerCase()}): on rows that the correction had not seen, the log loss went from ${numberText(before)} to ${numberText(after)}.</p>`
}

function aboutIntervals ({ coverage_80: coverage, width_80: width }: ReportResiduals): Html {
  return html`<p>The 80 % intervals held ${percentText(coverage)} of the rows and are ${numberText(width)} wide on average.</p>`
}
