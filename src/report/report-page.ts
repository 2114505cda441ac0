import { html, type Content, type Html } from './html.ts'
import { renderPage } from './page.ts'
import { renderSection, type Section } from './section.ts'

export interface ReportPage {
  /** The title of the document, as plain text. */
  title: string
  heading: Html
  /** The beginning of the page, before its sections. */
  lead?: Content
  /** null: a section without content. */
  sections: ReadonlyArray<Section | null>
  footer: string
}

/** A heading, a table of contents and the sections. */
export function renderReportPage ({ title, heading, lead, sections: all, footer }: ReportPage): string {
  const sections = all.filter((section) => section !== null)
  const contents = sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)
  return renderPage({
    title,
    header: html`<h1>${heading}</h1>
<nav aria-label="Contents"><ul>${contents}</ul></nav>`,
    main: html`${lead}${sections.map(renderSection)}`,
    footer: html`<p>${footer}</p>`
  })
}

/** The footer of a page that is made from the engine's report. */
export function reportFooter (engineVersion: string): string {
  return `Made by tabcast ${engineVersion}. This page loads nothing and runs no script.`
}
