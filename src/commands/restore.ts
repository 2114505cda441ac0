import { existsSync } from 'node:fs'
import { readdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { lockFile } from '../engine/file-lock.ts'
import { BackupError, type ObjectEntry } from '../operations/backup/manifest.ts'
import { isRestoring, restoreBackup, type RestoreReport } from '../operations/backup/restore-backup.ts'
import { ConfigError, dataPaths, type Config } from '../platform/config.ts'
import { makeDataFolder } from '../platform/disk/make-data-folder.ts'
import { openStore } from '../platform/store/open-store.ts'
import { isRemoteStore, storeConfig } from '../platform/store/store-config.ts'
import { giveTree, ownerToServe, type Owner } from './folder-owner.ts'
import { migrations, recordTables } from './record-tables.ts'
import { everySealed } from './sealed-records.ts'
import { UsageError } from './usage-error.ts'

/** Everything is in place, except for objects that the backup only lists and the store does not have. */
const missingObjectsCode = 2

/** `tabcast restore FOLDER [--keyring FILE] [--force]`. Throws a UsageError for wrong usage. */
export async function runRestoreCommand (config: Config, args: string[],
  print: (line: string) => void): Promise<number> {
  const { values: { keyring, force = false }, positionals: [folder, ...more] } = parseArgs({
    args,
    allowPositionals: true,
    options: { keyring: { type: 'string' }, force: { type: 'boolean' } }
  })
  if (folder === undefined) throw new UsageError('restore: the folder of the backup is missing')
  if (more.length > 0) throw new UsageError(`restore: one folder at a time; ${more[0]} is one too many`)
  storeConfig(config)
  const owner = ownerToServe(config.DATA_DIR)
  const moved = await clearPlace(config, force)
  if (moved !== undefined) print(`what was in ${config.DATA_DIR} is now in ${moved}`)
  try {
    return await restoreInto(config, { folder, keyring, owner }, print)
  } catch (error) {
    if (moved !== undefined && await putBack(moved, config)) {
      print(`and is in ${config.DATA_DIR} again, because the restore was refused`)
    }
    throw error
  }
}

async function restoreInto (
  config: Config,
  { folder, keyring, owner }: { folder: string, keyring: string | undefined, owner: Owner | null },
  print: (line: string) => void
): Promise<number> {
  await makeDataFolder(config.DATA_DIR)
  const paths = dataPaths(config)
  const lock = lockFile(paths.lock)
  try {
    const report = await restoreBackup({
      folder,
      dataDir: config.DATA_DIR,
      keyring: keyringOf(config, keyring),
      hasLocalStore: !isRemoteStore(config),
      tables: recordTables,
      migrations,
      everySealed
    })
    const missing = await missingObjects(report.objects.elsewhere, async (key) => {
      return isRemoteStore(config) ? await (await openStore(storeConfig(config))).stat(key) !== undefined : false
    })
    if (owner !== null) await giveTree(config.DATA_DIR, owner)
    for (const line of describe(config, report, missing)) print(line)
    if (owner === null && process.getuid?.() === 0) {
      print(
        `What was restored belongs to root: if the service runs as another user, chown -R ${config.DATA_DIR} to that ` +
          'user before the start.'
      )
    }
    return missing.some(({ state }) => state === 'listed') ? missingObjectsCode : 0
  } finally {
    lock.release()
  }
}

/** Moves the restored folder into place. False when its place is no longer empty; a refused restore leaves a lock. */
async function putBack (moved: string, config: Config): Promise<boolean> {
  if ((await readdir(config.DATA_DIR)).some((name) => name !== 'lock')) return false
  await rm(config.DATA_DIR, { recursive: true })
  await rename(moved, config.DATA_DIR)
  return true
}

/**
 * With `force`, moves the existing folder aside and returns where to. Throws BackupError without it, and FileLockError
 * when the folder is in use.
 */
async function clearPlace (config: Config, force: boolean): Promise<string | undefined> {
  const { DATA_DIR: dataDir } = config
  const names = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new ConfigError(`TABCAST_DATA_DIR=${dataDir}: ${error.message}`, { cause: error })
  })
  // A refused restore left it.
  if (names.every((name) => name === 'lock')) return undefined
  if (!force) {
    const what = isRestoring(dataDir) ? 'holds a restore that broke off' : 'is not empty'
    throw new BackupError(
      `TABCAST_DATA_DIR=${dataDir} ${what}: name a new folder, or give --force, which moves what is there aside`
    )
  }
  const { lock, queueLock } = dataPaths(config)
  const locks = [lock, queueLock].map((path) => lockFile(path))
  const aside = `${dataDir}.before-restore-${new Date().toISOString().replaceAll(/[:.]/gu, '-')}`
  try {
    await rename(dataDir, aside)
  } catch (cause) {
    throw new BackupError(
      `${dataDir} cannot be moved aside (${
        (cause as Error).message
      }); if it is the root of a disk or volume, move its contents away and run this again`,
      { cause }
    )
  } finally {
    for (const one of locks) one.release()
  }
  return aside
}

function keyringOf (config: Config, given: string | undefined): { from: string, isCopied: boolean } | null {
  if (given !== undefined) {
    if (config.KEYRING_FILE !== '') {
      throw new BackupError(
        `--keyring and TABCAST_KEYRING_FILE=${config.KEYRING_FILE}: the service reads the latter; put the keyring ` +
          'there and leave --keyring out'
      )
    }
    return { from: resolve(given), isCopied: true }
  }
  return config.KEYRING_FILE !== '' && existsSync(config.KEYRING_FILE)
    ? { from: config.KEYRING_FILE, isCopied: false }
    : null
}

async function missingObjects (entries: ObjectEntry[],
  isThere: (key: string) => Promise<boolean>): Promise<ObjectEntry[]> {
  const missing: ObjectEntry[] = []
  for (const entry of entries) if (entry.state === 'gone' || !await isThere(entry.key)) missing.push(entry)
  return missing
}

function describe (config: Config, { manifest, lostRecords, jobs, sealed, objects }: RestoreReport,
  missing: ObjectEntry[]): string[] {
  const total = Object.values(manifest.records).reduce((sum, count) => sum + count, 0)
  const expired = jobs.expired === 0
    ? ''
    : `, and ${jobs.expired} have expired since, which the service removes when it is started`
  const absent = missing.filter(({ state }) => state === 'listed').length
  return [
    `${config.DATA_DIR}: lost records ${lostRecords} of ${total}, as of ${manifest.created_at}`,
    `jobs: ${jobs.completed} completed, ${jobs.failed} failed, ${
      jobs.pending + jobs.running
    } open, which the service runs when it is started${expired}; API keys: ${
      manifest.records['keys'] ?? 0
    }; sealed records opened: ${sealed}`,
    `objects: ${objects.copied} copied, ${objects.bytes} bytes; ${
      objects.elsewhere.length - missing.length
    } in their store; ${missing.length} missing`,
    ...missing.slice(0, 100).map(({ state, key, of }) =>
      `${state === 'gone' ? 'gone before the backup' : 'missing'}: ${key} of ${of}`
    ),
    ...(absent > 0 && !isRemoteStore(config)
      ? [`The backup was made without objects: put them into ${join(config.DATA_DIR, 'objects')} before the start.`]
      : [])
  ]
}
