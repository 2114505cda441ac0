import { errorTable, type ErrorCode, type FieldError } from '../domain/error-codes.ts'
import { troubleshooting } from '../domain/troubleshooting.ts'
import { TabcastError, type QuotaUsed } from '../platform/errors.ts'
import { MetadataError } from '../platform/metadata/metadata-error.ts'
import { StoreError } from '../platform/store/store-error.ts'
import { defined } from '../platform/defined.ts'

export interface ErrorEnvelope {
  detail: string | ErrorDetail | FieldError[]
  error_code: ErrorCode
  retryable: boolean
  request_id: string
}
export interface ErrorDetail {
  error_code: ErrorCode
  detail: string
  reason?: string
  suggestion?: string
  connector_code?: string
  quota?: { name: string, limit: number, used: number, resets_at: string | null }
  retryable: boolean
  retry_after_seconds?: number
}

/** The body of every answer that is not 2xx. */
export function errorEnvelope (error: TabcastError, requestId: string): ErrorEnvelope {
  return { detail: errorDetail(error), error_code: error.code, retryable: error.retryable, request_id: requestId }
}

/** A string when the status says everything, a list for wrong fields, otherwise an object. */
function errorDetail (error: TabcastError): ErrorEnvelope['detail'] {
  if (error.fields !== undefined) return error.fields
  if ([401, 404, 405].includes(error.status) && error.suggestion === undefined && error.connectorCode === undefined) {
    return error.message
  }
  return {
    error_code: error.code,
    detail: error.message,
    ...defined({ reason: error.reason, suggestion: error.suggestion, connector_code: error.connectorCode }),
    ...(error.quota === undefined ? {} : { quota: renderQuota(error.quota) }),
    retryable: error.retryable,
    ...defined({ retry_after_seconds: error.retryAfterSeconds })
  }
}

function renderQuota ({ name, limit, used, resetsAtMs }: QuotaUsed) {
  return { name, limit, used, resets_at: resetsAtMs === null ? null : new Date(resetsAtMs).toISOString() }
}

export function errorHeaders (error: TabcastError): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    // RFC 8288. A header, because the interface fixes the body, and two of its three forms have no advice.
    link: `<${troubleshooting(error.code)}>; rel="help"`,
    ...(error.retryAfterSeconds === undefined ? {} : { 'retry-after': String(error.retryAfterSeconds) }),
    ...error.headers
  }
}

/** Turns anything thrown into the error that the caller sees. Messages of unknown errors stay internal. */
export function asTabcastError (thrown: unknown): TabcastError {
  if (thrown instanceof TabcastError) return thrown
  if (thrown instanceof StoreError) return new TabcastError('storage_error', undefined, { cause: thrown })
  if (thrown instanceof MetadataError && ['no_space', 'unavailable'].includes(thrown.code)) {
    return new TabcastError('storage_error', undefined, { cause: thrown })
  }
  return asFrameworkError(thrown) ?? new TabcastError('internal_error', undefined, { cause: thrown })
}

interface FrameworkError extends Error {
  code: string
  statusCode: number
}

/** Texts and advice for errors of the framework and its plugins, whose own texts name internals. */
const frameworkErrors: Record<string, { detail: string, suggestion?: string, code?: ErrorCode, status?: number }> = {
  FST_ERR_BAD_URL: { detail: 'The address is not valid.', status: 400 },
  FST_ERR_MAX_PARAM_LENGTH: { detail: 'A part of the address is too long.', status: 400 },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    detail: 'This media type is not taken here.',
    suggestion: 'Send application/json, or multipart/form-data where a file is uploaded.'
  },
  FST_ERR_CTP_BODY_TOO_LARGE: {
    detail: 'The body is larger than this deployment allows.',
    suggestion: 'See GET /limits.'
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { detail: 'The body does not have the length that was announced.' },
  FST_ERR_CTP_EMPTY_JSON_BODY: { detail: 'The body is empty.' },
  FST_ERR_CTP_INVALID_JSON_BODY: { detail: 'The body is not valid JSON.' },
  FST_INVALID_MULTIPART_CONTENT_TYPE: {
    detail: 'The body is not multipart/form-data.',
    suggestion: 'Send the file as multipart/form-data.',
    status: 415
  },
  FST_REQ_FILE_TOO_LARGE: {
    detail: 'The file is larger than this deployment allows.',
    suggestion: 'See GET /limits.',
    code: 'file_too_large'
  },
  FST_PARTS_LIMIT: { detail: 'The form has too many parts.', suggestion: 'See GET /limits.' },
  FST_FIELDS_LIMIT: { detail: 'The form has too many fields.', suggestion: 'See GET /limits.' },
  FST_FILES_LIMIT: { detail: 'The form has more than one file.', suggestion: 'Send one file a request.' },
  FST_PROTO_VIOLATION: { detail: 'A field of the form has a name that is not allowed.' },
  FST_INVALID_JSON_FIELD_ERROR: {
    detail: 'A field of the form that is declared as JSON is not valid JSON.',
    status: 400
  },
  FST_UNDER_PRESSURE: { detail: 'The service is too busy to answer in time.', code: 'server_overloaded' }
}

function asFrameworkError (thrown: unknown): TabcastError | undefined {
  if (!(thrown instanceof Error) || !('code' in thrown) || typeof thrown.code !== 'string') return undefined
  const { code, statusCode } = thrown as FrameworkError
  const row = frameworkErrors[code]
  if (row === undefined && !(code.startsWith('FST_') && statusCode >= 400 && statusCode < 500)) return undefined
  // Only the server of the pages under /docs answers 403, for a path outside its folder, where nothing exists.
  const status = row?.status ?? (statusCode === 403 ? 404 : statusCode)
  const suggestion = row?.suggestion === undefined ? {} : { suggestion: row.suggestion }
  return new TabcastError(row?.code ?? codeOfStatus(status),
    row?.detail ?? (status === 404 ? undefined : 'The request is not valid.'), { status, ...suggestion, cause: thrown })
}

const ownStatus = ['not_found', 'method_not_allowed', 'not_acceptable', 'request_timeout', 'rate_limited'] as const

function codeOfStatus (status: number): ErrorCode {
  return ownStatus.find((code) => errorTable[code].status === status) ?? 'validation_error'
}
