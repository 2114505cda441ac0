import { shownText } from '../shown-text.ts'

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Characters that are markup anywhere, and those that begin a list or a heading. */
const marks = /[\\`*_{}[\]()#|~$^!]|^[-+=]|(?<=^\d{1,9})\./g

/**
 * Places at which addresses are broken. GFM looks for addresses after it has resolved escapes, so an escape would not
 * stop it.
 */
const joints = /(?<=:)(?=\/\/)|(?<=www)(?=\.)|(?=@)|(?<=@)/gi
/** Invisible, and not allowed in an address. */
const wordJoiner = '\u{2060}'

/**
 * A customer's text for Markdown, on one line and of at most `limit` characters. Nothing in it acts as markup, a link,
 * an element or the end of a cell.
 */
export function markdownText (text: string, limit = 40): string {
  return shownText(text, limit)
    .replaceAll(/[&<>]/g, (character) => entities[character] ?? '')
    .replaceAll(marks, String.raw`\$&`)
    .replaceAll(joints, wordJoiner)
}

/** A table of at most five rows; empty if there are none. */
export function markdownTable (head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.slice(0, 5).map(line)].join('\n')
}
