import type { PutFolder } from './object-store.ts'
import { StoreError } from './store-error.ts'

const maxKeyBytes = 1024
const maxSegmentBytes = 255
// eslint-disable-next-line no-control-regex -- refusing them is the point
const refusedCharacters = /[\u0000-\u001f\u007f\\]|\p{Surrogate}/u

/**
 * Throws `invalid_key` unless every store can hold this key: no empty segment, none that begins with a dot, no control
 * character, backslash or half surrogate pair, at most 1,024 bytes in all, and 255 per segment (the limit of file
 * names).
 */
export function checkKey (key: string): void {
  const reason = refusal(key)
  if (reason) throw new StoreError('invalid_key', `invalid object key ${JSON.stringify(key.slice(0, 200))}: ${reason}`)
}

/** A prefix is a key followed by `/`, so that it names whole segments: `a/1/` never matches `a/10/x`. */
export function checkPrefix (prefix: string): void {
  if (!prefix.endsWith('/')) {
    throw new StoreError('invalid_key', `invalid prefix ${JSON.stringify(prefix.slice(0, 200))}: it must end with /`)
  }
  checkKey(prefix.slice(0, -1))
}

/** Throws `invalid_key` unless the objects of the folder can have these keys. */
export function checkFolderKeys (prefix: string, { names, last }: Pick<PutFolder, 'names' | 'last'>): void {
  checkPrefix(prefix)
  for (const name of [...names, last.name]) checkKey(prefix + name)
}

function refusal (key: string): string | undefined {
  if (Buffer.byteLength(key) > maxKeyBytes) return `more than ${maxKeyBytes} bytes`
  if (refusedCharacters.test(key)) return 'a control character, a backslash or half a surrogate pair'
  for (const segment of key.split('/')) {
    if (segment === '') return 'an empty segment'
    // Refuses `.` and `..`, and keeps the store's own folders out of reach.
    if (segment.startsWith('.')) return 'a segment that begins with a dot'
    if (Buffer.byteLength(segment) > maxSegmentBytes) return `a segment of more than ${maxSegmentBytes} bytes`
  }
  return undefined
}
