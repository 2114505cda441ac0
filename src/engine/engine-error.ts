import { contentErrorCode, type ContentError } from '../domain/content-error.ts'
import type { EngineFailure } from '../domain/engine-documents.ts'
import type { ErrorCode } from '../domain/error-codes.ts'

/** `content`: the dataset is at fault. `failed`: we are, or the disk. `cancelled`: the caller asked for it. */
export type EngineErrorKind = EngineFailure['kind']

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

export function engineError (failure: EngineFailure): EngineError {
  switch (failure.kind) {
    case 'content': {
      const { kind, ...content } = failure
      return new EngineError(kind, contentErrorCode(content), content.message, content)
    }
    case 'failed':
      return new EngineError('failed', failure.code, failure.message)
    // Nobody sees the code: a cancelled job is deleted or timed out.
    case 'cancelled':
      return new EngineError('cancelled', 'pipeline_failed', failure.message)
  }
}
