import { existsSync } from 'node:fs'
import { access, copyFile, constants, mkdir, open, rm } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { createBackup, type BackupReport } from '../operations/backup/create-backup.ts'
import { BackupError } from '../operations/backup/manifest.ts'
import { dataPaths, type Config } from '../platform/config.ts'
import type { MetadataStore } from '../platform/metadata/metadata-store.ts'
import { isRemoteStore } from '../platform/store/store-config.ts'
import { callAdminSocketIfThere } from '../services/keys/key-administration.ts'
import { reachData } from './reach-data.ts'
import { recordTables } from './record-tables.ts'
import { betweenRotations } from './rotate-keyring.ts'
import { everySealed } from './sealed-records.ts'
import { UsageError } from './usage-error.ts'
import { defined } from '../platform/defined.ts'

/**
 * What the process that owns the records copies, all from the same moment. `keyring`: where its copy goes; absent: it
 * is not copied.
 */
export interface CopyRequest {
  metadata: string
  keyring?: string
}

/** Of the running service; one of an earlier release does not tell. */
export interface CopyReply {
  hasBucket?: boolean
}

/** `tabcast backup --out FOLDER [--keyring FILE] [--no-objects]`. Throws a UsageError for wrong usage. */
export async function runBackupCommand (config: Config, args: string[],
  print: (line: string) => void): Promise<number> {
  const { values: { out, keyring, 'no-objects': noObjects = false }, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { out: { type: 'string' }, keyring: { type: 'string' }, 'no-objects': { type: 'boolean' } }
  })
  if (positionals.length > 0) {
    throw new UsageError(`backup: --out FOLDER names the new folder; ${positionals[0]} is one too many`)
  }
  if (out === undefined) throw new UsageError('backup: --out FOLDER, the new folder to make, is missing')
  const paths = dataPaths(config)
  if (!existsSync(join(paths.metadata, 'data.mdb'))) {
    throw new BackupError(
      `TABCAST_DATA_DIR=${config.DATA_DIR}: no records are here; name the data folder of the service`
    )
  }
  if (isWithin(config.DATA_DIR, out)) {
    throw new BackupError(
      `--out ${
        resolve(out)
      }: this is in the data folder, whose folders the service empties and a restore moves away; name a place outside of it`
    )
  }
  const keyringCopy = keyring === undefined ? undefined : await keyringPlace(keyring, out)
  let isOffline = false
  const report = await createBackup({
    out,
    secretsPath: paths.secrets,
    objectsRoot: isRemoteStore(config) || noObjects ? null : paths.objects,
    tables: recordTables,
    everySealed,
    async copyMetadata (metadata) {
      const request: CopyRequest = { metadata, ...defined({ keyring: keyringCopy }) }
      await reachData(config, async (socket) => {
        const reply = await callAdminSocketIfThere(socket, 'POST', '/backup', request) as CopyReply | undefined
        if (reply !== undefined) assertSameStore(config, reply)
        return reply !== undefined
      }, async (folder) => {
        isOffline = true
        await copyRecords(paths.keyring, folder.metadata, request)
      })
    }
  }).catch(async (error: unknown) => {
    // The file did not exist before, so it belongs to the failed backup.
    if (keyringCopy !== undefined) await rm(keyringCopy, { force: true })
    throw error
  })
  // An operator who expected a running service named the wrong folder.
  if (isOffline) print(`No service runs on TABCAST_DATA_DIR=${config.DATA_DIR}: what its folder holds was copied.`)
  for (const line of describe(report, keyringCopy)) print(line)
  return report.manifest.objects.damaged > 0 ? 1 : 0
}

/** Otherwise every object would count as deleted since. */
function assertSameStore (config: Config, { hasBucket = isRemoteStore(config) }: CopyReply): void {
  if (hasBucket === isRemoteStore(config)) return
  const [theirs, ours] = hasBucket ? ['a bucket', 'none'] : ['no bucket', 'one']
  throw new BackupError(
    `the service that runs has ${theirs}, and the settings of this shell name ${ours}: give this command the ` +
      'settings of the service (set -a; . tabcast.env)'
  )
}

/** Where the copy of the keyring goes: a new file outside of the backup. Makes its folder. */
async function keyringPlace (keyring: string, out: string): Promise<string> {
  const path = resolve(keyring)
  if (isWithin(out, path)) {
    throw new BackupError('--keyring: keep it apart from the backup: whoever has both reads the stored secrets')
  }
  if (existsSync(path)) throw new BackupError(`--keyring ${path}: there is something at this place; name a new file`)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 }).catch((cause: Error) => {
    throw new BackupError(`--keyring ${path}: its folder cannot be made (${cause.message})`, { cause })
  })
  return path
}

function isWithin (folder: string, path: string): boolean {
  return `${resolve(path)}${sep}`.startsWith(`${resolve(folder)}${sep}`)
}

/** Runs in the process that owns the records. */
export async function copyRecords (keyringPath: string, store: MetadataStore,
  { metadata, keyring }: CopyRequest): Promise<void> {
  await assertWritable('--out', dirname(metadata))
  if (keyring !== undefined) await assertWritable('--keyring', dirname(keyring))
  await betweenRotations(async () => {
    await store.backup(metadata)
    if (keyring === undefined) return
    await copyFile(keyringPath, keyring, constants.COPYFILE_EXCL)
    const handle = await open(keyring, 'r+')
    await handle.chmod(0o600)
    await handle.sync()
    await handle.close()
  })
}

/** A service can write to fewer places than the command that asks it, because of its user, unit or container. */
async function assertWritable (option: string, folder: string): Promise<void> {
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    const reason = `${option}: the process that copies the records (user ${
      process.getuid?.() ?? 'unknown'
    }) cannot write to ${folder} (${(cause as Error).message})`
    throw new BackupError(
      `${reason}; a running service does that itself: name a place that its user, and ReadWritePaths= of its unit or ` +
        'a volume of its container, let it write to (docs/operate/backup-and-restore.md), or stop it first',
      { cause }
    )
  }
}

function describe ({ folder, manifest, missing }: BackupReport, keyringCopy: string | undefined): string[] {
  const { objects, records, keyring_ids: keyIds } = manifest
  const total = Object.values(records).reduce((sum, count) => sum + count, 0)
  const elsewhere = objects.listed === 0 ? '' : `, ${objects.listed} listed in objects.jsonl and not copied`
  const ids = keyIds.length === 0
    ? 'Nothing is sealed in the records'
    : `Sealed records need ${keyIds.join(', ')} of the keyring`
  const keyring = keyringCopy === undefined
    ? 'the keyring is not in the backup: copy it with --keyring FILE and keep it apart'
    : `the copy of the keyring is ${keyringCopy}; keep it apart from the backup`
  return [
    `${folder}: ${total} records (${
      records['jobs'] ?? 0
    } jobs) of ${manifest.created_at}, each read and checked; ${objects.copied} objects, ${objects.bytes} bytes${elsewhere}`,
    ...missing.slice(0, 100).map(({ state, key, of }) => `${state}: ${key} of ${of}`),
    `${ids}; ${keyring}.`
  ]
}
