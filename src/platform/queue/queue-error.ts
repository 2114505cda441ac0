/**
 * `full`: the stream takes no more messages now (answer with server_overloaded).
 * `unavailable`: no connection, no stream, nobody listening, or no answer in time; the same call may be tried again.
 * `too_large`: the message has more bytes than the server takes, now and later.
 * `protocol`: a message of a version that this build does not read, or one that is not a message at all.
 */
export type QueueErrorCode = 'full' | 'unavailable' | 'too_large' | 'protocol'

/** The embedded server cannot come up from what is in its folder; starting again would not help. */
export class EmbeddedServerError extends Error {
  override name = 'EmbeddedServerError'
}

/** What every call of a queue fails with. */
export class QueueError extends Error {
  override name = 'QueueError'
  readonly code: QueueErrorCode

  constructor (code: QueueErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}
