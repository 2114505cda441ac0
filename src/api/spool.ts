import { createHash } from 'node:crypto'
import { mkdir, open, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { TabcastError } from '../platform/errors.ts'

/** Enough to recognise a kind of file by its first and last bytes. */
const magicBytes = 8

export interface Spooled {
  bytes: number
  sha256: string
  head: Buffer
  tail: Buffer
}

/**
 * Written at a time, while as much again comes in: a write for each piece of the network would cost more than its
 * bytes.
 */
const writeBytes = 256 * 1024

/**
 * Synced at a time, while the rest comes in: a disk that only starts at the end of a body makes the client wait for all
 * of it.
 */
const syncBytes = 32 * 1024 * 1024

/**
 * Writes a stream to a new file while it is counted and hashed; the file is on disk when it resolves. What `look`
 * throws ends it.
 */
export async function spool (source: AsyncIterable<Buffer>, path: string,
  look: (chunk: Buffer) => void): Promise<Spooled> {
  const hash = createHash('sha256')
  const file = await spoolUnhashed(source, path, (chunk) => {
    look(chunk)
    hash.update(chunk)
  })
  return { ...file, sha256: hash.digest('hex') }
}

/** As `spool`, without the hash, which takes longer than everything else. What `look` throws ends it. */
export async function spoolUnhashed (source: AsyncIterable<Buffer>, path: string,
  look: (chunk: Buffer) => void): Promise<Omit<Spooled, 'sha256'>> {
  const spooled = { bytes: 0, head: Buffer.alloc(0), tail: Buffer.alloc(0) }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await open(path, 'wx', 0o600)
  const queue = new WriteQueue(file)
  try {
    for await (const chunk of source) {
      look(chunk)
      spooled.bytes += chunk.length
      if (spooled.head.length < magicBytes) spooled.head = Buffer.concat([spooled.head, chunk]).subarray(0, magicBytes)
      spooled.tail = chunk.length >= magicBytes
        ? Buffer.from(chunk.subarray(-magicBytes))
        : Buffer.concat([spooled.tail, chunk]).subarray(-magicBytes)
      const full = queue.add(chunk)
      if (full !== undefined) await full
    }
    await queue.end()
  } finally {
    await queue.settle()
    await file.close()
  }
  return spooled
}

/** Collects pieces and writes them together: one write and one sync at a time, side by side. */
class WriteQueue {
  readonly #file: FileHandle
  #pieces: Buffer[] = []
  #bytes = 0
  #unsynced = 0
  #writing: Promise<void> = Promise.resolve()
  #syncing: Promise<void> = Promise.resolve()

  constructor (file: FileHandle) {
    this.#file = file
  }

  /** Something to wait for while a write is under way and the next one is full. */
  add (piece: Buffer): Promise<void> | undefined {
    this.#pieces.push(piece)
    this.#bytes += piece.length
    return this.#bytes >= writeBytes ? this.#next() : undefined
  }

  /** Everything is on disk afterwards. */
  async end (): Promise<void> {
    await this.#next()
    await this.#writing
    // A sync that failed is told once; a later one of the same bytes succeeds without them.
    await this.#syncing
    await this.#file.datasync()
  }

  /** Nothing is under way afterwards; what it failed with has been, or need not be, told. */
  async settle (): Promise<void> {
    await Promise.allSettled([this.#writing, this.#syncing])
  }

  async #next (): Promise<void> {
    await this.#writing
    if (this.#unsynced >= syncBytes) {
      // Before the one before has ended there is no use in another.
      await this.#syncing
      this.#unsynced = 0
      this.#syncing = watched(this.#file.datasync())
    }
    const pieces = this.#pieces
    this.#unsynced += this.#bytes
    this.#pieces = []
    this.#bytes = 0
    if (pieces.length > 0) this.#writing = watched(writeAll(this.#file, pieces))
  }
}

async function writeAll (file: FileHandle, pieces: Buffer[]): Promise<void> {
  const { bytesWritten } = await file.writev(pieces)
  const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0)
  // A disk takes a part when it is about to be full; writing the rest says so.
  if (bytesWritten < bytes) await file.writeFile(Buffer.concat(pieces).subarray(bytesWritten))
}

/** Whoever waits for it next is told what it fails with; until then it must not count as unhandled. */
function watched (work: Promise<void>): Promise<void> {
  work.catch(() => undefined)
  return work
}

/**
 * What the disk and a broken stream say; `cutOff` is the text for the latter. Errors that already have a meaning stay.
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
