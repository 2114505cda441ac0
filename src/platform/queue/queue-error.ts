/**
 * `full`: the stream takes no more messages now (answer with server_overloaded). `unavailable`: there is no connection
 * or no stream, nobody listens, or no answer came in time; the same call may be tried again. `too_large`: the message
 * has more bytes than the server ever takes. `protocol`: the message has a version that this build does not read, or is
 * not a message at all.
 */
export type QueueErrorCode = 'full' | 'unavailable' | 'too_large' | 'protocol'

/** The embedded server cannot start from the contents of its folder; trying again would not help. */
export class EmbeddedServerError extends Error {
  override name = 'EmbeddedServerError'
}

/** The error of every call of a queue. */
export class QueueError extends Error {
  override name = 'QueueError'
  readonly code: QueueErrorCode

  constructor (code: QueueErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}
