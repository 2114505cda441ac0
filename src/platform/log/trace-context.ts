const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/**
 * A `traceparent` header as version 00 has it (W3C Trace Context, https://www.w3.org/TR/trace-context/); undefined
 * where it is not valid, which the standard wants ignored. Of a later version the parts that it shares with 00 are
 * taken, of the flags `sampled`.
 */
export function readTraceparent (header: string | string[] | undefined): string | undefined {
  const [, version = '', traceId = '', parentId = '', flags = '', more] =
    pattern.exec(typeof header === 'string' ? header : '') ?? []
  if (version === '' || version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(parentId)) return undefined
  return `00-${traceId}-${parentId}-0${parseInt(flags, 16) & 1}`
}

/** Of what `readTraceparent` gave. */
export function traceIdOf (traceparent: string): string {
  return traceparent.slice(3, 35)
}
