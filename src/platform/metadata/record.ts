import { crc32 } from 'node:zlib'
import { decode, encode } from 'cborg'
import { MetadataError } from './metadata-error.ts'
import type { Entry, Key, KeyedEntry } from './metadata-store.ts'

/*
 * The layout of a stored value: format (1 byte), CRC-32 of all that follows (4), revision (6, big endian), CBOR. The
 * checksum covers the table and the key too, so that a record that a flipped bit moved to another key is detected.
 */
const format = 1
const checksumAt = 1
const revisionAt = 5
const revisionBytes = 6
const valueAt = revisionAt + revisionBytes

/** Throws `invalid` for a value that CBOR cannot carry. Properties that are undefined are left out. */
export function encodeRecord (table: string, key: Key, revision: number, value: unknown): Buffer {
  let body: Uint8Array
  try {
    if (value === undefined) throw new TypeError('undefined is the absence of a record')
    body = encode(value, { ignoreUndefinedProperties: true })
  } catch (cause) {
    throw new MetadataError('invalid',
      `table ${table}: the value of ${JSON.stringify(key)} cannot be encoded: ${(cause as Error).message}`, cause)
  }
  const bytes = Buffer.allocUnsafe(valueAt + body.length)
  bytes[0] = format
  bytes.writeUIntBE(revision, revisionAt, revisionBytes)
  bytes.set(body, valueAt)
  bytes.writeUInt32BE(checksum(table, key, bytes), checksumAt)
  return bytes
}

/** Throws `corrupt` if the bytes are not those that were written under this key. */
export function readRevision (table: string, key: Key, bytes: Uint8Array): number {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (view.length <= valueAt || view[0] !== format || view.readUInt32BE(checksumAt) !== checksum(table, key, view)) {
    throw corrupt(table, key)
  }
  return view.readUIntBE(revisionAt, revisionBytes)
}

/** The revision in bytes that need not be whole or right. */
export function storedRevision (bytes: Uint8Array): number {
  let revision = 0
  for (let at = revisionAt; at < valueAt; at++) revision = revision * 256 + (bytes[at] ?? 0)
  return revision
}

export function decodeRecord<T> (table: string, key: Key, bytes: Uint8Array): Entry<T> {
  const revision = readRevision(table, key, bytes)
  return { value: decodeValue<T>(table, key, bytes), revision, bytes: bytes.length }
}

/** An entry of a range. It is checked and decoded when its value or revision is first read. */
export class LazyEntry<T> implements KeyedEntry<T> {
  readonly key: Array<string | number>
  readonly #table: string
  readonly #bytes: Uint8Array
  #entry: Entry<T> | undefined

  constructor (table: string, key: Array<string | number>, bytes: Uint8Array) {
    this.key = key
    this.#table = table
    this.#bytes = bytes
  }

  get value (): T {
    return this.#decoded().value
  }

  get revision (): number {
    return this.#decoded().revision
  }

  get bytes (): number {
    return this.#bytes.length
  }

  #decoded (): Entry<T> {
    this.#entry ??= decodeRecord<T>(this.#table, this.key, this.#bytes)
    return this.#entry
  }
}

function decodeValue<T> (table: string, key: Key, bytes: Uint8Array): T {
  try {
    return decode(bytes.subarray(valueAt)) as T
  } catch (cause) {
    throw corrupt(table, key, cause)
  }
}

function checksum (table: string, key: Key, bytes: Uint8Array): number {
  return crc32(bytes.subarray(revisionAt), crc32(`${table}\0${key.join('\0')}`))
}

function corrupt (table: string, key: Key, cause?: unknown): MetadataError {
  return new MetadataError('corrupt',
    `table ${table}: the record ${JSON.stringify(key)} does not match its checksum; restore the folder from a backup`,
    cause)
}
