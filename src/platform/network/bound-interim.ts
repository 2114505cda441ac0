import type { ClientRequest } from 'node:http'

/** How many interim answers, such as 103, may come before the final one. */
const maxInterim = 8

/**
 * Aborts a request whose server sends interim answers without end. Each takes time of this thread, and no limit on the
 * body counts them.
 */
export function boundInterimAnswers (request: ClientRequest, error: () => Error): void {
  let interim = 0
  const count = (): void => {
    if (++interim <= maxInterim) return
    // The parser still reads the rest of the data that has arrived, perhaps a thousand such answers, so stop listening.
    request.off('information', count)
    request.destroy(error())
  }
  request.on('information', count)
}
