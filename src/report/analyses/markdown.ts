import { neutralText } from '../explanation/neutral-text.ts'
import { shownText } from '../shown-text.ts'
import { inQuotes } from './quotes.ts'

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** What is a mark anywhere, what begins a list or a heading, and what makes a link of an address. */
const marks = /[\\`*_{}[\]()#|~$^!@]|^[-+=]|(?<=^\d+)\.|(?<=www)\.|:(?=\/)/gi

/** A customer's text in Markdown, on one line and of at most `limit` characters: nothing in it is a mark, a link, an end of a cell or an element. */
export function markdownText (text: string, limit = 40): string {
  return neutralText(shownText(text, limit)).replaceAll(/[&<>]/g, (character) => entities[character] ?? '').replaceAll(marks, String.raw`\$&`)
}

/** A customer's text in a plain sentence of the record. */
export function quoted (text: string): string {
  return inQuotes(neutralText(shownText(text, 40)))
}

/** A table of five rows at most. Empty when there is no row. */
export function markdownTable (head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.slice(0, 5).map(line)].join('\n')
}
