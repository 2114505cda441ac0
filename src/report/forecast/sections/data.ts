import { dataTable } from '../../data-table.ts'
import { html } from '../../html.ts'
import { countOf, countText, percentText } from '../../number-text.ts'
import type { Section } from '../../section.ts'
import { classLabel, classMeaning } from '../class-names.ts'
import type { ForecastFacts, ForecastReport } from '../forecast-report.ts'
import { stepsText } from '../frequency-text.ts'
import { warningsAbout } from '../warning-groups.ts'

/** The kinds of series, and what had to be repaired. */
export function dataSection (report: ForecastReport, facts: ForecastFacts): Section {
  const notes = warningsAbout(facts, 'data')
  const all = report.series || 1
  return {
    id: 'data',
    title: 'The data and its quality',
    content: html`${
      notes.length === 0
        ? html`<p>Nothing in the data had to be put right.</p>`
        : html`<ul>${notes.map((note) => html`<li>${note}</li>`)}</ul>`
    }
<p>${seasonText(report)}</p>
${
      report.classes.length === 0
        ? null
        : dataTable({
          caption: facts.reconciliation === undefined ? 'Kinds of series' : 'Kinds of series, the sums among them',
          head: ['Kind', 'Series', 'Share', 'What it means'],
          rows: report.classes.map((
            { class: name, series }
          ) => [classLabel(name), countText(series), percentText(series / all), classMeaning(name)]),
          numbers: [1, 2]
        })
    }`
  }
}

function seasonText ({ season_length: main, season_lengths: all, freq }: ForecastReport): string {
  const seasons = all.filter((steps) => steps > 1)
  const step = `A step is ${stepsText(1, freq)}.`
  if (seasons.length === 0) return `${step} No season belongs to it.`
  const named = seasons.map((steps) =>
    `${countOf(steps, 'step')}${steps === main && seasons.length > 1 ? ' (the main one)' : ''}`
  ).join(', ')
  return `${step} Models may look for ${seasons.length === 1 ? 'a season' : 'seasons'} of ${named}.`
}
