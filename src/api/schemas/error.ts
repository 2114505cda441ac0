import { Type } from 'typebox'
import { errorTable, type ErrorCode } from '../../errors.ts'

export const errorCodes = Object.keys(errorTable) as ErrorCode[]

/** Its own schema, so that the interface description has one list of codes. */
export const errorCodeSchema = Type.Enum(errorCodes, { $id: 'ErrorCode' })

const fieldError = Type.Object({
  loc: Type.Array(Type.Union([Type.String(), Type.Integer()]), { description: 'Where: body, query or path, then the field.' }),
  msg: Type.String(),
  type: Type.String(),
  input: Type.Optional(Type.Unknown()),
  ctx: Type.Optional(Type.Object({}, { additionalProperties: true }))
})

const structuredDetail = Type.Object({
  error_code: Type.Ref('ErrorCode'),
  detail: Type.String(),
  suggestion: Type.Optional(Type.String({ description: 'What the caller can do.' })),
  retryable: Type.Boolean(),
  retry_after_seconds: Type.Optional(Type.Number())
})

export const errorSchema = Type.Object({
  detail: Type.Union([Type.String(), structuredDetail, Type.Array(fieldError)]),
  error_code: Type.Ref('ErrorCode'),
  retryable: Type.Boolean({ description: 'The same request may succeed later.' }),
  request_id: Type.String({ description: 'Echoes X-Request-ID.' })
}, { $id: 'Error', description: 'The body of every answer that is not 2xx.' })

const statusTexts: Record<number, string> = {
  400: 'Not a valid request',
  401: 'Key missing or invalid',
  403: 'Key lacks the scope',
  404: 'Not found',
  405: 'Method not allowed',
  406: 'Not acceptable',
  408: 'Request too slow',
  409: 'Not in this state',
  413: 'Too large',
  415: 'Media or file type not taken',
  416: 'Range not satisfiable',
  422: 'Fields are wrong',
  429: 'Too many requests',
  500: 'Unexpected failure',
  503: 'Not now'
}

/** Of every route that needs a key. */
export const keyErrors = [401, 403, 429] as const

/** Response schemas of a route's error answers. */
export function errorResponses (...statuses: number[]) {
  const always = [400, 406, 500, 503]
  const all = [...new Set([...always, ...statuses])].sort((a, b) => a - b)
  return Object.fromEntries(all.map((status) => [status, {
    description: statusTexts[status] ?? 'Error',
    content: { 'application/json': { schema: Type.Ref('Error') } }
  }]))
}
