import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

/** Size and SHA-256 (hex) of a file. */
export async function hashFile (path: string): Promise<{ bytes: number, sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}
