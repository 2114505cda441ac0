/** RFC 3339 in UTC, without a zero fraction. */
export function instantText (ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z')
}
