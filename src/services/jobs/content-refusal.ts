import { contentErrorCode, contentFieldError, type ContentPlace,
  type ContentError } from '../../domain/content-error.ts'
import { TabcastError, type TabcastErrorOptions } from '../../platform/errors.ts'

/** The error of a request whose data a worker found to be wrong. */
export class ContentRefusal extends TabcastError {
  readonly content: ContentError

  constructor (content: ContentError, options: TabcastErrorOptions) {
    super(contentErrorCode(content), content.message, options)
    this.content = content
  }
}

export function contentRefusal (error: ContentError, place?: ContentPlace): ContentRefusal {
  const options: TabcastErrorOptions = { status: error.status }
  if (error.suggestion !== null) options.suggestion = error.suggestion
  if (error.status === 422) options.fields = [contentFieldError(error, place)]
  return new ContentRefusal(error, options)
}
