import type { DiskSpace } from '../../platform/disk/disk-space.ts'
import type { MetadataStore } from '../../platform/metadata/metadata-store.ts'
import { readKeyring } from '../../platform/vault/keyring.ts'
import type { SealedRecord, Vault } from '../../platform/vault/vault.ts'
import { readSecrets, type Secrets } from '../../services/keys/secrets.ts'
import { check, fail, ok, warn, type Check } from './check.ts'

export interface OpenFolder {
  metadata: MetadataStore
  vault: Vault
  room: Pick<DiskSpace, 'shortage' | 'availableBytes'>
  secrets: Secrets
  secretsPath: string
  keyringPath: string
  everySealed: (metadata: MetadataStore) => AsyncIterable<SealedRecord>
}

/** Checks that only the process with the open records can make. */
export async function folderChecks (folder: OpenFolder): Promise<Check[]> {
  return [
    await check('room', roomRemedy, () => roomCheck(folder.room)),
    await check('records', 'see the text; a backup is restored by tabcast restore FOLDER --force',
      () => recordsCheck(folder.metadata)),
    await check('secrets', 'put the copy of the last backup back', () => secretsCheck(folder)),
    await check('keyring', 'put a copy of the keyring back', () => keyringCheck(folder))
  ]
}

const roomRemedy = 'delete jobs and stored objects, give the disk more space, or raise TABCAST_DATA_DIR_MAX_BYTES'

/** Asks what uploads and jobs ask. Promised results are an estimate, and a small upload may still find room. */
function roomCheck (room: OpenFolder['room']): Check {
  const taken = room.shortage(0, 0)
  if (taken !== undefined) return fail('room', `uploads and jobs are refused: ${taken}`, roomRemedy)
  const promised = room.shortage()
  return promised === undefined
    ? ok('room', `uploads and results may take ${inMiB(room.availableBytes())} more`)
    : warn('room', `large uploads are refused until jobs have ended: ${promised}`, roomRemedy)
}

function recordsCheck (metadata: MetadataStore): Check {
  const deadReaders = metadata.releaseDeadReaders()
  const { usedBytes, freePages, pageBytes, readers, maxReaders } = metadata.stats()
  const freeBytes = freePages * pageBytes
  const message =
    `the file has ${inMiB(usedBytes)}, of which ${
      inMiB(freeBytes)
    } are free for new records; readers: ${readers}, at most ${maxReaders}` +
    (deadReaders === 0 ? '' : `; ${deadReaders} whose process died were released just now`)
  return readers > maxReaders / 2
    ? warn('records', message, "too many processes read the folder: stop those that are not the service's")
    : ok('records', message)
}

function inMiB (bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`
}

/** A running service has them in memory, and would not start again. */
function secretsCheck ({ secrets, secretsPath }: OpenFolder): Check {
  return readSecrets(secretsPath).pepper.equals(secrets.pepper)
    ? ok('secrets', `${secretsPath}: with these, API keys are checked`)
    : fail('secrets', `${secretsPath}: not the secrets with which the service runs`,
      'put the copy of the last backup back, or no API key works after the next start')
}

/** Opens every sealed record, so that the operator and not a customer notices a secret that does not open. */
async function keyringCheck ({ metadata, vault, keyringPath, everySealed }: OpenFolder): Promise<Check> {
  const { active, keys } = readKeyring(keyringPath)
  let count = 0
  const faults = new Map<string, number>()
  for await (const { sealed, context } of everySealed(metadata)) {
    count++
    try {
      vault.open(sealed, context).fill(0)
    } catch (error) {
      const reason = (error as Error).message
      faults.set(reason, (faults.get(reason) ?? 0) + 1)
    }
  }
  if (faults.size === 0) {
    return ok('keyring',
      `${keyringPath}: ${keys.size === 1 ? 'one key' : `${keys.size} keys`}; new secrets are sealed with ${active}; ` +
        `all ${count} sealed records can be opened`)
  }
  const reasons = [...faults].map(([reason, times]) => `${times} times: ${reason}`).join('; ')
  return fail('keyring', `${keyringPath}: of ${count} sealed records some cannot be opened (${reasons})`,
    'put back the keyring that has these keys (tabcast backup --keyring made copies), or have the credentials ' +
      'entered again')
}
