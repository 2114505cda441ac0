/** First and last byte, both inclusive. */
export interface RequestedRange {
  start: number
  end: number
}

/**
 * Parses a range of bytes. undefined (send the whole file) for no header, several ranges, or a header that it does not
 * understand, as RFC 9110 allows; `unsatisfiable` for a range that begins after the end.
 */
export function parseByteRange (header: string | undefined, totalBytes: number): RequestedRange | 'unsatisfiable'
  | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '')
  if (match === null || (match[1] === '' && match[2] === '')) return undefined
  if (match[1] === '') {
    const suffix = Number(match[2])
    return suffix === 0 || totalBytes === 0
      ? 'unsatisfiable'
      : { start: Math.max(0, totalBytes - suffix), end: totalBytes - 1 }
  }
  const start = Number(match[1])
  const end = match[2] === '' ? totalBytes - 1 : Math.min(Number(match[2]), totalBytes - 1)
  if (match[2] !== '' && Number(match[2]) < start) return undefined
  return start >= totalBytes ? 'unsatisfiable' : { start, end }
}
