import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type, type Static } from 'typebox'
import { Compile } from 'typebox/compile'

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

const count = Type.Integer({ minimum: 0 })

const fileEntry = Type.Object({ path: Type.String(), bytes: count, sha256: Type.String() })
export type FileEntry = Static<typeof fileEntry>

/** Describes a backup and what it needs. It is the last file written. */
const manifestSchema = Type.Object({
  format: Type.Integer(),
  /** The release of the program that made the backup. */
  release: Type.String(),
  /** Schema version of the records, and the oldest program schema that reads them. */
  schema: Type.Integer(),
  readableBy: Type.Integer(),
  /** RFC 3339; the backup has the records of this moment. */
  created_at: Type.String(),
  /** How many records each table has. */
  records: Type.Record(Type.String(), count),
  /** Every file except this one and the objects. */
  files: Type.Array(fileEntry),
  /** How many of the needed objects (`objects.jsonl`) are in each state. */
  objects: Type.Object({ copied: count, listed: count, gone: count, damaged: count, bytes: count }),
  /** Ids of the keys that open the sealed records; the keyring itself is not in the backup. */
  keyring_ids: Type.Array(Type.String())
})
export type Manifest = Static<typeof manifestSchema>
const manifestCheck = Compile(manifestSchema)

/**
 * `copied`: in the folder. `listed`: left in its store (a bucket, or because the operator asked for that). `gone`: no
 * longer there. `damaged`: in the folder, but different from what the record says.
 */
export type ObjectState = 'copied' | 'listed' | 'gone' | 'damaged'

/** A line of `objects.jsonl`. */
const objectEntry = Type.Object({
  key: Type.String({ minLength: 1 }),
  bytes: Type.Union([count, Type.Null()]),
  sha256: Type.Union([Type.String(), Type.Null()]),
  state: Type.Enum(['copied', 'listed', 'gone', 'damaged']),
  /** The record that needs the object, such as `job acme/job_...`. */
  of: Type.String()
})
export type ObjectEntry = Static<typeof objectEntry>
const objectCheck = Compile(objectEntry)

/** The folder cannot be restored, or not to the chosen data folder. The message says what to do. */
export class BackupError extends Error {
  override name = 'BackupError'
}

/** Throws BackupError if the folder is no backup, or has a later format or schema. */
export async function readManifest (folder: string, programSchema: number): Promise<Manifest> {
  const path = join(folder, backupNames.manifest)
  let manifest: Partial<Manifest> | null
  try {
    manifest = JSON.parse(await readFile(path, 'utf8')) as Partial<Manifest> | null
  } catch (cause) {
    throw new BackupError(`${path}: ${(cause as Error).message}; a folder that tabcast backup made is wanted`, {
      cause
    })
  }
  // A later format may have other fields, so its number is looked at first.
  const { format, readableBy = 0, release, schema } = manifest ?? {}
  if (Number.isInteger(format) && (Number(format) > backupFormat || readableBy > programSchema)) {
    throw new BackupError(
      `${folder} was made by tabcast ${release} (format ${format}, schema ${schema}); this release reads format ` +
        `${backupFormat} and schema ${programSchema}: restore it with tabcast ${release} or a later one`
    )
  }
  if (!manifestCheck.Check(manifest)) {
    const [first] = manifestCheck.Errors(manifest)
    throw new BackupError(
      `${path}: not the manifest of a backup (${first?.instancePath ?? ''} ${
        first?.message ?? ''
      }); restore another backup`
    )
  }
  return manifest
}

/** Throws BackupError if the line of `objects.jsonl` cannot be read. */
export function readObjectEntry (folder: string, line: string, number: number): ObjectEntry {
  const where = `${join(folder, backupNames.objectList)}, line ${number}`
  let entry: unknown
  try {
    entry = JSON.parse(line)
  } catch (cause) {
    throw new BackupError(`${where}: not JSON; restore another backup`, { cause })
  }
  if (!objectCheck.Check(entry)) throw new BackupError(`${where}: not an object of a backup; restore another backup`)
  return entry
}
