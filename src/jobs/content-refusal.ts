import { contentErrorCode, contentFieldError, type ContentPlace } from '../content-error.ts'
import { TabcastError, type TabcastErrorOptions } from '../errors.ts'
import type { ContentError } from '../queue/messages.ts'

/** The answer to a request whose data a worker found wrong. */
export function contentRefusal (error: ContentError, place?: ContentPlace): TabcastError {
  const options: TabcastErrorOptions = { status: error.status }
  if (error.suggestion !== null) options.suggestion = error.suggestion
  if (error.status === 422) options.fields = [contentFieldError(error, place)]
  return new TabcastError(contentErrorCode(error), error.message, options)
}
