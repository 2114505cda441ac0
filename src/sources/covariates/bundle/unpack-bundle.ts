import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Parser, type ReadEntry } from 'tar'
import { BundleError } from './bundle-error.ts'
import { isBundleFile } from './bundle-index.ts'

export interface BundleCaps {
  files: number
  /** The limit of one file. */
  fileBytes: number
  /** The limit of all files. */
  totalBytes: number
}

export interface UnpackedFile {
  sha256: string
  bytes: number
}

const MiB = 1024 * 1024
/** A file may be as large as the largest part that the catalogue reads. */
export const bundleCaps: BundleCaps = { files: 200_000, fileBytes: 256 * MiB, totalBytes: 64 * 1024 * MiB }

/**
 * Writes the files of a bundle into a folder, and returns their sizes and checksums by path. Only plain files with
 * valid names are written; anything else ends the read. Rejects with BundleError, or with an error of the file system.
 */
export async function unpackBundle (path: string, folder: string,
  caps: BundleCaps = bundleCaps): Promise<Map<string, UnpackedFile>> {
  const files = new Map<string, UnpackedFile>()
  let left = caps.totalBytes
  let failed: unknown
  let open: ReadEntry | undefined
  let taken: Promise<void> = Promise.resolve()
  const parser = new Parser({ strict: true })
  const source = createReadStream(path)
  await new Promise<void>((resolve) => {
    const stop = (error: unknown) => {
      failed ??= error
      source.destroy()
      // The writer of the entry waits for data that will not come.
      open?.destroy(error)
      resolve()
    }
    source.on('error', stop)
    parser.on('error',
      (cause: Error) => stop(new BundleError(`the bundle cannot be read: ${cause.message}`, { cause })))
    parser.on('entry', (entry: ReadEntry) => {
      open = entry
      // The failure already ends the iteration over the entry.
      entry.on('error', () => undefined)
      // One entry after the other: an entry waits unread while the previous one is written to disk.
      taken = taken.then(async () => await take(entry)).catch(stop)
    })
    parser.on('end', resolve)
    source.pipe(parser as unknown as NodeJS.WritableStream)
  })
  await taken
  if (failed !== undefined) throw failed
  return files

  async function take (entry: ReadEntry): Promise<void> {
    // Some tar programs begin every path with `./`.
    const name = entry.path.replace(/^(?:\.\/)+/, '')
    if (entry.type === 'Directory') {
      entry.resume()
      return
    }
    if (entry.type !== 'File' && entry.type !== 'OldFile') throw new BundleError(`${shown(name)} is no plain file`)
    if (!isBundleFile(name)) throw new BundleError(`${shown(name)} is no file of a catalogue`)
    if (files.has(name)) throw new BundleError(`${name} is there twice`)
    if (files.size >= caps.files) throw new BundleError(`the bundle has more than ${caps.files} files`)
    if (entry.size > caps.fileBytes) {
      throw new BundleError(`${name} has ${entry.size} bytes, of at most ${caps.fileBytes}`)
    }
    left -= entry.size
    if (left < 0) throw new BundleError(`the files of the bundle have more than ${caps.totalBytes} bytes`)
    files.set(name, await write(entry, join(folder, name)))
  }
}

async function write (entry: ReadEntry, path: string): Promise<UnpackedFile> {
  const hash = createHash('sha256')
  await mkdir(dirname(path), { recursive: true })
  await using file = await open(path, 'wx', 0o644)
  for await (const chunk of entry) {
    hash.update(chunk)
    await file.write(chunk)
  }
  await file.sync()
  return { sha256: hash.digest('hex'), bytes: entry.size }
}

function shown (name: string): string {
  return JSON.stringify(name.slice(0, 100))
}
