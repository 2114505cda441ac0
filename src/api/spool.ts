import { createHash } from 'node:crypto'
import { mkdir, open } from 'node:fs/promises'
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

/** Writes a stream to a new file while it is counted and hashed; the file is on disk when it resolves. */
export async function spool (source: AsyncIterable<Buffer>, path: string): Promise<Spooled> {
  const hash = createHash('sha256')
  const spooled: Spooled = { bytes: 0, sha256: '', head: Buffer.alloc(0), tail: Buffer.alloc(0) }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of source) {
      hash.update(chunk)
      await file.writeFile(chunk)
      spooled.bytes += chunk.length
      if (spooled.head.length < magicBytes) spooled.head = Buffer.concat([spooled.head, chunk]).subarray(0, magicBytes)
      spooled.tail = Buffer.concat([spooled.tail, chunk.subarray(-magicBytes)]).subarray(-magicBytes)
    }
    await file.datasync()
  } finally {
    await file.close()
  }
  return { ...spooled, sha256: hash.digest('hex') }
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
