import type { ContentError } from '../domain/content-error.ts'
import type { ErrorCode } from '../domain/error-codes.ts'

/** `content`: the dataset is at fault. `failed`: we are, or the disk. `cancelled`: the caller asked for it. */
export type EngineErrorKind = 'content' | 'failed' | 'cancelled'

/** The only error class that leaves this room. */
export class EngineError extends Error {
  override name = 'EngineError'
  readonly kind: EngineErrorKind
  /** The code that the job's record and the HTTP answer carry. */
  readonly code: ErrorCode
  /** Present exactly when `kind` is `content`. */
  readonly content: ContentError | undefined

  constructor (kind: EngineErrorKind, code: ErrorCode, message: string, content?: ContentError) {
    super(message)
    this.kind = kind
    this.code = code
    this.content = content
  }
}
