import { html, type Html } from './html.ts'

/** A part of a page with its own heading. */
export interface Section {
  /** Its anchor in the page. */
  id: string
  title: string
  content: Html
}

export function renderSection ({ id, title, content }: Section): Html {
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${content}
</section>
`
}
