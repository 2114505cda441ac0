/*
 * Headers that many routes take or answer with, described in one place. Headers of a single route are described there.
 */
const text = (description: string) => ({ description, schema: { type: 'string' } })

const headers = {
  'X-Request-ID': text(
    'Id of this request, also in the body of an error. If the request has an X-Request-ID, the answer keeps it.'
  ),
  RateLimit: text(
    'What is left of each limit that counts this request: `r` requests. All are available again after `t` seconds.'
  ),
  'RateLimit-Policy': text('The limits that count this request: `q` requests in `w` seconds.'),
  'WWW-Authenticate': text('How to authenticate.'),
  Link: text('With `rel="help"`: the page of this service that says why the error happens, and what to do.'),
  'Retry-After': text('Seconds to wait before the next request.'),
  'Idempotent-Replayed': text('`true`: this is the answer to an earlier request with the same Idempotency-Key.')
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes it safe to repeat a request. Within a day, an equal request with the same key gets the answer of the ' +
    'first one, and a different request gets 409. It has no effect on routes that create nothing: /agent/extract, ' +
    '/agent/analyze, /agent/validate and /estimate.',
  schema: { type: 'string', minLength: 1, maxLength: 255 }
}

type HeaderName = keyof typeof headers
type Described = Record<string, unknown>

interface Operation {
  security?: unknown[]
  parameters?: unknown[]
  responses: Record<string, { headers?: Described, content?: Record<string, { schema?: { $ref?: string } }> }>
}

interface Description {
  components?: { headers?: Described }
  paths?: Record<string, Record<string, Operation>>
}

/** Adds the headers to every request and response that may carry them. */
export function describeHeaders<T extends object> (document: T): T {
  const { components, paths } = document as Description
  if (components !== undefined) components.headers = headers
  const operations = Object.values(paths ?? {}).flatMap((methods) => Object.entries(methods))
  for (const [method, operation] of operations) {
    if (method === 'post') operation.parameters = [...operation.parameters ?? [], idempotencyKey]
    // An operation without its own `security` has the document's, which requires a key.
    const isLimited = operation.security === undefined
    for (const [status, response] of Object.entries(operation.responses)) {
      response.headers = {
        ...Object.fromEntries([...namesOf(method, status, isLimited), ...ofErrors(response)].map(reference)),
        ...response.headers
      }
    }
  }
  return document
}

function namesOf (method: string, status: string, isLimited: boolean): HeaderName[] {
  const names: HeaderName[] = ['X-Request-ID']
  if (method === 'post' && status.startsWith('2')) names.push('Idempotent-Replayed')
  if (isLimited) names.push('RateLimit', 'RateLimit-Policy')
  if (status === '401') names.push('WWW-Authenticate')
  if (status === '429' || status === '503') names.push('Retry-After')
  return names
}

/** Not every answer that is not 2xx has the body of an error: /health has its own. */
function ofErrors ({ content }: Operation['responses'][string]): HeaderName[] {
  return content?.['application/json']?.schema?.$ref === '#/components/schemas/Error' ? ['Link'] : []
}

function reference (name: HeaderName): [string, Described] {
  return [name, { $ref: `#/components/headers/${name}` }]
}
