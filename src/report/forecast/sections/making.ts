import { dataTable } from '../../data-table.ts'
import { factList, type Fact } from '../../fact-list.ts'
import { html } from '../../html.ts'
import { plainName } from '../../metric-names.ts'
import { secondsText, unknown } from '../../number-text.ts'
import type { Section } from '../../section.ts'
import { shownText } from '../../shown-text.ts'
import { classLabel } from '../class-names.ts'
import { combinedText } from '../combined-text.ts'
import type { ForecastFacts, ForecastReport } from '../forecast-report.ts'
import { modelLabel } from '../model-names.ts'

/** How long the forecast took, and what is needed to reproduce it. */
export function makingSection (report: ForecastReport, facts: ForecastFacts): Section {
  const stages = Object.entries(facts.timings)
  return {
    id: 'making',
    title: 'How it was made',
    content:
      html`<p>Equal data, configuration and model version give an equal table and an equal report.json, however long it takes.</p>
${factList(reproduction(report, facts))}
${
        stages.length === 0
          ? null
          : dataTable({
            caption: 'Time of computing',
            head: ['Stage', 'Time'],
            rows: stages.map(([stage, seconds]) => [plainName(stage), secondsText(seconds)]),
            numbers: [1]
          })
      }`
  }
}

function reproduction ({ seeds, freq, version }: ForecastReport,
  { datasetHash, configHash, modelVersion, engineVersion, combined }: ForecastFacts): Fact[] {
  const text = (value: string | null) => value === null ? unknown : shownText(value)
  const drawn = seeds.map(({ class: name, member, seeds: of }) =>
    `${modelLabel(member)}, ${classLabel(name).toLowerCase()}: ${of.join(', ')}`
  )
  const rows = combined === undefined ? undefined : combinedText(combined)
  return [
    ...rows === undefined ? [] : [{ name: 'Rows combined', value: shownText(rows) }],
    { name: 'Data (SHA-256)', value: text(datasetHash), isHash: true },
    { name: 'Configuration (SHA-256)', value: text(configHash), isHash: true },
    { name: 'Model version', value: text(modelVersion) },
    { name: 'Engine', value: text(engineVersion) },
    { name: 'Frequency', value: text(freq) },
    { name: 'Seeds', value: drawn.length === 0 ? 'nothing was drawn at random' : drawn.join('; ') },
    { name: 'Version of report.json', value: version }
  ]
}
