import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyRequest } from 'fastify'
import { ulid } from 'ulid'
import { TabcastError } from '../platform/errors.ts'
import { spoolUnhashed, uploadFailure } from './spool.ts'
import { watchUploadRate } from './upload-rate.ts'

export interface ReceiveObjectOptions {
  /** Where it is spooled. */
  folder: string
  /** Thrown as soon as more arrives than this. */
  maxBytes: number
  tooLarge: () => TabcastError
  /** Told of the bytes as they come; throws to refuse the rest. */
  onBytes: (bytes: number) => void
  /** 0: no check. */
  minBytesPerSecond: number
}

/**
 * The body of a request as a file: whole, counted and synced. Gives its path to `use`, and removes what is left of it
 * afterwards, whatever happens.
 */
export async function receiveObject (request: FastifyRequest, options: ReceiveObjectOptions,
  use: (path: string, bytes: number) => Promise<void>): Promise<void> {
  const { folder, maxBytes, tooLarge, onBytes, minBytesPerSecond } = options
  const path = join(folder, ulid())
  let bytes = 0
  const count = (chunk: Buffer): void => {
    bytes += chunk.length
    if (bytes > maxBytes) throw tooLarge()
    onBytes(chunk.length)
  }
  // The connection has to stay for the answer.
  const body = request.raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  // The framing of a chunked body is not the file's; the bytes of the file are counted above.
  const rate = watchUploadRate(request.raw, { minBytesPerSecond, maxBytes: Infinity })
  const reading = spoolUnhashed(body, path, count)
  const remove = () => rm(path, { force: true })
  try {
    await Promise.race([reading, rate.failed])
  } catch (error) {
    // A reader that waits for bytes ends when its stream is cut, and then its file can be removed.
    void reading.then(remove, remove).catch((err: unknown) =>
      request.log.warn({ err, requestId: request.id }, 'an upload was left in the spool')
    )
    throw uploadFailure(error, 'The upload ends before it is complete.')
  } finally {
    rate.stop()
  }
  try {
    await use(path, bytes)
  } finally {
    await remove()
  }
}
