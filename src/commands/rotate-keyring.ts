import type { MetadataStore } from '../platform/metadata/metadata-store.ts'
import { addKey, dropOldKeys } from '../platform/vault/keyring.ts'
import type { Vault } from '../platform/vault/vault.ts'
import { rewrapEverySealed } from './sealed-records.ts'

export interface KeyringRotation {
  /** The new key. */
  keyId: string
  rewrapped: number
}

/**
 * Two rotations at a time would remove each other's keys. Only one process has the data folder, so one queue in memory
 * is enough.
 */
let underWay: Promise<unknown> = Promise.resolve()

/**
 * Adds a new active key to the keyring, wraps every sealed record with it, and only then removes the old keys. If this
 * stops at any moment, the keyring still opens everything, and the next rotation finishes the work. A record that
 * cannot be opened stops it before a key is removed.
 */
export async function rotateKeyring (path: string,
  folder: { metadata: MetadataStore, vault: Vault }): Promise<KeyringRotation> {
  return await betweenRotations(() => rotate(path, folder))
}

/** Runs `work` on records and keyring while no rotation changes them. */
export async function betweenRotations<R> (work: () => Promise<R>): Promise<R> {
  const done = underWay.then(work)
  underWay = done.catch(() => undefined)
  return await done
}

async function rotate (path: string,
  { metadata, vault }: { metadata: MetadataStore, vault: Vault }): Promise<KeyringRotation> {
  const keyId = addKey(path)
  vault.reload()
  // No earlier transaction can write a record under an old key after this.
  await metadata.barrier()
  const rewrapped = await rewrapEverySealed(metadata, vault)
  dropOldKeys(path)
  vault.reload()
  return { keyId, rewrapped }
}
