import type { Test } from 'tap'
import type { ErrorEnvelope } from '../../src/api/error-envelope.ts'
import { errorTable, type ErrorCode, type FieldError } from '../../src/domain/error-codes.ts'
import { troubleshooting } from '../../src/domain/troubleshooting.ts'

/** What an answer is, whether it came through `fetch` or through a raw socket. */
export interface Answer {
  status: number
  headers: Headers
  text: string
}

export async function readAnswer (response: Response): Promise<Answer> {
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** Asserts a complete error envelope with this status and code, and returns it. */
export async function expectError (t: Test, response: Response | Answer, status: number,
  code: ErrorCode): Promise<ErrorEnvelope> {
  const answer = response instanceof Response ? await readAnswer(response) : response
  t.equal(answer.status, status, `status is ${status}: ${answer.text.slice(0, 500)}`)
  t.match(answer.headers.get('content-type') ?? '', /^application\/json/, 'the error is JSON')
  const envelope = JSON.parse(answer.text) as ErrorEnvelope
  t.equal(envelope.error_code, code)
  const row: { status: number, statuses?: readonly number[] } = errorTable[code]
  t.ok([row.status, ...row.statuses ?? []].includes(status), `${code} is listed with ${status}`)
  t.type(envelope.retryable, 'boolean')
  t.ok(envelope.request_id, 'there is a request id')
  t.equal(envelope.request_id, answer.headers.get('x-request-id'), 'request_id echoes the header')
  t.equal(answer.headers.get('link'), `<${troubleshooting(code)}>; rel="help"`, 'Link leads to the page of the code')
  if (Array.isArray(envelope.detail)) expectFields(t, status, envelope.detail)
  else expectText(t, status, envelope)
  if (envelope.retryable && (status === 429 || status === 503)) {
    t.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/, 'Retry-After says when to come back')
  }
  if (!envelope.retryable) t.equal(answer.headers.get('retry-after'), null, 'what never helps is not asked for again')
  return envelope
}

/** The FastAPI form, of a 422 and of nothing else. */
function expectFields (t: Test, status: number, fields: FieldError[]): void {
  t.equal(status, 422, 'only a 422 lists fields')
  t.ok(fields.length > 0, 'the list is not empty')
  for (const field of fields) {
    t.ok(Array.isArray(field.loc) && field.loc.length > 0, 'loc names the field')
    t.ok(field.msg, 'msg says what is wrong')
    t.ok(field.type, 'type is the machine-readable form')
  }
}

function expectText (t: Test, status: number, envelope: ErrorEnvelope): void {
  const { detail, error_code: code, retryable } = envelope
  t.not(status, 422, 'a 422 lists fields')
  t.ok(suggestionNotNeeded(status, code) || suggestionOf(envelope), `a suggestion belongs to ${status} ${code}`)
  if (typeof detail === 'string') {
    t.ok(detail, 'detail has a text')
    return
  }
  const shown = detail as Exclude<ErrorEnvelope['detail'], string | FieldError[]>
  t.ok(shown.detail, 'detail has a text')
  t.equal(shown.error_code, code, 'detail mirrors the code')
  t.equal(shown.retryable, retryable, 'detail mirrors retryable')
}

function suggestionNotNeeded (status: number, code: ErrorCode): boolean {
  return ![409, 413, 415].includes(status) && code !== 'invalid_preset'
}

export function suggestionOf ({ detail }: ErrorEnvelope): string | undefined {
  return typeof detail === 'object' && !Array.isArray(detail) ? detail.suggestion : undefined
}

/** The field errors of a 422; empty for any other answer. */
export function fieldsOf ({ detail }: ErrorEnvelope): FieldError[] {
  return Array.isArray(detail) ? detail : []
}
