import type { Readable } from 'node:stream'
import yazl from 'yazl'

export interface ZipEntry {
  name: string
  open: () => Promise<Readable>
}

/**
 * A zip of stored entries that is byte for byte the same for the same entries. The format's time stamps have no time
 * zone, so every entry gets the smallest value, and the extension with real times is left out.
 */
export function zipStream (entries: readonly ZipEntry[]): Readable {
  const zip = new yazl.ZipFile()
  const output = zip.outputStream as Readable
  zip.on('error', (error: Error) => output.destroy(error))
  const options = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true, mode: 0o100644, compress: false }
  for (const { name, open } of entries) {
    zip.addReadStreamLazy(name, options, (give) => {
      open().then((stream) => {
        // The reader has left while the entry was being opened, so nothing would ever read or close it.
        if (output.destroyed) {
          stream.destroy()
          return
        }
        stream.once('error', (error) => output.destroy(error))
        // Otherwise a reader that leaves would keep the file open.
        output.once('close', () => stream.destroy())
        give(null, stream)
      }, (error: unknown) => give(error, undefined as never))
    })
  }
  zip.end()
  return output
}
