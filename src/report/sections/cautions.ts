import { html } from '../html.ts'
import type { Section } from '../section.ts'

/** What somebody has to know who uses the result, the gravest first. */
export function cautionSection (cautions: readonly string[]): Section | null {
  if (cautions.length === 0) return null
  return {
    id: 'cautions',
    title: 'What to be careful about',
    content: html`<ul>${cautions.map((text) => html`<li>${text}</li>`)}</ul>`
  }
}
