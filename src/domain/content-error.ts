import type { ContentError } from './engine-documents.ts'
import type { ErrorCode, FieldError } from './error-codes.ts'

export type { ContentError } from './engine-documents.ts'

/** Engine codes that the API answers with `dataset_too_large`; every other content error is a `validation_error`. */
const datasetTooLarge = new Set(['too_many_rows', 'too_many_columns', 'check_time_exceeded', 'check_memory_exceeded',
  'reply_too_large'])

export function contentErrorCode (error: ContentError): ErrorCode {
  return datasetTooLarge.has(error.code) ? 'dataset_too_large' : 'validation_error'
}

/** Says what is wrong and what to do about it, for answers with a single text. */
export function explainContentError ({ message, suggestion }: ContentError): string {
  if (suggestion === null) return message
  return `${message}${message.endsWith('.') ? '' : '.'} ${suggestion}`
}

/** Engine codes that blame a field of the request instead of the file's content. */
const requestFields: Readonly<Record<string, string>> = {
  invalid_frequency: 'freq',
  not_binary: 'problem_type',
  too_many_points: 'prediction_length',
  covariate_span_exceeded: 'external_covariates',
  model_horizon_exceeded: 'prediction_length',
  missing_sheet: 'sheet_name',
  invalid_filter: 'preparation',
  no_rows_left: 'preparation',
  step_too_fine: 'preparation',
  no_complete_period: 'preparation',
  gap_too_long: 'preparation',
  invalid_preparation: 'preparation'
}

/** The fields of the request that name the data and the options for reading it. */
export interface ContentPlace {
  data: FieldError['loc']
  options: FieldError['loc']
}

const uploadPlace: ContentPlace = { data: ['body', 'file'], options: ['body'] }

/** The item of a content error in a 422 answer, in FastAPI's form; `ctx` has only the facts that the engine knows. */
export function contentFieldError (error: ContentError, place: ContentPlace = uploadPlace): FieldError {
  const field = requestFields[error.code]
  const item: FieldError = {
    loc: field === undefined ? [...place.data] : [...place.options, field],
    msg: explainContentError(error),
    type: error.code
  }
  if (field === undefined && error.column !== null) item.loc.push(error.column)
  const ctx: Record<string, unknown> = {}
  if (error.row !== null) ctx['row'] = error.row
  if (error.item !== null) ctx['item'] = error.item
  if (error.count !== null) ctx['count'] = error.count
  if (Object.keys(ctx).length > 0) item.ctx = ctx
  return item
}
