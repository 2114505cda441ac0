const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/**
 * A `traceparent` header in the form of version 00 (W3C Trace Context, https://www.w3.org/TR/trace-context/); undefined
 * if it is not valid, because the standard says to ignore those. A later version is reduced to the fields of version
 * 00, and its flags to `sampled`.
 */
export function readTraceparent (header: string | string[] | undefined): string | undefined {
  const [, version = '', traceId = '', parentId = '', flags = '', more] =
    pattern.exec(typeof header === 'string' ? header : '') ?? []
  if (version === '' || version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(parentId)) return undefined
  return `00-${traceId}-${parentId}-0${parseInt(flags, 16) & 1}`
}

/** `traceparent`: a result of `readTraceparent`. */
export function traceIdOf (traceparent: string): string {
  return traceparent.slice(3, 35)
}
