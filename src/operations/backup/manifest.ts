import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Layout of the folder; a release reads its own format and earlier ones. */
export const backupFormat = 1

/** Names within the folder, as they are within a data folder. */
export const backupNames = {
  manifest: 'manifest.json',
  metadata: 'metadata',
  secrets: 'secrets.json',
  objectList: 'objects.jsonl',
  objects: 'objects'
} as const

export interface FileEntry {
  path: string
  bytes: number
  sha256: string
}

/** What a backup is and what it needs; the last file that is written. */
export interface Manifest {
  format: number
  /** Of the program that made it. */
  release: string
  /** Schema version of the records, and the oldest program schema that reads them. */
  schema: number
  readableBy: number
  /** RFC 3339; the records are those of this moment. */
  created_at: string
  /** Records by table. */
  records: Record<string, number>
  /** Every file but this one and the objects. */
  files: FileEntry[]
  /** Objects that the records need, as `objects.jsonl` lists them, by what became of them. */
  objects: Record<ObjectState, number> & { bytes: number }
  /** Keys of the keyring that open what is sealed in the records; the keyring is not here. */
  keyring_ids: string[]
}

/**
 * `copied`: in the folder. `listed`: in its store (a bucket, or by wish). `gone`: not there any more. `damaged`: in the
 * folder, and not what the record says.
 */
export type ObjectState = 'copied' | 'listed' | 'gone' | 'damaged'

/** A line of `objects.jsonl`. */
export interface ObjectEntry {
  key: string
  bytes: number | null
  sha256: string | null
  state: ObjectState
  /** The record that needs it, such as `job acme/job_...`. */
  of: string
}

/** The folder cannot be restored, or the place cannot be restored to; the message says what to do. */
export class BackupError extends Error {
  override name = 'BackupError'
}

/** Throws BackupError for a folder that is no backup, and for one of a later format or schema. */
export async function readManifest (folder: string, programSchema: number): Promise<Manifest> {
  const path = join(folder, backupNames.manifest)
  let manifest: Manifest
  try {
    manifest = JSON.parse(await readFile(path, 'utf8')) as Manifest
  } catch (cause) {
    throw new BackupError(`${path}: ${(cause as Error).message}; a folder that tabcast backup made is wanted`, {
      cause
    })
  }
  if (!Number.isInteger(manifest?.format)) throw new BackupError(`${path}: not the manifest of a backup`)
  if (manifest.format > backupFormat || manifest.readableBy > programSchema) {
    throw new BackupError(
      `${folder} was made by tabcast ${manifest.release} (format ${manifest.format}, schema ${manifest.schema}); ` +
        `this release reads format ${backupFormat} and schema ${programSchema}: restore it with tabcast ` +
        `${manifest.release} or a later one`
    )
  }
  if (![manifest.files, manifest.keyring_ids].every(Array.isArray)) {
    throw new BackupError(`${path}: not the manifest of a backup`)
  }
  return manifest
}
