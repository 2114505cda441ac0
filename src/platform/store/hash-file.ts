import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

/** Size and SHA-256 (hex) of a file, or of the bytes from `start` to `end`, both included. */
export async function hashFile (path: string,
  range: { start?: number, end?: number } = {}): Promise<{ bytes: number, sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(path, { ...range, highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}
