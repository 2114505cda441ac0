import type { IncomingMessage } from 'node:http'
import { TabcastError } from '../platform/errors.ts'

const lineEnd = '\r\n'
const padding: ReadonlySet<number> = new Set(Buffer.from(' \t\r\n'))

/**
 * Watches for bytes after the closing boundary of a form. The parser silently skips them, as RFC 2046 says, but a
 * client that sends something there means it to count.
 */
export function watchFormEnd (request: IncomingMessage): { assertNothingFollows: () => void, stop: () => void } {
  const match = /;\s*boundary=(?:"([^"]*)"|([^\s;]+))/i.exec(request.headers['content-type'] ?? '')
  const closing = Buffer.from(`${lineEnd}--${match?.[1] ?? match?.[2] ?? ''}--`)
  // The end of the bytes so far. It begins with a line break, because a form may begin with its boundary.
  let before: Buffer = Buffer.from(lineEnd)
  let isClosed = false
  let isFollowed = false
  const watch = (chunk: Buffer): void => {
    const end = isClosed ? 0 : endOf(closing, before, chunk)
    if (end === undefined) {
      before = Buffer.concat([before, chunk.subarray(1 - closing.length)]).subarray(1 - closing.length)
    } else {
      isClosed = true
      isFollowed ||= chunk.subarray(end).some((byte) => !padding.has(byte))
    }
  }
  request.on('data', watch)
  return {
    assertNothingFollows () {
      if (isFollowed) {
        throw new TabcastError('validation_error', 'Bytes follow the closing boundary of the form; nothing was stored.',
          { status: 400 })
      }
    },
    stop: () => {
      request.off('data', watch)
    }
  }
}

/** Where the needle ends in the chunk, if it does; it may begin in the bytes before. */
function endOf (needle: Buffer, before: Buffer, chunk: Buffer): number | undefined {
  const across = Buffer.concat([before, chunk.subarray(0, needle.length)]).indexOf(needle)
  if (across >= 0) return across - before.length + needle.length
  const within = chunk.indexOf(needle)
  return within < 0 ? undefined : within + needle.length
}
