import { dataTable, type DataTable } from '../data-table.ts'
import { html, type Html } from '../html.ts'

export interface Chart {
  /** Names its parts in the page. */
  id: string
  title: string
  /** What can be seen, for those who cannot see it. */
  description: string
  /** In units of its own: the width of a phone is about 360. */
  width: number
  height: number
  marks: Html
  /** The numbers behind it. */
  table: DataTable
}

/** A drawing with its title, its description, and its numbers as a table. */
export function renderChart ({ id, title, description, width, height, marks, table }: Chart): Html {
  return html`<figure class="chart">
<figcaption>${title}</figcaption>
<svg role="img" aria-labelledby="${id}-title ${id}-description" viewBox="0 0 ${width} ${height}">
<title id="${id}-title">${title}</title>
<desc id="${id}-description">${description}</desc>
${marks}
</svg>
<p>${description}</p>
<details><summary>The numbers of this chart</summary>
${dataTable(table)}
</details>
</figure>`
}

/** A coordinate: tenths of a unit cannot be told apart. */
export function at (coordinate: number): string {
  return String(Math.round(coordinate * 10) / 10)
}
