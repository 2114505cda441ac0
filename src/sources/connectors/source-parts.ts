import { setImmediate as pause } from 'node:timers/promises'
import type { ObjectStorage } from '../../domain/connection.ts'
import type { StoredObject } from '../../domain/connector-results.ts'
import { ConnectorError } from './connector-error.ts'
import { matchesGlob } from './glob.ts'
import { LeastSpeed } from './least-speed.ts'
import { checkObjectKey } from './object-key.ts'
import type { StoreSession } from './store-session.ts'

export const maxParts = 1000
const pageKeys = 1000
/**
 * The most keys that are searched for matches; a larger bucket needs a prefix. The second bound is for stores that
 * return few keys per page.
 */
const maxScanned = 100_000
const maxPages = 200
/** Bytes of all pages. 100,000 keys with all that S3 tells of them have about two thirds of it. */
const maxListedBytes = 64 * 1024 * 1024
/** Matching a customer's pattern against long keys takes time, so this process pauses to answer others. */
const keysWithoutPause = 50

/** The prefix of the keys that a connection test writes; they are never part of a source. */
export const probePrefix = 'service-forecasts/.probe-'

/**
 * The default keys of deliveries. Whichever connection wrote them, they belong to a source only if its prefix asks for
 * them.
 */
const deliveredByDefault =
  /^service-forecasts\/\d{4}-\d\d-\d\d\/job_[0-9A-HJKMNP-TV-Z]{26}\.(?:csv|json|jsonl|parquet)$/

/** `delivered`: sizes of the results that were written through the connection, by key. */
interface Source extends Pick<ObjectStorage, 'prefix' | 'keyPattern'> {
  delivered?: ReadonlyMap<string, number>
}

/** Whether the prefix names everything under it, and not a single object. */
export function isFolder ({ prefix }: Source): boolean {
  return prefix === '' || prefix.endsWith('/')
}

/** Whether the prefix of a source asks for default deliveries. */
export function isDefaultPrefix (prefix: string): boolean {
  return prefix.startsWith('service-forecasts/')
}

/** Whether the key is that of a default delivery that the prefix does not ask for. */
export function isDefaultDelivery (prefix: string, key: string): boolean {
  return deliveredByDefault.test(key) && !isDefaultPrefix(prefix)
}

/**
 * Whether an object belongs to the source. The pattern is compared with the whole key, and with the part after the
 * prefix.
 */
export function isPart (source: Source, { key, bytes }: Pick<StoredObject, 'key' | 'bytes'>): boolean {
  const { prefix, keyPattern, delivered } = source
  if (!isFolder(source)) return key === prefix
  if (!key.startsWith(prefix) || key.startsWith(probePrefix)) return false
  // An object of another size has replaced the delivery, and belongs to the source.
  if (delivered?.get(key) === bytes) return false
  if (isDefaultDelivery(prefix, key)) return false
  // Some consoles write these to show a folder.
  if (key.endsWith('/') && bytes === 0) return false
  return keyPattern === null || matchesGlob(keyPattern, key) || matchesGlob(keyPattern, key.slice(prefix.length))
}

/** The objects of a page that belong to the source. */
export async function partsAmong (source: Source, objects: readonly StoredObject[]): Promise<StoredObject[]> {
  const parts: StoredObject[] = []
  for (const [index, object] of objects.entries()) {
    if (index % keysWithoutPause === keysWithoutPause - 1) await pause()
    if (isPart(source, object)) parts.push(object)
  }
  return parts
}

/**
 * All parts of the source, ordered by key. Rejects with SOURCE_NOT_FOUND if there are none, and with EMPTY_SOURCE if
 * they have no bytes.
 */
export async function findParts (session: StoreSession, source: Source): Promise<StoredObject[]> {
  const parts: StoredObject[] = []
  const speed = new LeastSpeed()
  let startAfter = ''
  for (let scanned = 0, pages = 1;; pages++) {
    const { objects, isTruncated } = await session.list(source.prefix, startAfter, isFolder(source) ? pageKeys : 1,
      speed)
    for (const object of await partsAmong(source, objects)) parts.push(checked(object))
    scanned += objects.length
    if (parts.length > maxParts || scanned > maxScanned || pages > maxPages || speed.bytes > maxListedBytes) {
      throw new ConnectorError('DATASET_TOO_LARGE')
    }
    const last = objects.at(-1)
    // A key that equals the prefix is the first one of the listing.
    if (!isTruncated || last === undefined || !isFolder(source)) break
    startAfter = last.key
  }
  if (parts.length === 0) throw new ConnectorError('SOURCE_NOT_FOUND')
  if (parts.every(({ bytes }) => bytes === 0)) throw new ConnectorError('EMPTY_SOURCE')
  // Some stores do not list in byte order (directory buckets).
  return parts.filter(({ bytes }) => bytes > 0).sort((one, other) =>
    Buffer.compare(Buffer.from(one.key), Buffer.from(other.key))
  )
}

function checked (object: StoredObject): StoredObject {
  // Normalising this key would request another object than the one that was listed.
  if (checkObjectKey(object.key) !== object.key) throw new ConnectorError('INVALID_KEY')
  return object
}
