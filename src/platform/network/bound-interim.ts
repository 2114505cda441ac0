import type { ClientRequest } from 'node:http'

/** Answers such as 103 that come before the answer. */
const maxInterim = 8

/**
 * Gives a request up whose server sends interim answers without end: each takes time of this thread, and no limit on
 * the body counts them.
 */
export function boundInterimAnswers (request: ClientRequest, error: () => Error): void {
  let interim = 0
  const count = (): void => {
    if (++interim <= maxInterim) return
    // The parser goes on to the end of what has come, a thousand such answers, and nobody is called for them any more.
    request.off('information', count)
    request.destroy(error())
  }
  request.on('information', count)
}
