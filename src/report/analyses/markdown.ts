import { shownText } from '../shown-text.ts'

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** What is a mark anywhere, and what begins a list or a heading. */
const marks = /[\\`*_{}[\]()#|~$^!]|^[-+=]|(?<=^\d{1,9})\./g

/**
 * Where addresses break: GFM looks for them in the text that is left when escapes are resolved, so that no escape stops
 * it.
 */
const joints = /(?<=:)(?=\/\/)|(?<=www)(?=\.)|(?=@)|(?<=@)/gi
/** Without width, and no part of an address. */
const wordJoiner = '\u{2060}'

/**
 * A customer's text in Markdown, on one line and of at most `limit` characters: nothing in it is a mark, a link, an end
 * of a cell or an element.
 */
export function markdownText (text: string, limit = 40): string {
  return shownText(text, limit)
    .replaceAll(/[&<>]/g, (character) => entities[character] ?? '')
    .replaceAll(marks, String.raw`\$&`)
    .replaceAll(joints, wordJoiner)
}

/** A table of five rows at most. Empty when there is no row. */
export function markdownTable (head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.slice(0, 5).map(line)].join('\n')
}
