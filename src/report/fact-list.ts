import { html, type Content, type Html } from './html.ts'

export interface Fact {
  name: string
  value: Content
  /** Shown in a typeface that lets characters be compared. */
  isHash?: boolean
}

/** Names and their values. */
export function factList (facts: readonly Fact[]): Html {
  return html`<dl>
${
    facts.map(({ name, value, isHash = false }) =>
      html`<div><dt>${name}</dt><dd${isHash ? html` class="hash"` : ''}>${value}</dd></div>
`
    )
  }</dl>`
}
