/** Why there is no answer of the language model. */
export type FailureReason = 'timeout' | 'connection' | 'status' | 'too_large' | 'no_content' | 'paused' | 'busy'

const texts: Record<FailureReason, string> = {
  timeout: 'it did not answer in time',
  connection: 'it could not be reached',
  status: 'it refused the request',
  too_large: 'its answer was too large',
  no_content: 'its answer had no text',
  busy: 'it had no time, as too many ask it',
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

  /**
   * It says something of this question, as one that is too long, and not of the endpoint. Keys that it refuses, and
   * time that it does not have, are the endpoint's.
   */
  get isOfQuestion (): boolean {
    const { status } = this
    return status !== null && (status === 501 || (status >= 400 && status < 500 && ![401, 403, 408].includes(status)))
  }
}
