/** Why the language model gave no answer. */
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

/** The message may be shown. It contains neither address nor key, and nothing from the endpoint. */
export class ModelFailure extends Error {
  override name = 'ModelFailure'
  readonly reason: FailureReason
  /** The status of a response without an answer. */
  readonly status: number | null

  constructor (reason: FailureReason, { status = null, cause }: { status?: number | null, cause?: unknown } = {}) {
    super(texts[reason], { cause })
    this.reason = reason
    this.status = status
  }

  /**
   * Whether the failure is about this question, for example its length, and not about the endpoint. Refused keys and
   * time-outs are failures of the endpoint.
   */
  get isOfQuestion (): boolean {
    const { status } = this
    return status !== null && (status === 501 || (status >= 400 && status < 500 && ![401, 403, 408].includes(status)))
  }
}
