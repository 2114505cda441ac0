import { mkdir } from 'node:fs/promises'
import { ConfigError, dataPaths, type Config } from '../config.ts'
import { lockFile } from '../engine/file-lock.ts'
import { jobTables } from '../jobs/tables.ts'
import { keyTables } from '../keys/key-record.ts'
import { openKeyService, type KeyService, type KeyServiceOptions } from '../keys/key-service.ts'
import { KeyInputError } from '../keys/scopes.ts'
import { loadSecrets, type Secrets } from '../keys/secrets.ts'
import type { MetadataStore } from '../metadata/metadata-store.ts'
import { openMetadata } from '../metadata/open-metadata.ts'

export interface DataFolder {
  metadata: MetadataStore
  keys: KeyService
  secrets: Secrets
  release (): Promise<void>
}

/**
 * The data folder belongs to one process at a time: the kernel's lock is taken before anything in it is opened, and a
 * second process fails with the holder's name (`FileLockError`).
 */
export async function holdDataFolder (config: Config, onError: (error: Error) => void = (error) => { throw error }): Promise<DataFolder> {
  const paths = dataPaths(config)
  await mkdir(config.DATA_DIR, { recursive: true, mode: 0o700 })
  const lock = lockFile(paths.lock)
  try {
    const secrets = loadSecrets(paths.secrets)
    const metadata = await openMetadata({ path: paths.metadata, tables: [...jobTables, ...keyTables] })
    const keys = openKeys(config, { metadata, pepper: secrets.pepper, onError })
    return {
      metadata,
      keys,
      secrets,
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

/** A static map that cannot be used is a wrong setting: starting again would not help. */
function openKeys ({ ENVIRONMENT: environment, STATIC_KEYS_FILE: staticKeysFile }: Config, options: Pick<KeyServiceOptions, 'metadata' | 'pepper' | 'onError'>): KeyService {
  try {
    return openKeyService({ ...options, environment, staticKeysFile })
  } catch (error) {
    if (error instanceof KeyInputError) throw new ConfigError(`TABCAST_STATIC_KEYS_FILE=${staticKeysFile}: ${error.message}`, { cause: error })
    throw error
  }
}
