import { troubleshooting } from '../domain/troubleshooting.ts'

interface Envelope {
  detail?: string | Array<{ loc?: Array<string | number>, msg?: string, ctx?: { row?: number, item?: string } }> | {
    detail?: string
    suggestion?: string
    retry_after_seconds?: number
  }
  error_code?: string
  retryable?: boolean
  request_id?: string
}

/**
 * An unsuccessful answer with what the service says about it: https://www.rfc-editor.org/rfc/rfc9110#section-15 and the
 * `Error` schema.
 */
export class ServiceError extends Error {
  override name = 'ServiceError'
  readonly status: number
  /** null: the answer does not come from the service, but from something in between. */
  readonly code: string | null
  /** What is wrong, and where, one line for each field. */
  readonly details: string[]
  readonly suggestion: string | null
  readonly requestId: string | null
  /** Whether the same request may succeed later. */
  readonly isPassing: boolean
  /** From the service; null when it does not say. */
  readonly retryAfterSeconds: number | null

  constructor (call: string, status: number, body: string, afterSeconds: number | null) {
    const envelope = parseEnvelope(body)
    super(`${call} answered ${status}: ${body}`)
    this.status = status
    this.code = envelope?.error_code ?? null
    this.details = envelope === null ? [body.slice(0, 500)] : detailsOf(envelope)
    this.suggestion = typeof envelope?.detail === 'object' && !Array.isArray(envelope.detail)
      ? envelope.detail.suggestion ?? null
      : null
    this.requestId = envelope?.request_id ?? null
    this.isPassing = envelope?.retryable ?? [429, 502, 503, 504].includes(status)
    this.retryAfterSeconds = afterSeconds
  }

  /** For people: the code, what is wrong and where, what to do about it, when, and the page that says more. */
  describe (baseUrl: string): string {
    const lines = [`${this.code ?? 'no answer of the service'} (${this.status})`,
      ...this.details.map((line) => `  ${line}`)]
    if (this.suggestion !== null) lines.push(`  ${this.suggestion}`)
    if (this.retryAfterSeconds !== null) lines.push(`  try again ${inTime(Math.ceil(this.retryAfterSeconds))}`)
    if (this.code !== null) lines.push(`  see ${baseUrl}${troubleshooting(this.code)}`)
    if (this.requestId !== null) lines.push(`  request ${this.requestId}`)
    return lines.join('\n')
  }
}

function inTime (seconds: number): string {
  if (seconds < 60) return `in ${seconds} s`
  const minutes = Math.ceil(seconds / 60)
  const hours = Math.floor(minutes / 60)
  const at = new Date(Date.now() + seconds * 1000).toISOString().slice(0, 19)
  return `in ${hours > 0 ? `${hours} h ` : ''}${minutes % 60} min, at ${at}Z`
}

function parseEnvelope (body: string): Envelope | null {
  try {
    const parsed = JSON.parse(body) as Envelope | null
    return typeof parsed?.error_code === 'string' ? parsed : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function detailsOf ({ detail }: Envelope): string[] {
  if (typeof detail === 'string') return [detail]
  if (!Array.isArray(detail)) return detail?.detail === undefined ? [] : [detail.detail]
  return detail.map(({ loc = [], msg = '', ctx }) => {
    const [, ...field] = loc
    const place = [field.join('.'), ctx?.row === undefined ? '' : `row ${ctx.row}`,
      ctx?.item === undefined ? '' : `item ${ctx.item}`].filter((part) => part !== '').join(', ')
    return place === '' ? msg : `${place}: ${msg}`
  })
}
