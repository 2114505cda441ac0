import { errorTable, type ErrorCode, type FieldError } from '../domain/error-codes.ts'

/** The tenant's state in the quota that refused the request. */
export interface QuotaUsed {
  name: string
  limit: number
  used: number
  resetsAtMs: number | null
}

export interface TabcastErrorOptions {
  /** The HTTP status, if it differs from the code's default. */
  status?: number
  /** What the caller can do about it. */
  suggestion?: string
  retryable?: boolean
  /** Absent: 5 s for a retryable 503. */
  retryAfterSeconds?: number
  /** Tells programs which cause of several this code has. */
  reason?: string
  /** For validation failures: becomes `detail`. */
  fields?: FieldError[]
  /** For connector_error: what is wrong with the customer's store. */
  connectorCode?: string
  /** For a quota that is used up. */
  quota?: QuotaUsed
  /** Response headers that belong to this error (`Allow`, `WWW-Authenticate`). */
  headers?: Record<string, string>
  cause?: unknown
}

/** The only error class that services throw on purpose. Any other error that reaches HTTP becomes an internal_error. */
export class TabcastError extends Error {
  override name = 'TabcastError'
  readonly code: ErrorCode
  readonly status: number
  readonly retryable: boolean
  readonly suggestion: string | undefined
  readonly reason: string | undefined
  readonly retryAfterSeconds: number | undefined
  readonly fields: FieldError[] | undefined
  readonly connectorCode: string | undefined
  readonly quota: QuotaUsed | undefined
  readonly headers: Record<string, string>

  constructor (code: ErrorCode, detail?: string, options: TabcastErrorOptions = {}) {
    const row = errorTable[code]
    super(detail ?? row.text, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.status = options.status ?? row.status
    this.retryable = options.retryable ?? row.retryable
    this.suggestion = options.suggestion
    this.reason = options.reason
    this.retryAfterSeconds = options.retryAfterSeconds ?? (this.status === 503 && this.retryable ? 5 : undefined)
    this.fields = options.fields
    this.connectorCode = options.connectorCode
    this.quota = options.quota
    this.headers = options.headers ?? {}
  }
}
