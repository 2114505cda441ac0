import type { RangeOptions as LmdbRange } from 'lmdb'
import { MetadataError } from './metadata-error.ts'
import type { Key, RangeOptions } from './metadata-store.ts'

/** LMDB's limit is 1,978 bytes with pages of 4 KiB; the rest is for separators and escapes. */
export const maxKeyBytes = 1900

const numberBytes = 10
/** Control characters are escapes and separators of the key encoding, and a lone surrogate has no UTF-8 form. */
// eslint-disable-next-line no-control-regex -- refusing them is the point
const refusedCharacters = /[\u0000-\u001f]|\p{Surrogate}/u

/** As an element of a key, sorts after every string and number, because no UTF-8 text has this byte. */
const highest = new Uint8Array([0xff])

/** Throws `invalid` for a key that LMDB would refuse, or would return in another form. */
export function checkKey (key: Key): void {
  if (key.length === 0) throw new MetadataError('invalid', 'a key needs at least one element')
  checkElements(key)
}

/** Translates a range to LMDB's options, where a reverse walk begins at `start` and goes down to `end`. */
export function lmdbRange (options: RangeOptions): LmdbRange {
  const [low, high] = bounds(options)
  const range: LmdbRange = options.limit === undefined ? {} : { limit: options.limit }
  if (!options.reverse) {
    if (low) range.start = low
    if (high) range.end = high
    return range
  }
  range.reverse = true
  if (high) Object.assign(range, { start: high, exclusiveStart: true })
  if (low) Object.assign(range, { end: low, inclusiveEnd: true })
  return range
}

type Bound = Array<string | number | Uint8Array> | undefined

function bounds ({ prefix, start, end }: RangeOptions): [Bound, Bound] {
  if (prefix) {
    if (start || end) throw new MetadataError('invalid', 'a range takes a prefix, or start and end')
    checkElements(prefix)
    return prefix.length === 0 ? [undefined, undefined] : [[...prefix], [...prefix, highest]]
  }
  if (start) checkKey(start)
  if (end) checkKey(end)
  return [start && [...start], end && [...end]]
}

function checkElements (key: Key): void {
  let bytes = 0
  for (const element of key) {
    if (typeof element === 'string') {
      if (refusedCharacters.test(element)) {
        throw new MetadataError('invalid',
          `a key must not contain control characters or half surrogate pairs: ${shown(key)}`)
      }
      bytes += Buffer.byteLength(element) + 2
    } else if (typeof element === 'number' && Number.isFinite(element) && !Object.is(element, -0)) {
      bytes += numberBytes
    } else {
      throw new MetadataError('invalid', `a key takes strings and finite numbers: ${shown(key)}`)
    }
  }
  if (bytes > maxKeyBytes) {
    throw new MetadataError('invalid', `a key has ${bytes} bytes, more than ${maxKeyBytes}: ${shown(key)}`)
  }
}

function shown (key: Key): string {
  const text = JSON.stringify(key)
  return text.length > 200 ? `${text.slice(0, 200)}...` : text
}
