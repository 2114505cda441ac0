import type { Readable } from 'node:stream'
import yazl from 'yazl'

export interface ZipEntry {
  name: string
  open: () => Promise<Readable>
}

/**
 * A zip of stored entries, byte for byte the same for the same entries: the format's own time stamp is a civil time
 * without zone, so that every entry gets its smallest value, and the extension with a real time is left out.
 */
export function zipStream (entries: readonly ZipEntry[]): Readable {
  const zip = new yazl.ZipFile()
  const output = zip.outputStream as Readable
  zip.on('error', (error: Error) => output.destroy(error))
  const options = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true, mode: 0o100644, compress: false }
  for (const { name, open } of entries) {
    zip.addReadStreamLazy(name, options, (give) => {
      open().then((stream) => {
        // Whoever wanted it has left while it was opened, and nothing would ever read or close it.
        if (output.destroyed) {
          stream.destroy()
          return
        }
        stream.once('error', (error) => output.destroy(error))
        // A reader that has left would otherwise leave the file open.
        output.once('close', () => stream.destroy())
        give(null, stream)
      }, (error: unknown) => give(error, undefined as never))
    })
  }
  zip.end()
  return output
}
