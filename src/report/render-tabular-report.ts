import { cautionSection, tabularCautions } from './cautions.ts'
import { mainMetric } from './compare.ts'
import { html } from './html.ts'
import { renderReportPage, reportFooter } from './report-page.ts'
import { dataSection } from './sections/data.ts'
import { influenceSection } from './sections/influence.ts'
import { makingSection } from './sections/making.ts'
import { mistakesSection } from './sections/mistakes.ts'
import { qualitySection } from './sections/quality.ts'
import { summarySection } from './sections/summary.ts'
import { named, shownText } from './shown-text.ts'
import type { ProblemType, TabularReport } from './tabular-report.ts'

/**
 * The report of a tabular job as one HTML page: accessible, without script, and without network access. Equal reports
 * give equal bytes. Text of customers is escaped, cut to a readable length and never part of an address or a style.
 */
export function renderTabularReport (report: TabularReport): string {
  const kind = kinds[report.problem_type]
  const main = mainMetric(report.metrics, mainNames[report.problem_type])
  const sections = [
    summarySection(report, main),
    cautionSection(tabularCautions(report, main)),
    qualitySection(report),
    influenceSection(report),
    mistakesSection(report),
    dataSection(report),
    makingSection(report)
  ]
  return renderReportPage({
    title: `${kind} of ${shownText(report.label)}`,
    heading: html`${kind} of ${named(report.label)}`,
    sections,
    footer: reportFooter(shownText(report.engine_version))
  })
}

const kinds: Record<ProblemType, string> = {
  binary: 'Classification',
  multiclass: 'Classification',
  regression: 'Regression',
  quantile: 'Quantile regression'
}

/** The metric that the page's text is about: the first of these that the report has. */
const mainNames: Record<ProblemType, readonly string[]> = {
  binary: ['accuracy', 'log_loss'],
  multiclass: ['accuracy', 'log_loss'],
  regression: ['rmse', 'mae'],
  quantile: ['pinball', 'mae', 'rmse']
}
