import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { FileLockError, lockFile, type FileLock } from '../engine/file-lock.ts'
import { isRestoring } from '../operations/backup/restore-backup.ts'
import { ConfigError, dataPaths, type Config } from '../platform/config.ts'
import { makeDataFolder } from '../platform/disk/make-data-folder.ts'
import type { MetadataStore } from '../platform/metadata/metadata-store.ts'
import { openMetadata } from '../platform/metadata/open-metadata.ts'
import { KeyringError } from '../platform/vault/keyring.ts'
import { openVault } from '../platform/vault/open-vault.ts'
import type { Vault } from '../platform/vault/vault.ts'
import { AuditLog } from '../services/audit/audit-log.ts'
import { openKeyService, type KeyService, type KeyServiceOptions } from '../services/keys/key-service.ts'
import { KeyInputError } from '../services/keys/scopes.ts'
import { loadSecrets, type Secrets } from '../services/keys/secrets.ts'
import { staticKeysError } from './check-settings.ts'
import { assertNoKeys, assertNothingSealed } from './lost-files.ts'
import { migrations, recordTables } from './record-tables.ts'

export interface DataFolder {
  metadata: MetadataStore
  keys: KeyService
  secrets: Secrets
  vault: Vault
  release(): Promise<void>
}

export interface HoldOptions {
  /** How long to wait for the process that holds the folder. */
  waitMs?: number
  /** Errors of the key service that no caller awaits. */
  onError?: (error: Error) => void
  /** Goes on if the secrets are lost, with others that are not kept: enough to revoke keys, and for nothing else. */
  withoutSecrets?: boolean
}

const retryMs = 50

/**
 * Only one process at a time may have the data folder. It takes the kernel's lock before it opens anything, and a
 * second process fails with the holder's name (`FileLockError`).
 */
export async function holdDataFolder (config: Config, {
  waitMs = 0,
  onError = (error) => {
    throw error
  },
  withoutSecrets = false
}: HoldOptions = {}): Promise<DataFolder> {
  const paths = dataPaths(config)
  await makeDataFolder(config.DATA_DIR)
  if (isRestoring(config.DATA_DIR)) {
    throw new ConfigError(
      `TABCAST_DATA_DIR=${config.DATA_DIR}: a restore into this folder broke off; run tabcast restore FOLDER --force`
    )
  }
  const lock = await takeLock(paths.lock, waitMs).catch((error: unknown) => {
    throw error instanceof FileLockError ? error : notOurs(config, error)
  })
  try {
    const metadata = await openMetadata({ path: paths.metadata, tables: recordTables, migrations })
    try {
      const secrets = openSecrets(paths.secrets, metadata, withoutSecrets)
      const vault = await openKeyring(config, metadata)
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
      await metadata.close()
      throw error
    }
  } catch (error) {
    lock.release()
    throw !(error instanceof ConfigError) && isRefusal(error) ? notOurs(config, error) : error
  }
}

/** The system's codes, and their numbers as LMDB reports them. */
const refusals = new Set<unknown>(['EACCES', 'EPERM', 'EROFS', 13, 1, 30])

/** The file system denies this user access, which a retry would not change. */
function isRefusal (error: unknown): boolean {
  const { code, cause } = error as { code?: unknown, cause?: { code?: unknown } }
  return refusals.has(code) || refusals.has(cause?.code)
}

function notOurs (config: Config, error: unknown): ConfigError {
  return new ConfigError(
    `TABCAST_DATA_DIR=${config.DATA_DIR}: ${
      (error as Error).message
    }; everything in this folder has to belong to the user that runs the service, on a disk that can be written (chown -R, or another user)`,
    { cause: error }
  )
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

function openKeys (config: Config, options: Pick<KeyServiceOptions, 'metadata' | 'pepper' | 'onError'>): KeyService {
  const { ENVIRONMENT: environment, STATIC_KEYS_FILE: staticKeysFile, AUDIT_MAX_RECORDS: maxRecords } = config
  try {
    return openKeyService({
      ...options,
      environment,
      staticKeysFile,
      audit: new AuditLog(options.metadata, { maxRecords })
    })
  } catch (error) {
    throw error instanceof KeyInputError ? staticKeysError(staticKeysFile, error) : error
  }
}

function openSecrets (path: string, metadata: MetadataStore, withoutSecrets: boolean): Secrets {
  if (existsSync(path)) return loadSecrets(path)
  if (withoutSecrets) return { pepper: randomBytes(32), cursorKey: randomBytes(32), urlKey: randomBytes(32) }
  assertNoKeys(path, metadata)
  return loadSecrets(path)
}

/** An invalid keyring stays invalid until somebody repairs it. */
async function openKeyring (config: Config, metadata: MetadataStore): Promise<Vault> {
  const path = dataPaths(config).keyring
  if (!existsSync(path)) await assertNothingSealed(path, metadata)
  try {
    return openVault(path)
  } catch (error) {
    if (config.KEYRING_FILE !== '' && isRefusal(error)) {
      throw new ConfigError(
        `TABCAST_KEYRING_FILE=${path}: there is no such file, and it cannot be made (${
          (error as Error).message
        }); put the keyring there, or let the user of the service write to ${dirname(path)}`,
        { cause: error }
      )
    }
    if (error instanceof KeyringError) {
      throw new ConfigError(
        `TABCAST_KEYRING_FILE: ${error.message}; put a copy of it back, without which stored credentials stay closed`,
        { cause: error }
      )
    }
    throw error
  }
}
