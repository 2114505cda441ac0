import { createHash } from 'node:crypto'
import { constants, open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { isTimeZone } from '../alignment/civil-time.ts'
import type { Kind } from '../covariate-key.ts'
import type { AnswerCache } from '../http/answer-cache.ts'
import { InvalidAnswer } from '../http/invalid-answer.ts'
import { ProviderError } from '../provider-error.ts'
import { readManifest, type Manifest } from './manifest.ts'
import { readPart, type PartColumns } from './part-columns.ts'

/** One folder of the catalogue, `<catalogue>/<kind>/<provider>/<key>`. */
export interface KeyFolder {
  path: string
  kind: Kind
  provider: string
  key: string
}

const maxManifestBytes = 1024 * 1024

/** The folder's manifest. Rejects with a ProviderError if it cannot be read, or describes another folder. */
export async function manifestOf (folder: KeyFolder): Promise<Manifest> {
  await using file = await opened(folder, 'manifest.json')
  const size = await sizeWithin(folder, file, maxManifestBytes)
  const bytes = (await file.readFile()).subarray(0, size)
  const manifest = await readable(folder, () => readManifest(bytes))
  if (manifest.key !== folder.key || manifest.kind !== folder.kind) {
    throw damaged(folder, 'its manifest is that of another folder')
  }
  const wrong = manifest.variables.find(({ lag }) =>
    lag?.day_before !== undefined && !isTimeZone(lag.day_before.timezone)
  )
  if (wrong !== undefined) {
    throw damaged(folder, `the lag of ${wrong.name} in its manifest names no time zone; one looks like Europe/Brussels`)
  }
  return manifest
}

export interface PartRequest {
  part: Manifest['parts'][number]
  manifest: Manifest
  variables: readonly string[]
  maxBytes: number
  /** Caches parts that were read, by file, size and modification time; a changed file is read again. */
  cache: AnswerCache
}

/** The columns of one part, and the size of its file, after its checksum was compared. Rejects with a ProviderError. */
export async function partOf (folder: KeyFolder,
  { part, manifest, variables, maxBytes, cache }: PartRequest): Promise<{ columns: PartColumns, bytes: number }> {
  await using file = await opened(folder, part.file)
  const bytes = await sizeWithin(folder, file, maxBytes)
  const { ino, mtimeMs } = await file.stat()
  const key = JSON.stringify([folder.path, part, ino, bytes, mtimeMs, manifest.timezone, variables])
  const known = cache.get(key)
  if (known !== undefined) return { columns: known.value as PartColumns, bytes }
  await compareChecksum(folder, file, part)
  const format = part.file.endsWith('.parquet') ? 'parquet' as const : 'csv' as const
  // Addressed by the open file, so that exactly the file whose checksum was compared is read, even if its name points
  // elsewhere by now.
  const path = `/proc/self/fd/${file.fd}`
  const columns = await readable(folder,
    async () =>
      await readPart({ path, format, timeZone: manifest.timezone, readWhole: async () => await wholeOf(file, bytes) },
        variables))
  cache.set(key, { value: columns, fetchedAtMs: 0 }, columns.validTimeMs.byteLength * (variables.length + 3), Infinity)
  return { columns, bytes }
}

/** Rejects with a ProviderError if a part is missing, too large, or different from what its manifest says. */
export async function checkPart (folder: KeyFolder, part: Manifest['parts'][number],
  maxBytes: number): Promise<{ bytes: number }> {
  await using file = await opened(folder, part.file)
  const bytes = await sizeWithin(folder, file, maxBytes)
  await compareChecksum(folder, file, part)
  return { bytes }
}

async function compareChecksum (folder: KeyFolder, file: FileHandle, part: Manifest['parts'][number]): Promise<void> {
  const hash = createHash('sha256')
  for await (const chunk of file.createReadStream({ autoClose: false, start: 0, highWaterMark: 1024 * 1024 })) {
    hash.update(chunk as Buffer)
  }
  if (hash.digest('hex') !== part.sha256) throw damaged(folder, `${part.file} has another checksum than its manifest`)
}

async function wholeOf (file: FileHandle, bytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(bytes)
  const { bytesRead } = await file.read(buffer, 0, bytes, 0)
  if (bytesRead < bytes) throw new InvalidAnswer('a file changed while it was read')
  return buffer
}

async function opened (folder: KeyFolder, name: string): Promise<FileHandle> {
  try {
    // Opened without blocking: a pipe without a writer would block one of the few threads that all file operations
    // share.
    return await open(join(folder.path, name), constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (cause) {
    throw damaged(folder, `${name} cannot be read`, cause)
  }
}

async function sizeWithin (folder: KeyFolder, file: FileHandle, most: number): Promise<number> {
  const stat = await file.stat()
  if (!stat.isFile()) throw damaged(folder, 'one of its files is none')
  if (stat.size > most) {
    throw new ProviderError(folder.provider, 'ANSWER_TOO_LARGE', {
      detail: `${folder.key}: a file has ${stat.size} bytes`
    })
  }
  return stat.size
}

async function readable<T> (folder: KeyFolder, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof InvalidAnswer || error instanceof RangeError) throw damaged(folder, error.message, error)
    throw error
  }
}

function damaged (folder: KeyFolder, detail: string, cause?: unknown): ProviderError {
  return new ProviderError(folder.provider, 'CATALOG_DAMAGED', { detail: `${folder.key}: ${detail}`, cause })
}
