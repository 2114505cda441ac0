import { createHash } from 'node:crypto'
import { mkdir, open, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { TabcastError } from '../errors.ts'

/** Enough to recognise a kind of file by its first and last bytes. */
const magicBytes = 8

export interface Spooled {
  bytes: number
  sha256: string
  head: Buffer
  tail: Buffer
}

/** Written at a time, while as much again comes in: a write for each piece of the network would cost more than its bytes. */
const writeBytes = 256 * 1024

/** Writes a stream to a new file while it is counted and hashed; the file is on disk when it resolves. */
export async function spool (source: AsyncIterable<Buffer>, path: string): Promise<Spooled> {
  const hash = createHash('sha256')
  const file = await writeStream(source, path, (chunk) => hash.update(chunk))
  return { ...file, sha256: hash.digest('hex') }
}

/** As `spool`, without the hash, which takes longer than everything else. */
export async function spoolUnhashed (source: AsyncIterable<Buffer>, path: string): Promise<Omit<Spooled, 'sha256'>> {
  return await writeStream(source, path, () => undefined)
}

async function writeStream (source: AsyncIterable<Buffer>, path: string, look: (chunk: Buffer) => void): Promise<Omit<Spooled, 'sha256'>> {
  const spooled = { bytes: 0, head: Buffer.alloc(0), tail: Buffer.alloc(0) }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await open(path, 'wx', 0o600)
  const queue = new WriteQueue(file)
  try {
    for await (const chunk of source) {
      look(chunk)
      spooled.bytes += chunk.length
      if (spooled.head.length < magicBytes) spooled.head = Buffer.concat([spooled.head, chunk]).subarray(0, magicBytes)
      spooled.tail = chunk.length >= magicBytes ? Buffer.from(chunk.subarray(-magicBytes)) : Buffer.concat([spooled.tail, chunk]).subarray(-magicBytes)
      await queue.add(chunk)
    }
    await queue.end()
    await file.datasync()
  } finally {
    await queue.settle()
    await file.close()
  }
  return spooled
}

/** Collects pieces and writes them together, one write at a time. */
class WriteQueue {
  readonly #file: FileHandle
  #pieces: Buffer[] = []
  #bytes = 0
  #writing: Promise<void> = Promise.resolve()

  constructor (file: FileHandle) {
    this.#file = file
  }

  /** Waits while a write is under way and the next one is full. */
  async add (piece: Buffer): Promise<void> {
    this.#pieces.push(piece)
    this.#bytes += piece.length
    if (this.#bytes >= writeBytes) await this.#next()
  }

  async end (): Promise<void> {
    await this.#next()
    await this.#writing
  }

  /** No write is under way afterwards; what it failed with has been, or need not be, told. */
  async settle (): Promise<void> {
    await this.#writing.catch(() => undefined)
  }

  async #next (): Promise<void> {
    await this.#writing
    const pieces = this.#pieces
    this.#pieces = []
    this.#bytes = 0
    this.#writing = pieces.length === 0 ? Promise.resolve() : this.#file.writeFile(Buffer.concat(pieces))
    // Whoever waits for it next is told; until then it must not count as unhandled.
    this.#writing.catch(() => undefined)
  }
}

/** What the disk and a broken stream say; `cutOff` is the text for the latter. Errors that already have a meaning stay. */
export function uploadFailure (error: unknown, cutOff: string): unknown {
  if (error instanceof TabcastError || !(error instanceof Error)) return error
  const code = (error as NodeJS.ErrnoException).code ?? ''
  if (code.startsWith('FST_')) return error
  if (['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EACCES', 'ENOENT', 'EMFILE', 'ENFILE'].includes(code)) {
    return new TabcastError('storage_error', 'The upload could not be written to disk; nothing was stored.', { cause: error })
  }
  return new TabcastError('validation_error', cutOff, { status: 400, cause: error })
}
