import { setImmediate as pause } from 'node:timers/promises'
import type { KeyedEntry, Table } from './metadata-store.ts'

const maxRecords = 50
const maxBytes = 256 * 1024

/**
 * All records of a table by key, in portions with pauses between them, so that other work gets its turn. The walk holds
 * no snapshot, because that would keep old pages from being reused. Records written meanwhile may or may not appear.
 */
export async function* portionsOf<T> (table: Table<T>): AsyncGenerator<Array<KeyedEntry<T>>, void, undefined> {
  let portion = readBehind(table, undefined)
  while (portion.length > 0) {
    yield portion
    await pause()
    portion = readBehind(table, portion.at(-1))
  }
}

/** At least one record, however large. */
function readBehind<T> (table: Table<T>, last: KeyedEntry<T> | undefined): Array<KeyedEntry<T>> {
  const portion: Array<KeyedEntry<T>> = []
  let bytes = 0
  for (const entry of table.range(last === undefined ? {} : { start: last.key })) {
    if (last !== undefined && isSameKey(entry, last)) continue
    portion.push(entry)
    bytes += entry.bytes
    if (portion.length === maxRecords || bytes >= maxBytes) break
  }
  return portion
}

function isSameKey (one: KeyedEntry<unknown>, other: KeyedEntry<unknown>): boolean {
  return one.key.length === other.key.length && one.key.every((element, index) => element === other.key[index])
}
