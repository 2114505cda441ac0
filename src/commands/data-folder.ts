import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigError, dataPaths, type Config } from '../config.ts'
import { FileLockError, lockFile, type FileLock } from '../engine/file-lock.ts'
import { openKeyService, type KeyService, type KeyServiceOptions } from '../keys/key-service.ts'
import { KeyInputError } from '../keys/scopes.ts'
import { loadSecrets, type Secrets } from '../keys/secrets.ts'
import { makeDataFolder } from '../make-data-folder.ts'
import type { MetadataStore } from '../metadata/metadata-store.ts'
import { openMetadata } from '../metadata/open-metadata.ts'
import { KeyringError } from '../vault/keyring.ts'
import { openVault } from '../vault/open-vault.ts'
import type { Vault } from '../vault/vault.ts'
import { recordTables } from './record-tables.ts'

export interface DataFolder {
  metadata: MetadataStore
  keys: KeyService
  secrets: Secrets
  vault: Vault
  release (): Promise<void>
}

export interface HoldOptions {
  /** Time to wait for the process that holds the folder. */
  waitMs?: number
  /** Faults of the key service that no caller waits for. */
  onError?: (error: Error) => void
}

const retryMs = 50

/**
 * The data folder belongs to one process at a time: the kernel's lock is taken before anything in it is opened, and a
 * second process fails with the holder's name (`FileLockError`).
 */
export async function holdDataFolder (config: Config, { waitMs = 0, onError = (error) => { throw error } }: HoldOptions = {}): Promise<DataFolder> {
  const paths = dataPaths(config)
  await makeDataFolder(config.DATA_DIR)
  const lock = await takeLock(paths.lock, waitMs)
  try {
    const secrets = loadSecrets(paths.secrets)
    const vault = openKeyring(paths.keyring)
    const metadata = await openMetadata({ path: paths.metadata, tables: recordTables })
    const keys = openKeys(config, { metadata, pepper: secrets.pepper, onError })
    return {
      metadata,
      keys,
      secrets,
      vault,
      async release () {
        await keys.close()
        await metadata.close()
        lock.release()
      }
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

async function takeLock (path: string, waitMs: number): Promise<FileLock> {
  const endMs = performance.now() + waitMs
  for (;;) {
    try {
      return lockFile(path)
    } catch (error) {
      if (!(error instanceof FileLockError) || performance.now() >= endMs) throw error
    }
    await sleep(retryMs)
  }
}

/** A static map that cannot be used is a wrong setting: starting again would not help. */
function openKeys ({ ENVIRONMENT: environment, STATIC_KEYS_FILE: staticKeysFile }: Config, options: Pick<KeyServiceOptions, 'metadata' | 'pepper' | 'onError'>): KeyService {
  try {
    return openKeyService({ ...options, environment, staticKeysFile })
  } catch (error) {
    if (error instanceof KeyInputError) throw new ConfigError(`TABCAST_STATIC_KEYS_FILE=${staticKeysFile}: ${error.message}`, { cause: error })
    throw error
  }
}

/** A keyring that cannot be used stays so until somebody mends it. */
function openKeyring (path: string): Vault {
  try {
    return openVault(path)
  } catch (error) {
    if (error instanceof KeyringError) throw new ConfigError(`TABCAST_KEYRING_FILE: ${error.message}`, { cause: error })
    throw error
  }
}
