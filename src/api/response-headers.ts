/*
 * Headers that hooks put on answers of many routes, described in one place; what only one route sends stands beside that
 * route.
 */
const text = (description: string) => ({ description, schema: { type: 'string' } })

const headers = {
  'X-Request-ID': text('Id of this request, also in the body of an error; one that the request brought is kept.'),
  RateLimit: text('What is left of each limit that counted this request: `r` requests, all of them again after `t` seconds.'),
  'RateLimit-Policy': text('The limits that counted this request: `q` requests in `w` seconds.'),
  'WWW-Authenticate': text('How to authenticate.'),
  'Retry-After': text('Seconds after which to ask again.')
}

type HeaderName = keyof typeof headers
type Described = Record<string, unknown>

interface Operation {
  security?: unknown[]
  responses: Record<string, { headers?: Described }>
}

interface Description {
  components?: { headers?: Described }
  paths?: Record<string, Record<string, Operation>>
}

/** Adds the headers to every response that may carry them. */
export function describeHeaders<T extends object> (document: T): T {
  const { components, paths } = document as Description
  if (components !== undefined) components.headers = headers
  for (const operation of Object.values(paths ?? {}).flatMap((methods) => Object.values(methods))) {
    // Without an entry of its own an operation has the document's, which asks for a key.
    const isLimited = operation.security === undefined
    for (const [status, response] of Object.entries(operation.responses)) {
      response.headers = { ...Object.fromEntries(namesOf(status, isLimited).map(reference)), ...response.headers }
    }
  }
  return document
}

function namesOf (status: string, isLimited: boolean): HeaderName[] {
  const names: HeaderName[] = ['X-Request-ID']
  if (isLimited) names.push('RateLimit', 'RateLimit-Policy')
  if (status === '401') names.push('WWW-Authenticate')
  if (status === '429' || status === '503') names.push('Retry-After')
  return names
}

function reference (name: HeaderName): [string, Described] {
  return [name, { $ref: `#/components/headers/${name}` }]
}
