// eslint-disable-next-line no-control-regex -- these must not reach a terminal
const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/**
 * Makes text from a server or a record safe for a terminal: replaces characters that move the cursor, set the title or
 * change the writing direction.
 */
export function printable (text: string): string {
  return text.replaceAll(unprintable, '\uFFFD')
}
