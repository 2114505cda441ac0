import { cautionSection, forecastCautions } from '../cautions.ts'
import { html } from '../html.ts'
import { countOf } from '../number-text.ts'
import { renderReportPage, reportFooter } from '../report-page.ts'
import { shownText } from '../shown-text.ts'
import type { ForecastFacts, ForecastReport } from './forecast-report.ts'
import { stepsText } from './frequency-text.ts'
import { covariateSection } from './sections/covariates.ts'
import { dataSection } from './sections/data.ts'
import { explanationSection } from './sections/explanation.ts'
import { hierarchySection } from './sections/hierarchy.ts'
import { leaderboardSection } from './sections/leaderboard.ts'
import { makingSection } from './sections/making.ts'
import { modelsSection } from './sections/models.ts'
import { qualitySection } from './sections/quality.ts'
import { summarySection } from './sections/summary.ts'

/**
 * The report of a forecast as one HTML page: accessible, without script, and without network access. Equal reports and
 * facts give equal bytes. Text of customers is escaped, cut to a readable length and never part of an address or a
 * style.
 */
export function renderForecastReport (report: ForecastReport, facts: ForecastFacts): string {
  const ahead = `${stepsText(report.prediction_length, report.freq)} ahead`
  const title = `Forecast of ${countOf(facts.series, 'series', 'series')}, ${ahead}`
  return renderReportPage({
    title,
    heading: html`${title}`,
    sections: [
      summarySection(report, facts),
      explanationSection(facts.explanation),
      cautionSection(forecastCautions(report, facts)),
      qualitySection(report),
      modelsSection(report),
      leaderboardSection(report),
      dataSection(report, facts),
      covariateSection(report, facts),
      hierarchySection(facts),
      makingSection(report, facts)
    ],
    footer: reportFooter(shownText(facts.engineVersion))
  })
}
