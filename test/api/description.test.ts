import t from 'tap'
import { scopes } from '../../src/services/keys/scopes.ts'
import { openApi } from '../support/api.ts'
import { expectError, fieldsOf, type Answer } from '../support/expect-error.ts'

/*
 * What the interface description says of every operation, compared with what the service does: by construction, for
 * those of today and of tomorrow.
 */
interface Content {
  schema: { properties?: Record<string, unknown> }
  example?: object
}
interface Operation {
  operationId: string
  security?: unknown[]
  parameters?: Array<{ name: string, in: string }>
  requestBody?: { required?: boolean, content: Record<string, Content> }
  responses: Record<string, { links?: Record<string, { $ref: string }> }>
}
interface Link {
  operationId: string
  parameters?: Record<string, string>
  requestBody?: Record<string, string>
}
interface Description {
  paths: Record<string, Record<string, Operation>>
  components: { links: Record<string, Link> }
}

const stage = await openApi(t)
const { key } = await stage.keys.create({ tenant: 'acme', scopes: scopes.filter((scope) => scope !== 'sandbox') })
const description = JSON.parse((await stage.app.inject({ url: '/openapi.json' })).body) as Description
const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    path,
    method: method.toUpperCase(),
    name: `${method.toUpperCase()} ${path}`,
    operation
  }))
)

/** With one letter for every identifier. */
function addressOf (path: string): string {
  return path.replace('{*}', 'a/b').replaceAll(/\{[a-z_]+\}/g, 'x')
}

async function ask (method: string, url: string, headers: Record<string, string> = {}): Promise<Answer> {
  const answer = await stage.app.inject({
    method: method as 'GET',
    url,
    headers: { authorization: `Bearer ${key}`, ...headers }
  })
  return {
    status: answer.statusCode,
    headers: new Headers(Object.entries(answer.headers).map(([name, value]) => [name, String(value)])),
    text: answer.payload
  }
}

t.test('every POST refuses an Idempotency-Key that is none, those too that create nothing', async (t) => {
  const posts = operations.filter(({ method }) => method === 'POST')
  t.ok(posts.length >= 24, `${posts.length} routes`)
  for (const { path, name } of posts) {
    for (const wrong of ['x'.repeat(256), '', '""', 'a\u00e9']) {
      t.comment(`${name}: ${JSON.stringify(wrong.slice(0, 8))}`)
      const refused = await expectError(t, await ask('POST', addressOf(path), { 'idempotency-key': wrong }), 422,
        'validation_error')
      t.match(fieldsOf(refused), [{ loc: ['header', 'Idempotency-Key'], type: 'value_error' }])
    }
    for (const right of ['x'.repeat(255), '"a key"']) {
      const { text } = await ask('POST', addressOf(path), { 'idempotency-key': right })
      t.notMatch(text, 'Idempotency-Key', `${name} takes ${right.slice(0, 8)}`)
    }
  }
})

t.test('a wrong Idempotency-Key says nothing to those who may not call the route', async (t) => {
  await expectError(t, await ask('POST', '/estimate/cost', { 'idempotency-key': '', authorization: 'Bearer x' }), 401,
    'auth_failed')
})

t.test('what Node or a hook refuses before the handler is described for every operation', async (t) => {
  for (const { name, method, operation: { parameters = [], responses } } of operations) {
    const hasFields = method === 'POST' || parameters.some((parameter) => parameter.in === 'query')
    const wanted = ['400', '406', '417', '431', '500', '503', ...method === 'GET' ? [] : ['408', '413', '415'],
      ...hasFields ? ['422'] : []]
    t.strictSame(wanted.filter((status) => !(status in responses)), [], name)
  }
})

t.test('a JSON body that may be left out is one that the description does not require', async (t) => {
  const optional = []
  for (const { path, method, name, operation: { requestBody } } of operations) {
    if (requestBody?.content['application/json'] === undefined) continue
    const { text } = await ask(method, addressOf(path))
    const isMissed = text.includes('"loc":["body"],')
    t.equal(isMissed, requestBody.required !== false, `${name}: ${text.slice(0, 200)}`)
    if (!isMissed) optional.push(name)
    const asNull = await stage.app.inject({
      method: 'POST',
      url: addressOf(path),
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      payload: 'null'
    })
    if (method === 'POST') t.match(asNull.body, '"loc":["body"],', `${name}: null is no body`)
  }
  t.ok(
    optional.includes('POST /keys/{id}/rotate') && optional.includes('POST /data-connections/{connection_id}/validate'),
    optional.join(', ')
  )
})

t.test('the body that a form starts with is not refused as invalid, on any route', async (t) => {
  let bodies = 0
  for (const { method, path, name, operation: { requestBody } } of operations) {
    const body = requestBody?.content['application/json']
    if (body === undefined) continue
    const answer = await stage.app.inject({
      method: method as 'POST',
      url: addressOf(path),
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      payload: JSON.stringify(body.example ?? {})
    })
    t.not(answer.statusCode, 422, `${name}: ${answer.body.slice(0, 300)}`)
    bodies++
  }
  t.ok(bodies >= 18, `${bodies} bodies`)
})

t.test('every method that a 405 allows is one that the address takes', async (t) => {
  const takes = (path: string) => {
    const methods = Object.keys(description.paths[path] ?? {}).map((method) => method.toUpperCase())
    return [...methods, ...methods.includes('GET') && path !== '/jobs/{job_id}/events' ? ['HEAD'] : []].sort()
  }
  for (const path of Object.keys(description.paths)) {
    for (const method of ['PROPFIND', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((one) =>
      !takes(path).includes(one)
    )) {
      const answer = await ask(method, addressOf(path))
      t.equal(answer.status, 405, `${method} ${path}`)
      t.equal(answer.headers.get('allow'), takes(path).join(', '), `${method} ${path}`)
    }
  }
})

t.test('a file of the pages that is not there is a 404 for every method', async (t) => {
  for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
    for (const address of ['/docs/assets/nope.js', '/docs/nope', '/docs/guides', '/docs/index.html']) {
      await expectError(t, await ask(method, address), 404, 'not_found')
    }
  }
})

t.test('links lead from every answer with an identifier to the operations that take it', async (t) => {
  const reached = new Set<string>()
  for (const { name, operation } of operations) {
    for (const [status, { links = {} }] of Object.entries(operation.responses)) {
      for (const { $ref } of Object.values(links)) {
        const link = description.components.links[$ref.replace('#/components/links/', '')]
        const target = operations.find(({ operation: { operationId } }) => operationId === link?.operationId)?.operation
        const properties = target?.requestBody?.content['application/json']?.schema.properties ?? {}
        for (const parameter of Object.keys(link?.parameters ?? {})) {
          t.ok(target?.parameters?.some(({ name }) => name === parameter), `${name} ${status} ${$ref}`)
        }
        for (const property of Object.keys(link?.requestBody ?? {})) {
          t.ok(property in properties, `${name} ${status} ${$ref}`)
        }
        reached.add(link?.operationId ?? '')
      }
    }
  }
  const named = /\{(?:job|object|batch|connection|model)?_?id\}/
  for (const { path, name, operation } of operations) {
    if (named.test(path)) t.ok(reached.has(operation.operationId), `${name} is reached by a link`)
  }
})
