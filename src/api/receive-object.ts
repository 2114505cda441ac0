import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyRequest } from 'fastify'
import { ulid } from 'ulid'
import { TabcastError } from '../platform/errors.ts'
import { spoolUnhashed, uploadFailure } from './spool.ts'
import { watchUploadRate } from './upload-rate.ts'

export interface ReceiveObjectOptions {
  /** The spool folder. */
  folder: string
  /** The upload is refused as soon as it exceeds this. */
  maxBytes: number
  tooLarge: () => TabcastError
  /** Called with the bytes as they arrive; throws to refuse the rest. */
  onBytes: (bytes: number) => void
  /** 0: no minimum. */
  minBytesPerSecond: number
}

/**
 * Spools the body of a request as a file: complete, counted and synced. Passes its path to `use`, and removes whatever
 * is left of it afterwards, in every case.
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
  // The connection must stay open for the answer.
  const body = request.raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  // The framing of a chunked body is not part of the file, whose own bytes are counted above.
  const rate = watchUploadRate(request.raw, { minBytesPerSecond, maxBytes: Infinity })
  const reading = spoolUnhashed(body, path, count)
  const remove = () => rm(path, { force: true })
  try {
    await Promise.race([reading, rate.failed])
  } catch (error) {
    // A reader that waits for bytes ends once its stream is destroyed; only then can its file be removed.
    void reading.then(remove, remove).catch((err: unknown) =>
      request.log.warn({ err, requestId: request.id }, 'cannot remove an upload from the spool')
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
