import { chmod, copyFile, lstat, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { createReadStream, existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { checkMetadata } from '../../platform/metadata/check-metadata.ts'
import type { MetadataStore, Migration } from '../../platform/metadata/metadata-store.ts'
import { openMetadata } from '../../platform/metadata/open-metadata.ts'
import { programSchema } from '../../platform/metadata/schema-version.ts'
import { copyObject } from '../../platform/store/copy-object.ts'
import { syncFolder } from '../../platform/store/durable-folders.ts'
import { hashFile } from '../../platform/store/hash-file.ts'
import { KeyringError } from '../../platform/vault/keyring.ts'
import { Vault, type SealedRecord } from '../../platform/vault/vault.ts'
import type { JobRecord, JobStatus } from '../../services/jobs/job-record.ts'
import { readSecrets, SecretsError } from '../../services/keys/secrets.ts'
import { settleTree } from './durable-tree.ts'
import { backupNames, BackupError, readManifest, readObjectEntry, type Manifest, type ObjectEntry } from './manifest.ts'

/** The folder inside the data folder in which a restore is built. While it exists, the restore has not finished. */
export const restoringName = '.restoring'

export interface RestoreOptions {
  /** The backup, which is only read. */
  folder: string
  /** Empty, except for the lock that the caller holds. */
  dataDir: string
  /** Copied into the data folder or read where it is; null: there is none. */
  keyring: { from: string, isCopied: boolean } | null
  /** Whether objects are in the data folder. */
  hasLocalStore: boolean
  tables: readonly string[]
  migrations: readonly Migration[]
  everySealed: (metadata: MetadataStore) => AsyncIterable<SealedRecord>
}

export interface RestoreReport {
  manifest: Manifest
  /** Records that the manifest counts and the backup does not have. */
  lostRecords: number
  /** `expired`: ended jobs whose retention is over. */
  jobs: Record<JobStatus | 'expired', number>
  sealed: number
  objects: { copied: number, bytes: number, elsewhere: ObjectEntry[] }
}

/**
 * Builds everything in a separate folder and moves it into place at the end, the records last. Throws BackupError,
 * before anything is in place, if a checksum, the records, a sealed record or the keyring is wrong.
 */
export async function restoreBackup (options: RestoreOptions): Promise<RestoreReport> {
  const folder = resolve(options.folder)
  const manifest = await readManifest(folder, programSchema(options.migrations))
  if (manifest.objects.copied > 0 && !options.hasLocalStore) {
    throw new BackupError(
      `${folder} holds ${manifest.objects.copied} objects of a folder, and TABCAST_S3_ENDPOINT names a bucket: restore without it, or copy ${
        join(folder, backupNames.objects)
      } into the bucket and take them out of the backup's list`
    )
  }
  await verifyFiles(folder, manifest)
  const building = join(options.dataDir, restoringName)
  await mkdir(building, { mode: 0o700 })
  try {
    const report = await build(folder, building, manifest, options)
    await settleTree(building)
    await publish(building, options.dataDir)
    return report
  } catch (error) {
    await rm(building, { recursive: true, force: true })
    throw error
  }
}

async function verifyFiles (folder: string, { files }: Manifest): Promise<void> {
  for (const name of [`${backupNames.metadata}/data.mdb`, backupNames.secrets, backupNames.objectList]) {
    const entry = files.find(({ path }) => path === name)
    if (entry === undefined) throw new BackupError(`${folder}: the manifest does not name ${name}`)
    await expectFile(join(folder, name))
    const found = await hashFile(join(folder, name)).catch((cause: Error) => {
      throw new BackupError(`${folder}: ${cause.message}`, { cause })
    })
    if (found.sha256 !== entry.sha256) {
      throw new BackupError(
        `${
          join(folder, name)
        }: not what the manifest says (${found.bytes} bytes, sha256 ${found.sha256}, instead of ${entry.bytes} bytes, ${entry.sha256}); restore another backup`
      )
    }
  }
}

/**
 * A missing file is reported by whoever reads it. A link would lead out of the backup, and reading a pipe would hang.
 */
async function expectFile (path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined)
  if (found !== undefined && !found.isFile()) throw new BackupError(`${path}: is no file; restore another backup`)
}

async function build (folder: string, building: string, manifest: Manifest,
  { keyring, tables, migrations, everySealed }: RestoreOptions): Promise<RestoreReport> {
  const path = join(building, backupNames.metadata)
  await mkdir(path, { mode: 0o700 })
  await copyFile(join(folder, backupNames.metadata, 'data.mdb'), join(path, 'data.mdb'))
  await copySecrets(folder, building)
  if (keyring?.isCopied === true) {
    await copyFile(keyring.from, join(building, 'keyring.json')).catch((cause: NodeJS.ErrnoException) => {
      throw new BackupError(`--keyring ${keyring.from}: cannot be read (${cause.code ?? cause.message})`, { cause })
    })
  }
  const contents = await checkMetadata(path)
  const lostRecords = Object.entries(manifest.records).reduce(
    (lost, [table, count]) => lost + Math.max(0, count - (contents?.counts[table] ?? 0)),
    0
  )
  if (lostRecords > 0) {
    throw new BackupError(
      `${folder}: ${lostRecords} records of the manifest are not in the copy; restore another backup`
    )
  }
  const metadata = await openMetadata({ path, tables, migrations, check: false })
  let sealed: number
  const jobs: RestoreReport['jobs'] = { pending: 0, running: 0, completed: 0, failed: 0, expired: 0 }
  try {
    for (const { value: { status, expiresAtMs } } of metadata.table<JobRecord>('jobs').range()) {
      jobs[status]++
      if (expiresAtMs !== null && expiresAtMs <= Date.now()) jobs.expired++
    }
    sealed = await openEverySealed(() => everySealed(metadata), keyring?.from ?? null)
    // No queue has the messages of this record. Marking it makes the api publish every open job again, whatever stream
    // it finds.
    await metadata.transact((tx) =>
      tx.put(metadata.table('queueState'), ['jobsCreated'], {
        created: `restored from the backup of ${manifest.created_at}`
      })
    )
  } finally {
    await metadata.close()
  }
  await rm(join(path, 'lock.mdb'), { force: true })
  return { manifest, lostRecords, jobs, sealed, objects: await copyObjects(folder, building) }
}

/** Without its secrets, a restored service would know none of its API keys. */
async function copySecrets (folder: string, building: string): Promise<void> {
  const copy = join(building, backupNames.secrets)
  await copyFile(join(folder, backupNames.secrets), copy)
  await chmod(copy, 0o600)
  try {
    readSecrets(copy)
  } catch (cause) {
    if (!(cause instanceof SecretsError)) throw cause
    const fault = cause.message.replace(`${copy}: `, '')
    throw new BackupError(`${join(folder, backupNames.secrets)}: ${fault}; restore another backup`, { cause })
  }
}

/** Returns how many there are. Opens each one, because a key with the right name may still be a different key. */
async function openEverySealed (records: () => AsyncIterable<SealedRecord>,
  keyringPath: string | null): Promise<number> {
  let count = 0
  const keyIds = new Set<string>()
  for await (const { sealed } of records()) {
    count++
    keyIds.add(sealed.kekId)
  }
  if (count === 0) return 0
  const ids = [...keyIds].sort().join(', ')
  if (keyringPath === null) {
    throw new BackupError(
      `${count} sealed records need the keyring with ${ids}, and there is none: name it with --keyring FILE or ` +
        'TABCAST_KEYRING_FILE'
    )
  }
  try {
    const vault = new Vault(keyringPath)
    for await (const { sealed, context } of records()) vault.open(sealed, context).fill(0)
  } catch (cause) {
    const reason = (cause as Error).message
    throw new BackupError(
      cause instanceof KeyringError
        ? reason
        : `${keyringPath}: ${reason}; the sealed records need ${ids}: bring the keyring of the time of the backup`,
      { cause }
    )
  }
  return count
}

async function copyObjects (folder: string, building: string): Promise<RestoreReport['objects']> {
  const from = join(folder, backupNames.objects)
  const to = join(building, backupNames.objects)
  const report: RestoreReport['objects'] = { copied: 0, bytes: 0, elsewhere: [] }
  let lines = 0
  for await (const line of createInterface({ input: createReadStream(join(folder, backupNames.objectList)) })) {
    const entry = readObjectEntry(folder, line, ++lines)
    if (entry.state === 'listed' || entry.state === 'gone') {
      report.elsewhere.push(entry)
      continue
    }
    await expectFile(join(from, entry.key))
    // A copy, so that the backup shares no bytes with the restored data.
    if (!await copyObject(from, to, entry.key, { mayLink: false })) {
      throw new BackupError(`${join(from, entry.key)} is missing; restore another backup`)
    }
    const { bytes, sha256 } = await hashFile(join(to, entry.key))
    if (sha256 !== entry.sha256) {
      throw new BackupError(
        `${join(from, entry.key)}: not what the backup lists (${bytes} bytes, sha256 ${sha256}); restore another backup`
      )
    }
    report.copied++
    report.bytes += bytes
  }
  return report
}

/** The records go last: without them, nothing counts as restored. */
async function publish (building: string, dataDir: string): Promise<void> {
  const names = (await readdir(building)).sort((a, b) =>
    Number(a === backupNames.metadata) - Number(b === backupNames.metadata)
  )
  for (const name of names) await rename(join(building, name), join(dataDir, name))
  await rm(building, { recursive: true })
  await syncFolder(dataDir)
}

/** True if a restore into this folder broke off. */
export function isRestoring (dataDir: string): boolean {
  return existsSync(join(dataDir, restoringName))
}
