import { createHash } from 'node:crypto'
import { closeSync, fdatasync, open, writeFile, writev } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { TabcastError } from '../platform/errors.ts'

// Descriptors cost less than file handles: a close need not wait for a turn of the event loop.
const openFile = promisify(open)
const writePieces = promisify(writev)
const writeRest = promisify(writeFile)
const datasync = promisify(fdatasync)

/** Enough to recognise a format by its first and last bytes. */
const magicBytes = 8

/** Files up to this that arrive within this time stay in memory until the store has them. */
const inMemory = { bytes: 64 * 1024, ms: 100 }

export interface Spooled {
  bytes: number
  sha256: string
  /** A small file. There is none on disk then. */
  content?: Buffer
  head: Buffer
  tail: Buffer
}

/**
 * Bytes of one write; as many again are collected meanwhile. Writing each network packet by itself would cost more than
 * its bytes.
 */
const writeBytes = 256 * 1024

/** Bytes of one sync, while the rest arrives. With a single sync at the end, the client would wait for all of it. */
const syncBytes = 32 * 1024 * 1024

/**
 * Reads a small stream that is soon over into memory, and writes others to a new file; counts and hashes it. The store
 * that takes it makes sure that it is on disk. An exception of `look` ends it.
 */
export async function spool (source: AsyncIterable<Buffer>, path: string,
  look: (chunk: Buffer) => void): Promise<Spooled> {
  const hash = createHash('sha256')
  const file = new SpoolFile(path)
  const soon = setTimeout(() => file.open(), inMemory.ms)
  try {
    const spooled = await gather(source, file, inMemory.bytes, (chunk) => {
      look(chunk)
      hash.update(chunk)
    })
    return { ...spooled, sha256: hash.digest('hex') }
  } finally {
    clearTimeout(soon)
  }
}

/** Writes a stream to a new file, without a hash, which takes longer than the rest. An exception of `look` ends it. */
export async function spoolUnhashed (source: AsyncIterable<Buffer>, path: string,
  look: (chunk: Buffer) => void): Promise<Omit<Spooled, 'sha256' | 'content'>> {
  const file = new SpoolFile(path)
  file.open()
  return await gather(source, file, 0, look)
}

/** The content stays in memory until the file is open. */
async function gather (source: AsyncIterable<Buffer>, file: SpoolFile, mostInMemory: number,
  look: (chunk: Buffer) => void): Promise<Omit<Spooled, 'sha256'>> {
  const spooled = { bytes: 0, head: Buffer.alloc(0), tail: Buffer.alloc(0) }
  let pieces: Buffer[] = []
  try {
    for await (const chunk of source) {
      look(chunk)
      spooled.bytes += chunk.length
      if (spooled.head.length < magicBytes) spooled.head = Buffer.concat([spooled.head, chunk]).subarray(0, magicBytes)
      spooled.tail = chunk.length >= magicBytes
        ? Buffer.from(chunk.subarray(-magicBytes))
        : Buffer.concat([spooled.tail, chunk]).subarray(-magicBytes)
      pieces.push(chunk)
      if (spooled.bytes > mostInMemory) file.open()
      if (!file.isOpen) continue
      await file.add(pieces)
      pieces = []
    }
    if (!file.isOpen) return { ...spooled, content: Buffer.concat(pieces) }
    await file.add(pieces)
    await file.end()
  } finally {
    await file.close()
  }
  return spooled
}

/** A new file, made when it is first needed. */
class SpoolFile {
  readonly #path: string
  #opened: Promise<{ file: number, queue: WriteQueue }> | undefined

  constructor (path: string) {
    this.#path = path
  }

  /** It is open, or about to be. */
  get isOpen (): boolean {
    return this.#opened !== undefined
  }

  open (): void {
    this.#opened ??= watched(openNew(this.#path).then((file) => ({ file, queue: new WriteQueue(file) })))
  }

  async add (pieces: readonly Buffer[]): Promise<void> {
    const opened = await this.#opened
    for (const piece of pieces) {
      const full = opened?.queue.add(piece)
      if (full !== undefined) await full
    }
  }

  /** Once it resolves, everything is written. */
  async end (): Promise<void> {
    await (await this.#opened)?.queue.end()
  }

  async close (): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined)
    if (opened === undefined) return
    await opened.queue.settle()
    closeSync(opened.file)
  }
}

async function openNew (path: string): Promise<number> {
  try {
    return await openFile(path, 'wx', 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    return await openFile(path, 'wx', 0o600)
  }
}

/** Collects pieces and writes them together, with at most one write and one sync at a time, in parallel. */
class WriteQueue {
  readonly #file: number
  #pieces: Buffer[] = []
  #bytes = 0
  #unsynced = 0
  #writing: Promise<void> = Promise.resolve()
  #syncing: Promise<void> = Promise.resolve()

  constructor (file: number) {
    this.#file = file
  }

  /** Returns a promise to wait for while a write is in progress and the next one is full. */
  add (piece: Buffer): Promise<void> | undefined {
    this.#pieces.push(piece)
    this.#bytes += piece.length
    return this.#bytes >= writeBytes ? this.#next() : undefined
  }

  /** Once it resolves, everything is written. */
  async end (): Promise<void> {
    await this.#next()
    await this.#writing
    // A failed sync is reported once. A later sync of the same bytes succeeds without having written them.
    await this.#syncing
  }

  /** Waits until nothing is in progress. Errors have been reported before, or need not be. */
  async settle (): Promise<void> {
    await Promise.allSettled([this.#writing, this.#syncing])
  }

  async #next (): Promise<void> {
    await this.#writing
    if (this.#unsynced >= syncBytes) {
      // A second sync before the previous one has ended is useless.
      await this.#syncing
      this.#unsynced = 0
      this.#syncing = watched(datasync(this.#file))
    }
    const pieces = this.#pieces
    this.#unsynced += this.#bytes
    this.#pieces = []
    this.#bytes = 0
    if (pieces.length > 0) this.#writing = watched(writeAll(this.#file, pieces))
  }
}

async function writeAll (file: number, pieces: Buffer[]): Promise<void> {
  const { bytesWritten } = await writePieces(file, pieces)
  const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0)
  // A disk that is nearly full writes only a part; writing the rest gives the error.
  if (bytesWritten < bytes) await writeRest(file, Buffer.concat(pieces).subarray(bytesWritten))
}

/** The next awaiter gets the error. Until then it must not count as an unhandled rejection. */
function watched<T> (work: Promise<T>): Promise<T> {
  work.catch(() => undefined)
  return work
}

/**
 * Translates errors of the disk and of a broken stream; `cutOff` is the text for the latter. Errors that already have a
 * meaning stay.
 */
export function uploadFailure (error: unknown, cutOff: string): unknown {
  if (error instanceof TabcastError || !(error instanceof Error)) return error
  const code = (error as NodeJS.ErrnoException).code ?? ''
  if (code.startsWith('FST_')) return error
  if (['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EACCES', 'ENOENT', 'EMFILE', 'ENFILE'].includes(code)) {
    return new TabcastError('storage_error', 'The upload could not be written to disk; nothing was stored.', {
      cause: error
    })
  }
  return new TabcastError('validation_error', cutOff, { status: 400, cause: error })
}
