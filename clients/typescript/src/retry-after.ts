/**
 * Seconds that an answer asks to wait: a number, or a date (RFC 9110, 10.2.3), which is counted from the answer's own
 * `Date`. null: it does not say, or nothing that has a meaning.
 */
export function retryAfterSeconds (headers: Pick<Headers, 'get'>): number | null {
  const text = headers.get('retry-after')?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text)
  const atMs = momentOf(text)
  if (atMs === null) return null
  return Math.max(0, (atMs - (momentOf(headers.get('date') ?? '') ?? Date.now())) / 1000)
}

/** Dates of HTTP are in GMT, and the oldest of their three forms does not say so. */
function momentOf (text: string): number | null {
  if (!/^[A-Z][a-z]+,? /.test(text)) return null
  const ms = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(ms) ? null : ms
}
