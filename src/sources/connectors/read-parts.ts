import { open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { ObjectStorage } from '../../domain/connection.ts'
import type { StoredObject } from '../../domain/connector-results.ts'
import { ConnectorError } from './connector-error.ts'
import type { SourceFiles } from './connector.ts'
import { LeastSpeed } from './least-speed.ts'
import { checkMagic, magicLength } from './magic-bytes.ts'
import { asConnectorError } from './provider-errors.ts'
import type { StoreSession } from './store-session.ts'

const lanes = 4

type Shape = Pick<ObjectStorage, 'fileFormat' | 'compression'>

const endings = { gzip: '.gz', zstd: '.zst' } as const

/** Downloads the parts into the folder, several side by side. The files are in the order of the parts. */
export async function readParts (session: StoreSession, parts: readonly StoredObject[], shape: Shape, folder: string,
  maxBytes: number): Promise<SourceFiles> {
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0)
  if (bytes > maxBytes) throw new ConnectorError('DATASET_TOO_LARGE')
  const paths = parts.map((_part, index) => pathOf(folder, index, shape))
  const waiting = [...parts.entries()]
  const failures: unknown[] = []
  let unpinned = 0
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined && failures.length === 0; next = waiting.shift()) {
      const [index, part] = next
      try {
        const { isPinned } = await readPart(session, part, shape, paths[index] as string)
        if (!isPinned) unpinned++
      } catch (error) {
        failures.push(error)
      }
    }
  }
  // All downloads must end before the folder may be removed.
  await Promise.all(Array.from({ length: Math.min(lanes, parts.length) }, lane))
  if (failures.length > 0) throw asConnectorError(failures[0])
  return { paths, bytes, parts: parts.map(({ key, etag, bytes }) => ({ key, etag, bytes })), unpinned }
}

/**
 * Reads as much of a source as a waiting client allows: the first parts that fit, or the first lines of a part that
 * does not. Only uncompressed text can be cut.
 */
export async function readBeginning (
  session: StoreSession,
  parts: readonly StoredObject[],
  shape: Shape,
  folder: string,
  maxBytes: number
): Promise<SourceFiles & { truncated: boolean }> {
  const [first] = parts
  if (first === undefined || first.bytes <= maxBytes) {
    const fitting = firstThatFit(parts, maxBytes)
    return { ...await readParts(session, fitting, shape, folder, maxBytes), truncated: fitting.length < parts.length }
  }
  if (shape.compression !== null || !['csv', 'jsonl'].includes(shape.fileFormat)) {
    throw new ConnectorError('DATASET_TOO_LARGE')
  }
  const path = pathOf(folder, 0, shape)
  const { bytes, isPinned } = await readPart(session, first, shape, path, maxBytes)
  return {
    paths: [path],
    bytes,
    parts: [{ key: first.key, etag: first.etag, bytes }],
    unpinned: isPinned ? 0 : 1,
    truncated: true
  }
}

function firstThatFit (parts: readonly StoredObject[], maxBytes: number): StoredObject[] {
  const fitting: StoredObject[] = []
  let bytes = 0
  for (const part of parts) {
    bytes += part.bytes
    if (bytes > maxBytes) break
    fitting.push(part)
  }
  return fitting
}

function pathOf (folder: string, index: number, { fileFormat, compression }: Shape): string {
  return join(folder,
    `part-${String(index + 1).padStart(4, '0')}.${fileFormat}${compression === null ? '' : endings[compression]}`)
}

/** `bytes` of the file: all of the part, or the whole lines within its first `firstBytes`. */
async function readPart (session: StoreSession, part: StoredObject, { fileFormat, compression }: Shape, path: string,
  firstBytes?: number): Promise<{ bytes: number, isPinned: boolean }> {
  const wanted = firstBytes ?? part.bytes
  const { answer, isPinned } = await session.open(part, firstBytes)
  const file = await open(path, 'wx+', 0o600)
  try {
    let start = Buffer.alloc(0)
    let bytes = 0
    for await (const chunk of new LeastSpeed().watch(answer)) {
      if (start.length < magicLength) {
        start = Buffer.concat([start, chunk]).subarray(0, magicLength)
        if (start.length === magicLength) checkMagic(start, fileFormat, compression)
      }
      bytes += chunk.length
      // The part has more bytes than were listed, so the store served another version in spite of the ETag.
      if (bytes > wanted) throw new ConnectorError('SOURCE_CHANGED')
      await file.writeFile(chunk)
    }
    if (start.length < magicLength) checkMagic(start, fileFormat, compression)
    if (bytes < wanted) throw new ConnectorError('NETWORK_ERROR')
    return { bytes: firstBytes === undefined ? bytes : await keepWholeLines(file, bytes), isPinned }
  } catch (error) {
    throw asConnectorError(error)
  } finally {
    answer.destroy()
    await file.close()
  }
}

/** Cuts the file after its last line break, searching from the end. */
async function keepWholeLines (file: FileHandle, bytes: number): Promise<number> {
  const block = Buffer.alloc(64 * 1024)
  for (let end = bytes; end > 0;) {
    const from = Math.max(0, end - block.length)
    const { bytesRead } = await file.read(block, 0, end - from, from)
    const at = block.subarray(0, bytesRead).lastIndexOf(0x0a)
    if (at >= 0) {
      await file.truncate(from + at + 1)
      return from + at + 1
    }
    end = from
  }
  throw new ConnectorError('DATASET_TOO_LARGE')
}
