import { html, type Content, type Html } from './html.ts'

export interface DataTable {
  caption: Content
  /** The name of the scrolling region, if the caption is not plain text. */
  label?: string
  /** One heading per column. */
  head: readonly string[]
  /** One cell per column; the first is the heading of its row. */
  rows: readonly (readonly Content[])[]
  /** Indices of the numeric columns, which are aligned to the right. */
  numbers?: readonly number[]
}

/** A table that scrolls by itself if it is too wide, also from the keyboard. */
export function dataTable ({ caption, label, head, rows, numbers = [] }: DataTable): Html {
  const right = (column: number) => numbers.includes(column) ? html` class="number"` : ''
  return html`<div class="scroll" role="region" aria-label="${
    label ?? caption
  }" tabindex="0"><table><caption>${caption}</caption>
<thead><tr>${head.map((text, column) => html`<th scope="col"${right(column)}>${text}</th>`)}</tr></thead>
<tbody>
${
    rows.map(([name, ...cells]) =>
      html`<tr><th scope="row"${right(0)}>${name}</th>${
        cells.map((cell, index) => html`<td${right(index + 1)}>${cell}</td>`)
      }</tr>
`
    )
  }</tbody></table></div>`
}
