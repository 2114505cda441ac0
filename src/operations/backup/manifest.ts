import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The layout of the folder. A release reads its own format and earlier ones. */
export const backupFormat = 1

/** Names within the folder, the same as within a data folder. */
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

/** Describes a backup and what it needs. It is the last file written. */
export interface Manifest {
  format: number
  /** The release of the program that made the backup. */
  release: string
  /** Schema version of the records, and the oldest program schema that reads them. */
  schema: number
  readableBy: number
  /** RFC 3339; the backup has the records of this moment. */
  created_at: string
  /** How many records each table has. */
  records: Record<string, number>
  /** Every file except this one and the objects. */
  files: FileEntry[]
  /** How many of the needed objects (`objects.jsonl`) are in each state. */
  objects: Record<ObjectState, number> & { bytes: number }
  /** Ids of the keys that open the sealed records; the keyring itself is not in the backup. */
  keyring_ids: string[]
}

/**
 * `copied`: in the folder. `listed`: left in its store (a bucket, or because the operator asked for that). `gone`: no
 * longer there. `damaged`: in the folder, but different from what the record says.
 */
export type ObjectState = 'copied' | 'listed' | 'gone' | 'damaged'

/** A line of `objects.jsonl`. */
export interface ObjectEntry {
  key: string
  bytes: number | null
  sha256: string | null
  state: ObjectState
  /** The record that needs the object, such as `job acme/job_...`. */
  of: string
}

/** The folder cannot be restored, or not to the chosen data folder. The message says what to do. */
export class BackupError extends Error {
  override name = 'BackupError'
}

/** Throws BackupError if the folder is no backup, or has a later format or schema. */
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
