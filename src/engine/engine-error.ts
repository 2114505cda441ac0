import { contentErrorCode, type ContentError } from '../domain/content-error.ts'
import type { EngineFailure } from '../domain/engine-documents.ts'
import type { ErrorCode } from '../domain/error-codes.ts'

/** `content`: the dataset is at fault. `failed`: we are at fault, or the disk is. `cancelled`: the caller cancelled. */
export type EngineErrorKind = EngineFailure['kind']

/** The only error class that leaves this folder. */
export class EngineError extends Error {
  override name = 'EngineError'
  readonly kind: EngineErrorKind
  readonly code: ErrorCode
  /** Present exactly if `kind` is `content`. */
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
    // This code is never shown, because a cancelled job is deleted or timed out.
    case 'cancelled':
      return new EngineError('cancelled', 'pipeline_failed', failure.message)
  }
}
