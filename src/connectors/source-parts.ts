import type { ObjectStorage, StoredObject } from '../queue/messages.ts'
import { ConnectorError } from './connector-error.ts'
import { matchesGlob } from './glob.ts'
import { checkObjectKey } from './object-key.ts'
import type { StoreSession } from './store-session.ts'

export const maxParts = 1000
const pageKeys = 1000
/** Keys that are looked at for those that match; a bucket of more needs a prefix. */
const maxScanned = 100_000

/** Beginning of the keys that a test writes; never part of a source. */
export const probePrefix = 'service-forecasts/.probe-'

type Source = Pick<ObjectStorage, 'prefix' | 'keyPattern'>

/** Whether the prefix stands for everything under it, and not for one object. */
export function isFolder ({ prefix }: Source): boolean {
  return prefix === '' || prefix.endsWith('/')
}

/** Whether an object belongs to the source. The pattern is compared with the key as it is, and with what follows the prefix. */
export function isPart (source: Source, { key, bytes }: Pick<StoredObject, 'key' | 'bytes'>): boolean {
  const { prefix, keyPattern } = source
  if (!isFolder(source)) return key === prefix
  if (!key.startsWith(prefix) || key.startsWith(probePrefix)) return false
  // Some consoles write these to show a folder.
  if (key.endsWith('/') && bytes === 0) return false
  return keyPattern === null || matchesGlob(keyPattern, key) || matchesGlob(keyPattern, key.slice(prefix.length))
}

/**
 * Everything that a read of the source would take, ordered by key. Rejects with SOURCE_NOT_FOUND when there is nothing, and
 * EMPTY_SOURCE when what there is has no bytes.
 */
export async function findParts (session: StoreSession, source: Source, skip: ReadonlySet<string> = new Set()): Promise<StoredObject[]> {
  const parts: StoredObject[] = []
  let startAfter = ''
  for (let scanned = 0; ;) {
    const { objects, isTruncated } = await session.list(source.prefix, startAfter, isFolder(source) ? pageKeys : 1)
    for (const object of objects) if (isPart(source, object) && !skip.has(object.key)) parts.push(checked(object))
    scanned += objects.length
    if (parts.length > maxParts || scanned > maxScanned) throw new ConnectorError('DATASET_TOO_LARGE')
    const last = objects.at(-1)
    // The key that equals the prefix is the first one of its list.
    if (!isTruncated || last === undefined || !isFolder(source)) break
    startAfter = last.key
  }
  if (parts.length === 0) throw new ConnectorError('SOURCE_NOT_FOUND')
  if (parts.every(({ bytes }) => bytes === 0)) throw new ConnectorError('EMPTY_SOURCE')
  // Stores that list in another order than that of the bytes exist (directory buckets).
  return parts.filter(({ bytes }) => bytes > 0).sort((one, other) => Buffer.compare(Buffer.from(one.key), Buffer.from(other.key)))
}

function checked (object: StoredObject): StoredObject {
  // Asked for in another form than the listed one, it would be another object.
  if (checkObjectKey(object.key) !== object.key) throw new ConnectorError('INVALID_KEY')
  return object
}
