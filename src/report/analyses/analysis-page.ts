import { html, type Content } from '../html.ts'
import { renderPage } from '../page.ts'
import { renderSection, type Section } from '../section.ts'
import { named, shownText } from '../shown-text.ts'
import { drawingStyle } from './drawing-style.ts'
import type { Subject } from './subject.ts'

/** Rules of these pages after those that all pages have. */
const style = `${drawingStyle}h1 small { margin-top: 0.25rem; font-size: 1rem; }
.verdict { margin-top: 1rem; }
.verdict p { margin: 0.25rem 0; }
.panels { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); gap: 0 2.5rem; align-items: start; }
.panels .chart, .single .chart { max-width: 29rem; min-width: 0; }
.wide { overflow-x: auto; }
.wide svg { min-width: 40rem; max-width: 56rem; }
`

export interface AnalysisPage {
  title: string
  subject: Subject
  /** What the page says first. */
  lead: Content
  sections: ReadonlyArray<Section | null>
}

/** A page of one analysis: what it says, its charts with their numbers, and how to read them. */
export function renderAnalysisPage ({ title, subject, lead, sections: all }: AnalysisPage): string {
  const sections = all.filter((section) => section !== null)
  return renderPage({
    title: `${title}: ${shownText(subject.target)}`,
    style,
    header: html`<h1>${title}<small>${subject.title} of ${named(subject.target)}</small></h1>
<nav aria-label="Contents"><ul>${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>`,
    main: html`${lead}
${sections.map(renderSection)}`,
    footer: html`<p>Made by tabcast. This page loads nothing and runs no script. The CSV files of the analysis have every figure in full.</p>`
  })
}

/** The sentences of an analysis, as they also stand beside its files. */
export function renderLead (sentences: readonly string[]): Content {
  return html`<div class="verdict">${sentences.map((sentence) => html`<p>${sentence}</p>`)}</div>`
}
