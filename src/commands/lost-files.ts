import { ConfigError } from '../platform/config.ts'
import type { MetadataStore } from '../platform/metadata/metadata-store.ts'
import type { KeyRecord } from '../services/keys/key-record.ts'
import { everySealed } from './sealed-records.ts'

/*
 * A file of random secrets is made at the first start. Made anew beside records that need the lost one, it would void
 * them in silence.
 */

/** Throws ConfigError if a key on record still works, because its hash needs the secrets of this path. */
export function assertNoKeys (secretsPath: string, metadata: MetadataStore): void {
  let count = 0
  for (const { value: { revokedAtMs, expiresAtMs } } of metadata.table<KeyRecord>('keys').range()) {
    if (revokedAtMs === null && (expiresAtMs ?? Infinity) > Date.now()) count++
  }
  if (count === 0) return
  throw new ConfigError(
    `${secretsPath} is missing, and without it none of the API keys works (${count} on record). Put its copy back: ` +
      'every backup has one. If there is none, run tabcast keys revoke --all, start the service, and make new keys'
  )
}

/** Throws ConfigError if a record is sealed, because only the keyring of this path opens it. */
export async function assertNothingSealed (keyringPath: string, metadata: MetadataStore): Promise<void> {
  const { value: first } = await everySealed(metadata).next()
  if (first === undefined) return
  throw new ConfigError(
    `TABCAST_KEYRING_FILE: ${keyringPath} is missing, and stored secrets are sealed with its key ${first.sealed.kekId}. ` +
      'Correct the setting, or put the copy back that tabcast backup --keyring made. If there is none, run tabcast ' +
      'vault create: then credentials of connections have to be entered again, and webhook secrets rotated'
  )
}
