import { copyFile, mkdir, mkdtemp, open, readdir, rename, rm, writeFile, type FileHandle } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { checkMetadata } from '../../platform/metadata/check-metadata.ts'
import type { MetadataStore } from '../../platform/metadata/metadata-store.ts'
import { openMetadata } from '../../platform/metadata/open-metadata.ts'
import { release } from '../../platform/process/release.ts'
import { copyObject } from '../../platform/store/copy-object.ts'
import { syncFolder } from '../../platform/store/durable-folders.ts'
import { hashFile } from '../../platform/store/hash-file.ts'
import type { SealedRecord } from '../../platform/vault/vault.ts'
import { settleTree } from './durable-tree.ts'
import { BackupError, backupFormat, backupNames, type FileEntry, type Manifest, type ObjectEntry } from './manifest.ts'
import { neededObjects, type NeededObject } from './needed-objects.ts'

export interface BackupOptions {
  /** A folder that does not exist, or is empty. */
  out: string
  secretsPath: string
  /** The root of the local store; null: objects are listed and stay where they are. */
  objectsRoot: string | null
  tables: readonly string[]
  /** Every sealed record of a store. */
  everySealed: (metadata: MetadataStore) => AsyncIterable<SealedRecord>
  /** Writes a consistent copy of the records into a folder that does not exist. */
  copyMetadata: (folder: string) => Promise<void>
}

export interface BackupReport {
  folder: string
  manifest: Manifest
  /** Objects that are gone, or differ from what was recorded. */
  missing: ObjectEntry[]
}

/** Makes the folder, which appears whole or not at all. Throws BackupError. */
export async function createBackup (options: BackupOptions): Promise<BackupReport> {
  const folder = resolve(options.out)
  await assertFree(folder)
  const partial = await makePartial(folder)
  try {
    const report = await fill(partial, options)
    await settleTree(partial)
    await rename(partial, folder)
    await syncFolder(dirname(folder))
    return { folder, ...report }
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    throw error
  }
}

async function assertFree (folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new BackupError(`--out ${folder}: ${error.message}; a backup needs a new folder`, { cause: error })
  })
  if (names.length > 0) {
    throw new BackupError(`--out ${folder}: there is something in this folder; a backup needs a new one`)
  }
}

/** The name is unique, so a backup that fails removes only its own files. */
async function makePartial (folder: string): Promise<string> {
  try {
    await mkdir(dirname(folder), { recursive: true, mode: 0o700 })
    return await mkdtemp(`${folder}.partial-`)
  } catch (cause) {
    throw new BackupError(
      `--out: user ${process.getuid?.() ?? 'unknown'}, who owns the data folder, cannot create ${folder} (${
        (cause as Error).message
      }); name a place where it may`,
      { cause }
    )
  }
}

async function fill (folder: string,
  { secretsPath, objectsRoot, tables, everySealed, copyMetadata }: BackupOptions
): Promise<{ manifest: Manifest, missing: ObjectEntry[] }> {
  const metadataFolder = join(folder, backupNames.metadata)
  const createdAt = new Date()
  await copyMetadata(metadataFolder)
  // Reads every record of the copy once, because a backup that cannot be restored is useless.
  const contents = await checkMetadata(metadataFolder)
  if (contents?.schema == null) throw new BackupError(`${metadataFolder}: the copy of the records is empty`)
  await copyFile(secretsPath, join(folder, backupNames.secrets))
  const metadata = await openMetadata({ path: metadataFolder, tables, check: false })
  let objects: { counts: Manifest['objects'], missing: ObjectEntry[] }
  const keyIds = new Set<string>()
  try {
    for await (const { sealed } of everySealed(metadata)) keyIds.add(sealed.kekId)
    objects = await copyObjects(folder, objectsRoot, neededObjects(metadata))
  } finally {
    await metadata.close()
  }
  await rm(join(metadataFolder, 'lock.mdb'), { force: true })
  const files: FileEntry[] = []
  for (const path of [`${backupNames.metadata}/data.mdb`, backupNames.secrets, backupNames.objectList]) {
    files.push({ path, ...await hashFile(join(folder, path)) })
  }
  const manifest: Manifest = {
    format: backupFormat,
    release,
    schema: contents.schema.schema,
    readableBy: contents.schema.readableBy,
    created_at: createdAt.toISOString(),
    records: contents.counts,
    files,
    objects: objects.counts,
    keyring_ids: [...keyIds].sort()
  }
  await writeFile(join(folder, backupNames.manifest), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
  return { manifest, missing: objects.missing }
}

async function copyObjects (folder: string, root: string | null,
  needed: Iterable<NeededObject>): Promise<{ counts: Manifest['objects'], missing: ObjectEntry[] }> {
  const counts: Manifest['objects'] = { copied: 0, listed: 0, gone: 0, damaged: 0, bytes: 0 }
  const missing: ObjectEntry[] = []
  const seen = new Set<string>()
  const list = await open(join(folder, backupNames.objectList), 'wx', 0o600)
  try {
    for (const one of needed) {
      if (seen.has(one.key)) continue
      const entry = root === null ? listed(one) : await copied(one, root, join(folder, backupNames.objects))
      if (entry === undefined) continue
      seen.add(one.key)
      counts[entry.state]++
      counts.bytes += entry.state === 'gone' ? 0 : entry.bytes ?? 0
      if (entry.state === 'gone' || entry.state === 'damaged') missing.push(entry)
      await writeLine(list, entry)
    }
  } finally {
    await list.close()
  }
  return { counts, missing }
}

/** undefined: nobody knows whether the object exists, and nothing needs it. */
function listed ({ key, bytes, sha256, of, isOptional }: NeededObject): ObjectEntry | undefined {
  return isOptional === true ? undefined : { key, bytes, sha256, state: 'listed', of }
}

async function copied ({ key, bytes, sha256, of, isOptional }: NeededObject, root: string,
  to: string): Promise<ObjectEntry | undefined> {
  if (!await copyObject(root, to, key, { mayLink: true })) {
    return isOptional === true
      ? undefined
      : { key, bytes, sha256, state: 'gone', of }
  }
  const found = await hashFile(join(to, key))
  const isAsRecorded = (bytes ?? found.bytes) === found.bytes && (sha256 ?? found.sha256) === found.sha256
  return { key, ...found, state: isAsRecorded ? 'copied' : 'damaged', of }
}

async function writeLine (list: FileHandle, entry: ObjectEntry): Promise<void> {
  await list.write(`${JSON.stringify(entry)}\n`)
}
