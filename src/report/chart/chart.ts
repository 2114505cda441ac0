import { dataTable, type DataTable } from '../data-table.ts'
import { html, Html } from '../html.ts'
import type { Drawing } from './layout.ts'

export interface Chart extends Drawing {
  /** The prefix of ids in the page. */
  id: string
  title: string
  /** A description for screen readers. */
  description: string
  /** A note below the chart. */
  note?: string
  /** The numbers behind the chart. */
  table: DataTable
}

/** A drawing with its title, its description, and its numbers as a table. */
export function renderChart ({ table, note, ...chart }: Chart): Html {
  return html`<figure class="chart">
<figcaption>${chart.title}</figcaption>
${renderSvg(chart)}
<p>${chart.description}</p>
${note === undefined ? null : html`<p>${note}</p>`}
<details><summary>The numbers of this chart</summary>
${dataTable(table)}
</details>
</figure>`
}

/** Charts side by side if there is space. */
export function renderCharts (charts: ReadonlyArray<Chart | null>): Html {
  return html`<div class="charts">${charts.map((chart) => chart && renderChart(chart))}</div>`
}

export function renderSvg ({ id, title, description, width, height, marks }: Omit<Chart, 'note' | 'table'>): Html {
  return html`<svg role="img" aria-labelledby="${id}-title ${id}-description" viewBox="0 0 ${width} ${height}">
<title id="${id}-title">${title}</title>
<desc id="${id}-description">${description}</desc>
<g aria-hidden="true">${Html.marks(marks)}</g>
</svg>`
}
