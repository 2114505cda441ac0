import { html, type Html } from './html.ts'
import { renderPage } from './page.ts'
import { renderSection, type Section } from './section.ts'
import { shownText } from './shown-text.ts'

export interface ReportPage {
  /** Of the document, plain. */
  title: string
  heading: Html
  /** null: the report has nothing to say there. */
  sections: ReadonlyArray<Section | null>
  engineVersion: string
}

/** A heading, a list of contents and the sections. */
export function renderReportPage ({ title, heading, sections: all, engineVersion }: ReportPage): string {
  const sections = all.filter((section) => section !== null)
  return renderPage({
    title,
    header: html`<h1>${heading}</h1>
<nav aria-label="Contents"><ul>${
      sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)
    }</ul></nav>`,
    main: html`${sections.map(renderSection)}`,
    footer: html`<p>Made by tabcast ${shownText(engineVersion)}. This page loads nothing and runs no script.</p>`
  })
}
