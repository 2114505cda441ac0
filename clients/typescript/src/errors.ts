import { retryAfterSeconds as secondsOf } from './retry-after.ts'
import type { ErrorBody } from './schema.ts'

type Detail = ErrorBody['detail']

export interface FieldError {
  loc: Array<string | number>
  msg: string
  type: string
  ctx?: Record<string, unknown>
}

export interface TabcastErrorFields {
  status?: number | null
  suggestion?: string | null
  fields?: FieldError[]
  requestId?: string | null
  retryable?: boolean
  retryAfterSeconds?: number | null
  jobId?: string | null
  cause?: unknown
}

/** A refusal of the service, a job that failed, or a service that cannot be reached. */
export class TabcastError extends Error {
  override name = 'TabcastError'
  /**
   * The service's `error_code`; `connection_failed` without an answer, `timeout` when waiting took too long,
   * `http_<status>` of something in between.
   */
  readonly code: string
  /** In words; for a 422 a line for each field. */
  readonly detail: string
  /** Of HTTP; null without an answer, and for a job that failed after it was accepted. */
  readonly status: number | null
  readonly suggestion: string | null
  /** Of a 422. */
  readonly fields: FieldError[]
  readonly requestId: string | null
  /** The same call may succeed later. */
  readonly retryable: boolean
  /** As the service says; null: it does not. */
  readonly retryAfterSeconds: number | null
  readonly jobId: string | null

  constructor (code: string, detail: string, {
    status = null,
    suggestion = null,
    fields = [],
    requestId = null,
    retryable = false,
    retryAfterSeconds = null,
    jobId = null,
    cause
  }: TabcastErrorFields = {}) {
    super(`${code}${status === null ? '' : ` (${status})`}: ${detail}${suggestion === null ? '' : ` ${suggestion}`}`,
      cause === undefined ? {} : { cause })
    this.code = code
    this.detail = detail
    this.status = status
    this.suggestion = suggestion
    this.fields = fields
    this.requestId = requestId
    this.retryable = retryable
    this.retryAfterSeconds = retryAfterSeconds
    this.jobId = jobId
  }

  /** The same error with these changes. */
  with (changes: TabcastErrorFields): TabcastError {
    return new TabcastError(this.code, this.detail, { ...this, cause: this.cause, ...changes })
  }
}

/** The same error, which says when to come back, and that nobody waits for it here. */
export function notWaitedFor (error: TabcastError, mostMs: number): TabcastError {
  const seconds = Math.ceil(error.retryAfterSeconds ?? 0)
  const at = new Date(Date.now() + seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z')
  const advice = `Try again in ${seconds} s, at ${at}; no more than ${
    Math.max(0, Math.floor(mostMs / 1000))
  } s are waited here.`
  return error.with({ suggestion: error.suggestion === null ? advice : `${error.suggestion} ${advice}` })
}

export function errorOfAnswer (status: number, body: string, headers: Pick<Headers, 'get'>): TabcastError {
  const retryAfterSeconds = secondsOf(headers)
  const envelope = parseEnvelope(body)
  if (envelope === null) {
    return new TabcastError(`http_${status}`, body.slice(0, 500), {
      status,
      retryable: [429, 502, 503, 504].includes(status),
      retryAfterSeconds
    })
  }
  const { detail, error_code: code, request_id: requestId, retryable } = envelope
  const fields = Array.isArray(detail) ? detail as FieldError[] : []
  const suggestion = typeof detail === 'object' && !Array.isArray(detail) ? detail.suggestion ?? null : null
  return new TabcastError(code, textOf(detail), { status, suggestion, fields, requestId, retryable, retryAfterSeconds })
}

function parseEnvelope (body: string): ErrorBody | null {
  try {
    const parsed = JSON.parse(body) as Partial<ErrorBody> | null
    return typeof parsed?.error_code === 'string' ? parsed as ErrorBody : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function textOf (detail: Detail): string {
  if (typeof detail === 'string') return detail
  if (!Array.isArray(detail)) return detail.detail
  return (detail as FieldError[]).map(({ loc, msg, ctx }) => {
    const more = ['row', 'item'].filter((name) => ctx?.[name] !== undefined).map((name) =>
      `, ${name} ${String(ctx?.[name])}`
    )
    return `${loc.slice(1).join('.')}${more.join('')}: ${msg}`
  }).join('; ')
}
