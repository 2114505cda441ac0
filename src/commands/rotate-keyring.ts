import type { MetadataStore } from '../platform/metadata/metadata-store.ts'
import { addKey, dropOldKeys } from '../platform/vault/keyring.ts'
import type { Vault } from '../platform/vault/vault.ts'
import { rewrapEverySealed } from './sealed-records.ts'

export interface KeyringRotation {
  /** The new key. */
  keyId: string
  rewrapped: number
}

/** Two at a time would remove each other's keys; one process at a time has the data folder, so this holds for all. */
let underWay: Promise<unknown> = Promise.resolve()

/**
 * Gives the keyring a new active key, wraps every sealed record with it, and only then removes the others. An end at
 * any moment leaves a keyring that opens everything; the next rotation finishes what this one began. A record that
 * cannot be opened ends it before a key is removed.
 */
export async function rotateKeyring (path: string,
  folder: { metadata: MetadataStore, vault: Vault }): Promise<KeyringRotation> {
  return await betweenRotations(() => rotate(path, folder))
}

/** Does something with records and keyring while no rotation changes them. */
export async function betweenRotations<R> (work: () => Promise<R>): Promise<R> {
  const done = underWay.then(work)
  underWay = done.catch(() => undefined)
  return await done
}

async function rotate (path: string,
  { metadata, vault }: { metadata: MetadataStore, vault: Vault }): Promise<KeyringRotation> {
  const keyId = addKey(path)
  vault.reload()
  // None that was handed in before can bring a record under an old key later.
  await metadata.barrier()
  const rewrapped = await rewrapEverySealed(metadata, vault)
  dropOldKeys(path)
  vault.reload()
  return { keyId, rewrapped }
}
