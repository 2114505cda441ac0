import { dataTable } from '../../data-table.ts'
import { html, type Content, type Html } from '../../html.ts'
import { plainName } from '../../metric-names.ts'
import { countOf, countText, percentText } from '../../number-text.ts'
import type { Section } from '../../section.ts'
import { named, shownText } from '../../shown-text.ts'
import type { ExternalSource, ForecastFacts, ForecastReport } from '../forecast-report.ts'
import { warningsAbout } from '../warning-groups.ts'

/** The covariates, and whether they helped; null if there were none. */
export function covariateSection ({ covariates = [] }: ForecastReport, facts: ForecastFacts): Section | null {
  const notes = warningsAbout(facts, 'covariates')
  const external = facts.externalSources ?? []
  if (covariates.length === 0 && external.length === 0 && notes.length === 0) return null
  return {
    id: 'covariates',
    title: 'Covariates',
    content: html`${covariates.length === 0 ? null : columnTable(covariates)}
${notes.length === 0 ? null : html`<ul>${notes.map((note) => html`<li>${note}</li>`)}</ul>`}
${external.length === 0 ? null : sourceTable(external)}
${external.length === 0 ? null : attributions(external)}`
  }
}

function columnTable (covariates: NonNullable<ForecastReport['covariates']>): Html {
  const used = covariates.filter((one) => one.used).length
  return html`<p>${countText(used)} of ${countOf(covariates.length, 'covariate')} ${
    used === 1 ? 'was' : 'were'
  } used. To learn what they are worth, make the same forecast without them and compare the scaled errors.</p>
${
    dataTable({
      caption: 'Columns',
      head: ['Column', 'Used'],
      rows: covariates.map(({ name, used }) => [named(name, 120), used ? '✓ used' : '✗ skipped'])
    })
  }`
}

function sourceTable (sources: readonly ExternalSource[]): Html {
  return dataTable({
    caption: 'Sources beside the file',
    head: ['Source', 'Status', 'Past known', 'Future known', 'Variables', 'Why'],
    rows: sources.map(sourceRow),
    numbers: [2, 3]
  })
}

/** Licences ask for it. */
function attributions (sources: readonly ExternalSource[]): Html | null {
  const texts = [...new Set(sources.flatMap(({ attribution }) => attribution === null ? [] : attribution.split('; ')))]
  return texts.length === 0 ? null : html`<p>Sources: ${texts.map((text) => shownText(text, 300)).join('; ')}.</p>`
}

const statuses: Record<ExternalSource['status'], string> = {
  used: '✓ used',
  partial: '◐ used in part',
  skipped: '✗ skipped',
  failed: '✗ failed'
}

function sourceRow (
  { kind, status, reason, variablesUsed, historyCoverage, futureCoverage }: ExternalSource
): Content[] {
  const share = (value: number | null) => value === null ? '' : percentText(value)
  const variables = html`<ul>${variablesUsed.map((name) => html`<li>${named(name)}</li>`)}</ul>`
  return [plainName(kind), statuses[status], share(historyCoverage), share(futureCoverage), variables,
    reason === null ? '' : shownText(reason, 300)]
}
