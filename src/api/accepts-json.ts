/** Media ranges that include JSON, by how specific they are. */
const exactness: ReadonlyMap<string, number> = new Map([['*/*', 1], ['application/*', 2], ['application/json', 3]])

/**
 * Whether an Accept header allows JSON. The most specific range decides, and a weight of 0 refuses (RFC 9110, 12.5.1).
 */
export function acceptsJson (accept: string | undefined): boolean {
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return true
  let [best, isTaken] = [0, false]
  for (const item of accept.split(',')) {
    const [range = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
    const rank = exactness.get(range) ?? 0
    if (rank < best || rank === 0) continue
    const isRefused = parameters.some((parameter) => /^q=0(?:\.0{0,3})?$/.test(parameter))
    // Of two equally specific entries, one that accepts JSON is enough.
    isTaken = !isRefused || (rank === best && isTaken)
    best = rank
  }
  return isTaken
}
