import { dataTable } from '../data-table.ts'
import { html, type Html } from '../html.ts'
import { plainName } from '../metric-names.ts'
import { countOf, countText, percentText } from '../number-text.ts'
import type { Section } from '../section.ts'
import { named, shownText } from '../shown-text.ts'
import type { ReportColumn, TabularReport } from '../tabular-report.ts'

/** The content of the file, and the role of each column. */
export function dataSection ({ counts, classes, columns }: TabularReport): Section {
  return {
    id: 'data',
    title: 'The data',
    content: html`<p>${countOf(counts.num_samples, 'row')}: ${countText(counts.labeled)} with a label, ${
      countText(counts.unlabeled)
    } without one.</p>
${classes === null ? null : classTable(classes)}
${
      dataTable({
        caption: 'Columns in the training rows, and what they were taken for',
        head: ['Column', 'Taken for', 'Different values', 'Missing', 'Why, and what to look at'],
        rows: columns.map((column) => columnRow(column, counts.training)),
        numbers: [2, 3]
      })
    }`
  }
}

function classTable (classes: NonNullable<TabularReport['classes']>): Html {
  const all = classes.reduce((total, { rows }) => total + rows, 0) || 1
  const table = dataTable({
    caption: 'Classes',
    head: ['Class', 'Rows', 'Share'],
    rows: classes.map(({ label, rows }) => [named(label), countText(rows), percentText(rows / all)]),
    numbers: [1, 2]
  })
  return classes.length > 20
    ? html`<details><summary>${countOf(classes.length, 'class', 'classes')}</summary>${table}</details>`
    : table
}

function columnRow ({ name, role, distinct, missing, notes }: ReportColumn, rows: number) {
  const share = missing === 0 ? '0' : `${countText(missing)} (${percentText(missing / Math.max(rows, 1))})`
  return [named(name), plainName(role), countText(distinct), share, notes.map((note) => shownText(note, 300)).join(' ')]
}
