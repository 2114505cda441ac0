import { Type } from 'typebox'
import { connectorCodes } from '../../domain/connector-codes.ts'
import { errorTable, type ErrorCode } from '../../domain/error-codes.ts'
import { quotaNames } from '../../services/quotas/quota-rules.ts'
import { nullable } from './nullable.ts'

export const errorCodes = Object.keys(errorTable) as ErrorCode[]

/** A schema of its own, so that the interface description has one list of codes. */
export const errorCodeSchema = Type.Enum(errorCodes, { $id: 'ErrorCode' })

const fieldError = Type.Object({
  loc: Type.Array(Type.Union([Type.String(), Type.Integer()]), {
    description: 'Where the error is: body, query or path, then the field.'
  }),
  msg: Type.String({ description: 'What is wrong and, for the content of a file, what to do about it.' }),
  type: Type.String(),
  input: Type.Optional(Type.Unknown()),
  ctx: Type.Optional(Type.Object({}, {
    additionalProperties: true,
    description:
      'For the content of a file: row, item and count, as far as they are known. row is the first wrong row, counted ' +
      'from 1 without header and blank lines.'
  }))
})

const structuredDetail = Type.Object({
  error_code: Type.Ref('ErrorCode'),
  detail: Type.String(),
  reason: Type.Optional(Type.String({ description: 'Tells apart the causes that share this code.' })),
  suggestion: Type.Optional(Type.String({ description: 'What you can do.' })),
  connector_code: Type.Optional(
    Type.Enum(Object.keys(connectorCodes), {
      description: "For a connector_error: what is wrong with the customer's store."
    })
  ),
  quota: Type.Optional(Type.Object({
    name: Type.Enum(quotaNames),
    limit: Type.Integer(),
    used: Type.Integer(),
    resets_at: nullable(Type.String({ format: 'date-time' }),
      'When the use starts again at 0; null: it falls when something is deleted or expires.')
  }, { description: 'The quota that is used up.' })),
  retryable: Type.Boolean(),
  retry_after_seconds: Type.Optional(Type.Number())
})

export const errorSchema = Type.Object({
  detail: Type.Union([Type.String(), structuredDetail, Type.Array(fieldError)], {
    description:
      'For 401, 404 and 405 a text. For 422 a list of fields. Otherwise an object with a text and a suggestion.'
  }),
  error_code: Type.Ref('ErrorCode'),
  retryable: Type.Boolean({ description: 'The same request may succeed later.' }),
  request_id: Type.String({ description: 'The value of X-Request-ID.' })
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
  412: 'Taken already',
  413: 'Too large',
  415: 'Media or file type not taken',
  416: 'Range not satisfiable',
  417: 'Only 100-continue can be expected',
  422: 'Fields are wrong',
  429: 'Too many requests',
  431: 'The header is too long',
  500: 'Unexpected failure',
  502: 'The store of the connection failed',
  503: 'Not now',
  504: 'No answer in time'
}

/** For every route that needs a key. */
export const keyErrors = [401, 403, 429] as const

/** For every method that may have a body, whether or not its route uses one. */
export const bodyErrors = [408, 413, 415] as const

/** Response schemas of a route's errors. The description adds those that follow from its method and parameters. */
export function errorResponses (...statuses: number[]) {
  const always = [400, 406, 417, 431, 500, 503]
  const all = [...new Set([...always, ...statuses])].sort((a, b) => a - b)
  return Object.fromEntries(all.map((status) => [status, errorResponse(describeStatus(status))]))
}

export function describeStatus (status: number): string {
  return statusTexts[status] ?? 'Error'
}

export function errorResponse (description: string) {
  return { description, content: { 'application/json': { schema: Type.Ref('Error') } } }
}
