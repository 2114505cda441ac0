import { html, type Content, type Html } from './html.ts'
import { renderPage } from './page.ts'
import { renderSection, type Section } from './section.ts'

export interface ReportPage {
  /** Of the document, plain. */
  title: string
  heading: Html
  /** What the page says first, before its sections. */
  lead?: Content
  /** null: there is nothing to say there. */
  sections: ReadonlyArray<Section | null>
  footer: string
}

/** A heading, a list of contents and the sections. */
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

/** Of a page that the engine's report is made into. */
export function reportFooter (engineVersion: string): string {
  return `Made by tabcast ${engineVersion}. This page loads nothing and runs no script.`
}
