import { renderCharts } from '../../chart/chart.ts'
import { dataTable } from '../../data-table.ts'
import { html, type Content } from '../../html.ts'
import { countText, numberText, percentText } from '../../number-text.ts'
import type { Section } from '../../section.ts'
import { coverageChart } from '../charts/coverage-chart.ts'
import { errorChart } from '../charts/error-chart.ts'
import { classLabel } from '../class-names.ts'
import { baselineText, compareClass, type Standing } from '../comparison.ts'
import { coverageOf } from '../coverage.ts'
import type { ForecastReport, SeriesClass } from '../forecast-report.ts'

/** The forecast compared with the baseline, and the coverage of its intervals; null if nothing was tested. */
export function qualitySection (report: ForecastReport): Section | null {
  const tested = report.classes.filter((one) => coverageOf(one) !== undefined || compareClass(one) !== undefined)
  if (tested.length === 0) return null
  return {
    id: 'quality',
    title: 'How good it is',
    content: html`<p>The baseline is ${baselineText(report)}. Errors are scaled:
1 is the usual change from one season to the next, so that series of any size can be averaged.
A forecast counts as better if its mean error is at least 2 % smaller and most of the tests do not contradict that.</p>
${
      dataTable({
        caption: 'This forecast on what was held back',
        head: ['Kind of series', 'Against the baseline', 'Scaled error', 'Baseline', 'Inside 80 %', 'Inside 95 %',
          'Tests'],
        rows: tested.map(classRow),
        numbers: [2, 3, 4, 5, 6]
      })
    }
${renderCharts([errorChart(report), coverageChart(report)])}`
  }
}

const standings: Record<Standing, string> = { better: '▲ better', alike: '● not better', worse: '▼ worse' }

function classRow (one: SeriesClass): Content[] {
  const compared = compareClass(one)
  const score = one.leaderboard?.scores.find(({ model }) => model === 'combination')
  return [
    classLabel(one.class),
    compared === undefined ? '' : standings[compared.standing],
    numberText(score?.mase ?? null),
    numberText(one.leaderboard?.baseline?.mase ?? null),
    percentText(score?.coverage_80 ?? null),
    percentText(score?.coverage_95 ?? null),
    countText(score?.windows ?? 0)
  ]
}
