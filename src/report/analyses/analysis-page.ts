import { html } from '../html.ts'
import type { AnalysisView } from './outcome.ts'
import { renderPage } from '../page.ts'
import { renderSection } from '../section.ts'
import { named, shownText } from '../shown-text.ts'
import type { Subject } from './subject.ts'

/** Rules of these pages after those that all pages have. */
const style = `h1 small { margin-top: 0.25rem; font-size: 1rem; }
.verdict { margin-top: 1rem; }
.verdict p { margin: 0.25rem 0; }
.wide { overflow-x: auto; }
.wide svg { min-width: 40rem; max-width: 56rem; }
`

/** A page of one analysis: what it says, its charts with their numbers, and how to read them. */
export function renderAnalysisPage ({ title, highlights, sections: all }: AnalysisView, subject: Subject): string {
  const sections = all.filter((section) => section !== null)
  return renderPage({
    title: `${title}: ${shownText(subject.target)}`,
    style,
    header: html`<h1>${title}<small>${subject.title} of ${named(subject.target)}</small></h1>
<nav aria-label="Contents"><ul>${
      sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)
    }</ul></nav>`,
    main: html`<div class="verdict">${highlights.map((sentence) => html`<p>${sentence}</p>`)}</div>
${sections.map(renderSection)}`,
    footer:
      html`<p>Made by tabcast. This page loads nothing and runs no script. The CSV files of the analysis have every figure in full.</p>`
  })
}
