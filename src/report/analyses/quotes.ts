import { shownText } from '../shown-text.ts'

/** Letters of scripts that are written from right to left. */
const rightToLeft = /[\u{590}-\u{8FF}\u{FB1D}-\u{FDFF}\u{FE70}-\u{FEFC}\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

/**
 * A customer's text in quotes, for a plain sentence. After a right-to-left text, a mark keeps the figures that follow
 * in their order.
 */
export function inQuotes (text: string, limit = 40): string {
  const shown = shownText(text, limit)
  return `“${shown}”${rightToLeft.test(shown) ? '\u{200E}' : ''}`
}
