import type { Sealed } from '../../domain/sealed.ts'
import type { Key, MetadataStore } from '../metadata/metadata-store.ts'
import { portionsOf } from '../metadata/portions.ts'
import type { SealedRecord, Vault } from './vault.ts'

/** A table whose records hold sealed secrets. */
export interface SealedTable<T> {
  name: string
  /** The secrets of a record, each with the context that it is bound to. */
  secretsOf: (value: T, key: Key) => SealedRecord[]
  /** Returns the record with these secrets instead, in the same order. */
  withSecrets: (value: T, secrets: Sealed[]) => T
}

/** Every secret of a table. */
export async function* sealedIn<T> (metadata: MetadataStore,
  { name, secretsOf }: SealedTable<T>): AsyncGenerator<SealedRecord, void, undefined> {
  for await (const portion of portionsOf(metadata.table<T>(name))) {
    for (const { key, value } of portion) yield* secretsOf(value, key)
  }
}

/**
 * Wraps all secrets of a table with the active key, some records per transaction. Returns the number of records that
 * changed.
 */
export async function rewrapTable<T> (metadata: MetadataStore, vault: Vault, sealed: SealedTable<T>): Promise<number> {
  const table = metadata.table<T>(sealed.name)
  let rewrapped = 0
  for await (const portion of portionsOf(table)) {
    rewrapped += await metadata.transact((tx) => {
      let changed = 0
      for (const { key } of portion) {
        const found = tx.get(table, key)?.value
        const next = found === undefined ? undefined : rewrap(found, key, vault, sealed)
        if (next === undefined) continue
        tx.put(table, key, next)
        changed++
      }
      return changed
    })
  }
  return rewrapped
}

/** undefined: everything is already under the active key. */
function rewrap<T> (value: T, key: Key, vault: Vault, { secretsOf, withSecrets }: SealedTable<T>): T | undefined {
  const secrets = secretsOf(value, key)
  const wrapped = secrets.map(({ sealed, context }) => vault.rewrap(sealed, context))
  if (wrapped.every((one) => one === undefined)) return undefined
  return withSecrets(value, secrets.map(({ sealed }, index) => wrapped[index] ?? sealed))
}
