import { renderCharts } from '../chart/chart.ts'
import { calibrationChart } from '../charts/calibration-chart.ts'
import { confusionChart } from '../charts/confusion-chart.ts'
import { residualChart } from '../charts/residual-chart.ts'
import { compare, fewestRowsToBeBetter, type Standing } from '../compare.ts'
import { dataTable } from '../data-table.ts'
import { html, type Content } from '../html.ts'
import { figureText, metricLabel, metricOf, plainName } from '../metric-names.ts'
import { countOf, numberText, percentText } from '../number-text.ts'
import type { Section } from '../section.ts'
import type { ReportCalibration, ReportMetric, ReportResiduals, TabularReport } from '../tabular-report.ts'

/** Every metric beside those of the two simple models, and the charts of the errors. */
export function qualitySection (report: TabularReport): Section {
  const { metrics, evaluated_rows: count, calibration, classes, confusion, residuals } = report
  const guess = classes === null ? 'the mean' : 'the most frequent class with the usual frequencies'
  const tooFew = count < fewestRowsToBeBetter ? `; ${countOf(count, 'row')} are too few to call any model better` : ''
  return {
    id: 'quality',
    title: 'How good it is',
    content: html`<p>The baseline ignores all columns: it always says ${guess}.
The linear model is the usual simple one. A difference counts as clear
when the other model's figure lies outside the interval${tooFew}.</p>
${
      dataTable({
        caption: 'Measures',
        head: ['Measure', 'This model', '95 % interval', 'Linear model', 'Baseline', 'Against the baseline'],
        rows: metrics.map((metric) => metricRow(metric, count)),
        numbers: [1, 2, 3, 4]
      })
    }
${
      renderCharts([
        calibration && { ...calibrationChart(calibration), note: aboutCalibration(calibration) },
        confusion && confusionChart(confusion),
        residuals && residualChart(residuals)
      ])
    }
${residuals && html`<p>${aboutIntervals(residuals)}</p>`}`
  }
}

const standings: Record<Standing, string> = { better: '▲ better', alike: '● no clear difference', worse: '▼ worse' }

function metricRow (metric: ReportMetric, rows: number): Content[] {
  const known = metricOf(metric.name)
  const text = (value: number | null) => figureText(metric.name, value)
  const standing = compare(metric, 'baseline', rows)
  const interval = metric.low === null || metric.high === null ? '' : `${text(metric.low)} to ${text(metric.high)}`
  const other = (value: number | null) => value === null ? '' : text(value)
  return [
    html`${metricLabel(metric.name)}${known === undefined ? null : html`<small>${known.meaning}</small>`}`,
    text(metric.value),
    interval,
    other(metric.linear),
    other(metric.baseline),
    standing === undefined ? '' : standings[standing]
  ]
}

function aboutCalibration ({ method, before, after }: ReportCalibration): string {
  if (method === null) return "The probabilities are the members' own: no correction made them better."
  return `The probabilities were corrected (${plainName(method).toLowerCase()}): ` +
    `on rows that the correction had not seen, the log loss went from ${numberText(before)} to ${numberText(after)}.`
}

function aboutIntervals ({ coverage_80: coverage, width_80: width }: ReportResiduals): string {
  return `The 80 % intervals held ${percentText(coverage)} of the rows and are ${numberText(width)} wide on average.`
}
