import type * as native from '#native'
import { contentErrorCode, type ContentError } from '../domain/content-error.ts'
import { errorTable, type ErrorCode } from '../domain/error-codes.ts'
import { EngineError } from './engine-error.ts'

/** What a call gave; throws `EngineError` when it failed. */
export function unwrap<T> (reply: { value?: T, error?: native.EngineFailure }): T {
  if (reply.error !== undefined) throw toEngineError(reply.error)
  if (reply.value === undefined) {
    throw new EngineError('failed', 'pipeline_failed', 'The engine answered with neither a value nor an error.')
  }
  return reply.value
}

export function toEngineError (failure: native.EngineFailure): EngineError {
  const { kind, code, message } = failure
  if (kind === 'content') {
    const content: ContentError = {
      code,
      message,
      status: (failure.status ?? 422) as ContentError['status'],
      column: failure.column ?? null,
      row: failure.row ?? null,
      item: failure.item ?? null,
      count: failure.count ?? null,
      suggestion: failure.suggestion ?? null
    }
    return new EngineError('content', contentErrorCode(content), message, content)
  }
  return new EngineError(kind === 'cancelled' ? 'cancelled' : 'failed', isErrorCode(code) ? code : 'pipeline_failed',
    message)
}

function isErrorCode (code: string): code is ErrorCode {
  return Object.hasOwn(errorTable, code)
}
