import { dataTable } from '../data-table.ts'
import { html } from '../html.ts'
import { countText, numberText } from '../number-text.ts'
import type { Section } from '../section.ts'
import { named } from '../shown-text.ts'
import type { ReportRow, TabularReport } from '../tabular-report.ts'

/** The rows with the worst predictions, with the values that mattered most. */
export function mistakesSection ({ worst_rows: rows, classes }: TabularReport): Section | null {
  if (rows.length === 0) return null
  return {
    id: 'mistakes',
    title: 'The rows it got most wrong',
    content:
      html`<p>Look here first for wrong labels, unusual rows and columns that are missing. Rows of the file are counted from 0, as in the column row_index of the result.</p>
${
        dataTable({
          caption: 'Rows with the largest loss',
          head: ['Row', 'Actual', 'Prediction', 'Loss', 'Values of the columns that matter most'],
          rows: rows.map((row) => mistake(row, classes === null)),
          numbers: [0, 3]
        })
      }`
  }
}

function mistake ({ row_index: index, actual, prediction, loss, cells }: ReportRow, isNumber: boolean) {
  // A double with all its digits says more than the model knows. Actual values are shown as in the file.
  const predicted = isNumber && prediction.trim() !== '' && Number.isFinite(Number(prediction))
    ? numberText(Number(prediction))
    : named(prediction)
  const values = cells.map(({ column, value }) => html`<li>${named(column, 40)}: ${named(value, 60)}</li>`)
  return [countText(index), named(actual), predicted, numberText(loss), html`<ul>${values}</ul>`]
}
