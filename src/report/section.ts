import { html, type Html } from './html.ts'

/** A part of a page under its own heading. */
export interface Section {
  /** Its address in the page. */
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
