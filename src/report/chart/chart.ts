import { dataTable, type DataTable } from '../data-table.ts'
import { html, Html } from '../html.ts'
import type { Drawing } from './layout.ts'

export interface Chart extends Drawing {
  /** Names its parts in the page. */
  id: string
  title: string
  /** What can be seen, for those who cannot see it. */
  description: string
  /** What else is to be said below it. */
  note?: string
  /** The numbers behind it. */
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

/** Charts beside each other where there is room. */
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
