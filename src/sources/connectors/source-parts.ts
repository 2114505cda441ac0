import { setImmediate as pause } from 'node:timers/promises'
import type { ObjectStorage } from '../../domain/connection.ts'
import type { StoredObject } from '../../domain/connector-results.ts'
import { ConnectorError } from './connector-error.ts'
import { matchesGlob } from './glob.ts'
import { checkObjectKey } from './object-key.ts'
import type { StoreSession } from './store-session.ts'

export const maxParts = 1000
const pageKeys = 1000
/**
 * Keys that are looked at for those that match; a bucket of more needs a prefix. A store may also give few keys a page.
 */
const maxScanned = 100_000
const maxPages = 200
/** A customer's pattern on long keys takes time, in which this process must answer others. */
const keysWithoutPause = 50

/** Beginning of the keys that a test writes; never part of a source. */
export const probePrefix = 'service-forecasts/.probe-'

/**
 * Keys that a delivery has by default. Through whatever connection they came, they are read only where a prefix asks
 * for them.
 */
const deliveredByDefault =
  /^service-forecasts\/\d{4}-\d\d-\d\d\/job_[0-9A-HJKMNP-TV-Z]{26}\.(?:csv|json|jsonl|parquet)$/

/** `delivered`: sizes of results that were written through the connection, by key. */
interface Source extends Pick<ObjectStorage, 'prefix' | 'keyPattern'> {
  delivered?: ReadonlyMap<string, number>
}

/** Whether the prefix stands for everything under it, and not for one object. */
export function isFolder ({ prefix }: Source): boolean {
  return prefix === '' || prefix.endsWith('/')
}

/** Whether a source asks for what deliveries put there by default. */
export function isDefaultPrefix (prefix: string): boolean {
  return prefix.startsWith('service-forecasts/')
}

/** Whether a delivery put it there by default, and nothing asks for it. */
export function isDefaultDelivery (prefix: string, key: string): boolean {
  return deliveredByDefault.test(key) && !isDefaultPrefix(prefix)
}

/**
 * Whether an object belongs to the source. The pattern is compared with the key as it is, and with what follows the
 * prefix.
 */
export function isPart (source: Source, { key, bytes }: Pick<StoredObject, 'key' | 'bytes'>): boolean {
  const { prefix, keyPattern, delivered } = source
  if (!isFolder(source)) return key === prefix
  if (!key.startsWith(prefix) || key.startsWith(probePrefix)) return false
  // Something of another size was put in its place.
  if (delivered?.get(key) === bytes) return false
  if (isDefaultDelivery(prefix, key)) return false
  // Some consoles write these to show a folder.
  if (key.endsWith('/') && bytes === 0) return false
  return keyPattern === null || matchesGlob(keyPattern, key) || matchesGlob(keyPattern, key.slice(prefix.length))
}

/** Those of a page that belong to the source. */
export async function partsAmong (source: Source, objects: readonly StoredObject[]): Promise<StoredObject[]> {
  const parts: StoredObject[] = []
  for (const [index, object] of objects.entries()) {
    if (index % keysWithoutPause === keysWithoutPause - 1) await pause()
    if (isPart(source, object)) parts.push(object)
  }
  return parts
}

/**
 * Everything that a read of the source would take, ordered by key. Rejects with SOURCE_NOT_FOUND when there is nothing,
 * and EMPTY_SOURCE when what there is has no bytes.
 */
export async function findParts (session: StoreSession, source: Source): Promise<StoredObject[]> {
  const parts: StoredObject[] = []
  let startAfter = ''
  for (let scanned = 0, pages = 1;; pages++) {
    const { objects, isTruncated } = await session.list(source.prefix, startAfter, isFolder(source) ? pageKeys : 1)
    for (const object of await partsAmong(source, objects)) parts.push(checked(object))
    scanned += objects.length
    if (parts.length > maxParts || scanned > maxScanned || pages > maxPages) {
      throw new ConnectorError('DATASET_TOO_LARGE')
    }
    const last = objects.at(-1)
    // The key that equals the prefix is the first one of its list.
    if (!isTruncated || last === undefined || !isFolder(source)) break
    startAfter = last.key
  }
  if (parts.length === 0) throw new ConnectorError('SOURCE_NOT_FOUND')
  if (parts.every(({ bytes }) => bytes === 0)) throw new ConnectorError('EMPTY_SOURCE')
  // Stores that list in another order than that of the bytes exist (directory buckets).
  return parts.filter(({ bytes }) => bytes > 0).sort((one, other) =>
    Buffer.compare(Buffer.from(one.key), Buffer.from(other.key))
  )
}

function checked (object: StoredObject): StoredObject {
  // Asked for in another form than the listed one, it would be another object.
  if (checkObjectKey(object.key) !== object.key) throw new ConnectorError('INVALID_KEY')
  return object
}
