/** Why there is no answer of the language model. */
export type FailureReason = 'timeout' | 'connection' | 'status' | 'too_large' | 'no_content' | 'paused'

const texts: Record<FailureReason, string> = {
  timeout: 'it did not answer in time',
  connection: 'it could not be reached',
  status: 'it refused the request',
  too_large: 'its answer was too large',
  no_content: 'its answer had no text',
  paused: 'it failed several times before, and is asked again later'
}

/** The message may be shown: it names neither address nor key, and nothing that the endpoint said. */
export class ModelFailure extends Error {
  override name = 'ModelFailure'
  readonly reason: FailureReason
  /** Of an answer that is none. */
  readonly status: number | null

  constructor (reason: FailureReason, { status = null, cause }: { status?: number | null, cause?: unknown } = {}) {
    super(texts[reason], { cause })
    this.reason = reason
    this.status = status
  }
}
