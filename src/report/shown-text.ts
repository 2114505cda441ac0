import { html, type Html } from './html.ts'

/** Control characters, unpaired surrogates, and marks that change the direction of the text around them. */
const unprintable = /[\p{Cc}\p{Cs}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]/gu

/**
 * Text of a customer on one line: at most `limit` characters, with unprintable ones replaced. An empty text is shown as
 * `(empty)`.
 */
export function shownText (text: string, limit = 80): string {
  // A value may have megabytes, and a character takes at most two units.
  const characters = [...text.slice(0, 2 * limit + 2).replaceAll(/\s+/gu, ' ')]
  const kept = characters.length > limit ? [...characters.slice(0, limit - 1), '…'] : characters
  const shown = kept.join('').replaceAll(unprintable, '\u{FFFD}')
  return shown.trim() === '' ? '(empty)' : shown
}

/** The same for a page, isolated so that its writing direction does not affect the text beside it. */
export function named (text: string, limit?: number): Html {
  return html`<bdi>${shownText(text, limit)}</bdi>`
}
