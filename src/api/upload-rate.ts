import type { IncomingMessage } from 'node:http'
import { TabcastError } from '../platform/errors.ts'

export interface UploadRateOptions {
  /** Average over the window; 0: no minimum. */
  minBytesPerSecond: number
  /** Default: 10. */
  windowSeconds?: number
  /** Limit on the whole body, because the form parser does not count what is between the parts. */
  maxBytes: number
}

/**
 * Watches the bytes that arrive on the connection. `failed` rejects with 408 when the client has sent too little for a
 * whole window, so that a trickling upload cannot hold a connection for hours, or with 413 when it sends too much.
 */
export function watchUploadRate (request: IncomingMessage,
  options: UploadRateOptions): { failed: Promise<never>, stop: () => void } {
  const { minBytesPerSecond, maxBytes, windowSeconds = 10 } = options
  const { socket } = request
  const before = socket.bytesRead
  const samples: number[] = [before]
  let timer: NodeJS.Timeout | undefined
  const failed = new Promise<never>((_resolve, reject) => {
    timer = setInterval(() => {
      const received = socket.bytesRead
      samples.push(received)
      const windowStart = samples.length > windowSeconds ? samples.shift() : undefined
      // Bytes that lie unread in our own buffers are not the client's fault.
      const isOurTurn = request.readableLength > 0 || request.complete
      if (received - before > maxBytes) {
        reject(new TabcastError('file_too_large', undefined, { suggestion: 'See GET /limits.' }))
      } else if (windowStart !== undefined && !isOurTurn &&
        received - windowStart < minBytesPerSecond * windowSeconds) {
        reject(
          new TabcastError('request_timeout',
            `Fewer than ${minBytesPerSecond} bytes a second arrived; the upload was given up.`)
        )
      }
    }, 1000)
  })
  failed.catch(() => undefined)
  return { failed, stop: () => clearInterval(timer) }
}
