/**
 * The seconds that an answer asks to wait: a number, or a date (RFC 9110, 10.2.3), which counts from the answer's own
 * `Date`. null when the answer does not say, or the value has no meaning.
 */
export function retryAfterSeconds (retryAfter: string | null | undefined, date: string | null | undefined):
  | number
  | null {
  const text = retryAfter?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text)
  const atMs = momentOf(text)
  if (atMs === null) return null
  return Math.max(0, (atMs - (momentOf(date ?? '') ?? Date.now())) / 1000)
}

/** HTTP dates are in GMT, but the oldest of their three forms does not say so. */
function momentOf (text: string): number | null {
  if (!/^[A-Z][a-z]+,? /.test(text)) return null
  const ms = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(ms) ? null : ms
}
