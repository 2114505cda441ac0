import { html, type Content, type Html } from './html.ts'

export interface Fact {
  name: string
  value: Content
  /** In a type whose characters can be compared. */
  isHash?: boolean
}

/** Names and what they stand for. */
export function factList (facts: readonly Fact[]): Html {
  return html`<dl>
${
    facts.map(({ name, value, isHash = false }) =>
      html`<div><dt>${name}</dt><dd${isHash ? html` class="hash"` : ''}>${value}</dd></div>
`
    )
  }</dl>`
}
