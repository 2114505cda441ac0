import { writeSync } from 'node:fs'
import type { DestinationStream } from 'pino'

const errorNumber = 2
/** A reader of the log may be slow for a moment. */
const patienceMs = 20
const sleeper = new Int32Array(new SharedArrayBuffer(4))

/**
 * Standard error as the destination of a log. Lines that cannot be written, because the disk of the log is full or its
 * reader is gone, are lost: the service matters more than its log. `onLost`: called with their number once a line is
 * written again.
 */
export function standardError (onLost: (count: number) => void, descriptor = errorNumber): DestinationStream {
  let lost = 0
  let isCut = false
  return {
    write (line) {
      const bytes = Buffer.from(isCut ? `\n${line}` : line)
      // Only the first line of those that cannot be written waits for the reader.
      const written = writeAll(descriptor, bytes, lost === 0 ? patienceMs : 0)
      if (written < bytes.length) {
        lost++
        isCut ||= written > 0
        return
      }
      isCut = false
      if (lost === 0) return
      const count = lost
      lost = 0
      onLost(count)
    }
  }
}

/** Returns how many of the bytes were written. Waits up to `waitMs` in all for a reader that is slow. */
function writeAll (descriptor: number, bytes: Buffer, waitMs: number): number {
  let written = 0
  for (let waitedMs = 0; written < bytes.length;) {
    try {
      written += writeSync(descriptor, bytes, written)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || waitedMs >= waitMs) break
      Atomics.wait(sleeper, 0, 0, 1)
      waitedMs++
    }
  }
  return written
}
