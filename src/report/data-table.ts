import { html, type Content, type Html } from './html.ts'

export interface DataTable {
  caption: Content
  /** Names the part that scrolls, where the caption is no plain text. */
  label?: string
  /** A heading a column. */
  head: readonly string[]
  /** A cell a column; the first one names its row. */
  rows: readonly (readonly Content[])[]
  /** Columns of numbers, counted from 0, which stand at the right. */
  numbers?: readonly number[]
}

/** A table that scrolls by itself where it is too wide, also from the keyboard. */
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
