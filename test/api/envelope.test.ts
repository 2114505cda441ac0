import type { AddressInfo } from 'node:net'
import type { InjectOptions } from 'fastify'
import t, { type Test } from 'tap'
import { Type } from 'typebox'
import { errorTable } from '../../src/domain/error-codes.ts'
import { TabcastError } from '../../src/platform/errors.ts'
import { MetadataError } from '../../src/platform/metadata/metadata-error.ts'
import { StoreError } from '../../src/platform/store/store-error.ts'
import { openApi } from '../support/api.ts'
import { expectError, type Answer } from '../support/expect-error.ts'
import { form } from '../support/form.ts'
import { openRaw } from '../support/raw-http.ts'
import { until } from '../support/until.ts'

type App = Awaited<ReturnType<typeof openApi>>['app']

async function ask (app: App, options: InjectOptions): Promise<Answer> {
  const { statusCode, headers, payload } = await app.inject(options)
  return {
    status: statusCode,
    headers: new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    text: payload
  }
}

const csv = 'item_id,timestamp,target\na,2024-01-01,1\na,2024-02-01,2\n'
const deep = '['.repeat(10_000) + ']'.repeat(10_000)

t.test('every way of not answering 2xx has the envelope', async (t) => {
  // Failures that only a fault in the program or in a disk can cause.
  const faults: Record<string, unknown> = {
    error: new Error('secret internals'),
    store: new StoreError('unavailable', 'at /secret/path'),
    'full-disk': new MetadataError('no_space', 'at /secret/path'),
    'not-an-error': 'secret text',
    own: new TabcastError('timeout')
  }
  const { app, key, keys } = await openApi(t, {}, (app) => {
    app.get('/fault/:name', { config: { access: 'public' } }, (request) => {
      throw faults[(request.params as { name: string }).name]
    })
    app.get('/serializer', {
      config: { access: 'public' },
      schema: { response: { 200: Type.Object({ y: Type.String() }) } }
    }, async () => ({}))
    app.post('/echo', { config: { access: 'public' } }, async (request) => request.body)
  })
  const reader = (await keys.create({ tenant: 'acme', scopes: ['jobs:read'] })).key

  const auth = { authorization: `Bearer ${key}` }
  const upload = form([['file', csv, 'a.csv']])
  const json = { 'content-type': 'application/json' }
  const cases: Array<
    [title: string, options: InjectOptions, status: number, code: keyof typeof errorTable,
      headers?: Record<string, RegExp>]
  > = [
    ['an unknown address', { url: '/nowhere' }, 404, 'not_found'],
    ['an address that cannot be decoded', { url: '/a%' }, 400, 'validation_error'],
    ['another method', { method: 'PUT', url: '/jobs/job_1' }, 405, 'method_not_allowed', {
      allow: /^DELETE, GET, HEAD$/
    }],
    ['another method with a body', { method: 'POST', url: '/models', payload: '{}', headers: json }, 405,
      'method_not_allowed', { allow: /GET/ }],
    ['a media type that is not served', { url: '/livez', headers: { accept: 'text/html' } }, 406, 'not_acceptable'],
    ['no key', { url: '/jobs/job_1' }, 401, 'auth_failed', { 'www-authenticate': /^Bearer/ }],
    ['another scheme', { url: '/jobs/job_1', headers: { authorization: `Basic ${key}` } }, 401, 'auth_failed', {
      'www-authenticate': /^Bearer/
    }],
    ['a key with a typo', { url: '/jobs/job_1', headers: { authorization: `Bearer ${key}x` } }, 401, 'auth_failed', {
      'www-authenticate': /invalid_token/
    }],
    ['a key without the scope', {
      method: 'DELETE',
      url: '/jobs/job_1',
      headers: { authorization: `Bearer ${reader}` }
    }, 403, 'auth_failed'],
    ['an unknown job', { url: '/jobs/job_1', headers: auth }, 404, 'job_not_found'],
    ['a query that is not valid', { url: '/jobs/job_1?wait=31', headers: auth }, 422, 'validation_error'],
    ['an unknown parameter', { url: '/jobs?colour=red', headers: auth }, 422, 'validation_error'],
    ['a body that is not JSON', { method: 'POST', url: '/echo', headers: json, payload: '{' }, 400, 'validation_error'],
    ['an empty JSON body', { method: 'POST', url: '/echo', headers: json, payload: '' }, 400, 'validation_error'],
    ['a JSON body of 10,000 levels', { method: 'POST', url: '/echo', headers: json, payload: deep }, 400,
      'validation_error'],
    ['a JSON body with __proto__', { method: 'POST', url: '/echo', headers: json, payload: '{"a":{"__proto__":{}}}' },
      400, 'validation_error'],
    ['a JSON body over the limit', {
      method: 'POST',
      url: '/echo',
      headers: json,
      payload: `"${'x'.repeat(1024 * 1024)}"`
    }, 413, 'validation_error'],
    ['a media type that is not taken', {
      method: 'POST',
      url: '/echo',
      headers: { 'content-type': 'text/plain' },
      payload: 'x'
    }, 415, 'validation_error'],
    ['JSON where a form belongs', { method: 'POST', url: '/forecast', headers: { ...auth, ...json }, payload: '{}' },
      415, 'validation_error'],
    ['a deep JSON body where a form belongs', {
      method: 'POST',
      url: '/forecast',
      headers: { ...auth, ...json },
      payload: deep
    }, 415, 'validation_error'],
    ['a form that is cut off', {
      method: 'POST',
      url: '/forecast',
      headers: { ...auth, ...upload.headers },
      payload: upload.payload.subarray(0, -20)
    }, 400, 'validation_error'],
    ['a form without a boundary', {
      method: 'POST',
      url: '/forecast',
      headers: { ...auth, 'content-type': 'multipart/form-data' },
      payload: 'x'
    }, 400, 'validation_error'],
    ['a form field named __proto__', {
      method: 'POST',
      url: '/forecast',
      ...withHeaders(form([['__proto__', 'x'], ['file', csv, 'a.csv']]), auth)
    }, 400, 'validation_error'],
    ['two files', {
      method: 'POST',
      url: '/forecast',
      ...withHeaders(form([['file', csv, 'a.csv'], ['file', csv, 'b.csv']]), auth)
    }, 413, 'validation_error'],
    ['too many parts', {
      method: 'POST',
      url: '/forecast',
      ...withHeaders(
        form([...Array.from({ length: 41 }, (_, i): [string, string] => [`f${i}`, 'x']), ['file', csv, 'a.csv']]),
        auth
      )
    }, 413, 'validation_error'],
    ['a form without a file', { method: 'POST', url: '/forecast', ...withHeaders(form([['presets', 'fast']]), auth) },
      422, 'validation_error'],
    ['a signed address that is made up', {
      url: '/objects/acme/job_1/run/forecast.csv?expires=1&filename=a&type=b&signature=c'
    }, 403, 'auth_failed'],
    ['a handler that throws', { url: '/fault/error' }, 500, 'internal_error'],
    ['a handler that throws something else', { url: '/fault/not-an-error' }, 500, 'internal_error'],
    ['a store that is away', { url: '/fault/store' }, 503, 'storage_error', { 'retry-after': /^\d+$/ }],
    ['a full disk', { url: '/fault/full-disk' }, 503, 'storage_error', { 'retry-after': /^\d+$/ }],
    ['an error of our own', { url: '/fault/own' }, 504, 'timeout'],
    ['an answer that does not match its schema', { url: '/serializer' }, 500, 'internal_error']
  ]
  for (const [title, options, status, code, headers = {}] of cases) {
    await t.test(title, async (t) => {
      const answer = await ask(app, options)
      await expectError(t, answer, status, code)
      t.notMatch(answer.text, /secret/, 'nothing of the inside is shown')
      t.equal(answer.headers.get('x-content-type-options') ?? 'nosniff', 'nosniff')
      for (const [name, value] of Object.entries(headers)) t.match(answer.headers.get(name), value)
    })
  }
  const echoed = await ask(app, { url: '/nowhere', headers: { 'x-request-id': 'mine-1' } })
  t.equal(echoed.headers.get('x-request-id'), 'mine-1')
})

function withHeaders (body: ReturnType<typeof form>, headers: Record<string, string>) {
  return { payload: body.payload, headers: { ...body.headers, ...headers } }
}

t.test('bytes that are not a request, and requests while the service closes', async (t) => {
  let late: Response | undefined
  const { app } = await openApi(t, {}, (app) => {
    app.addHook('preClose', async () => {
      late = await fetch(`${base}/livez`)
    })
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const raw = async (t: Test, bytes: string, status: number) => {
    const connection = await openRaw(base)
    connection.send(bytes)
    await expectError(t, await connection.answer(), status, 'validation_error')
    connection.socket.destroy()
  }
  await t.test('not HTTP', (t) => raw(t, 'hello\r\n\r\n', 400))
  await t.test('a header over 16 KiB', (t) =>
    raw(t, `GET /livez HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431))
  await t.test('two lengths', (t) =>
    raw(t, 'POST /forecast HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello', 400))
  await t.test('a request id that must not be reflected', async (t) => {
    for (const id of ['x'.repeat(1024), 'ä', 'a b', '']) {
      const connection = await openRaw(base)
      connection.send(`GET /livez HTTP/1.1\r\nhost: a\r\nx-request-id: ${id}\r\n\r\n`)
      const answer = await connection.answer()
      t.equal(answer.status, 200)
      t.match(answer.headers.get('x-request-id'), /^req_[0-9A-HJKMNP-TV-Z]{26}$/)
      connection.socket.destroy()
    }
  })
  await t.test('a request that comes while the service closes', async (t) => {
    await app.close()
    if (late === undefined) throw new Error('not asked')
    await expectError(t, late, 503, 'server_overloaded')
  })
})

t.test('the error table, the interface description and the program name the same codes', async (t) => {
  const { app } = await openApi(t)
  const { body } = await app.inject('/openapi.json')
  const document = JSON.parse(body)
  t.equal(document.openapi, '3.1.0')
  t.equal(document.info.version, '0.1.0')
  t.ok(document.info['x-release'])
  t.strictSame(document.components.schemas.ErrorCode.enum, Object.keys(errorTable))
  for (const [path, methods] of Object.entries<Record<string, { responses: Record<string, { content?: object }> }>>(
    document.paths
  )) {
    for (const [method, { responses }] of Object.entries(methods)) {
      const errors = Object.entries(responses).filter(([status]) => Number(status) >= 400)
      t.ok(errors.length >= 4, `${method} ${path} names its errors`)
      for (const [status, { content }] of errors) {
        if (path === '/health' && status === '503') continue
        t.strictSame(content, { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
          `${method} ${path} ${status}`)
      }
    }
  }
  const page = await app.inject('/docs/reference/api')
  t.equal(page.statusCode, 200)
  t.match(page.headers, { 'content-type': /^text\/html/, 'content-security-policy': /script-src 'self' 'sha256-/ })
  t.notMatch(page.headers['content-security-policy'], 'upgrade-insecure-requests', 'the service speaks plain HTTP')
})

t.test('the headers that tell a caller something are described where they are sent', async (t) => {
  const stage = await openApi(t)
  const { paths, components } = (await stage.app.inject('/openapi.json')).json()
  const telling = ['location', 'retry-after', 'x-request-id', 'ratelimit', 'ratelimit-policy', 'www-authenticate',
    'content-disposition', 'content-range', 'link']
  const headers = { authorization: `Bearer ${stage.key}` }
  const sent = async (path: string, request: InjectOptions & { method?: 'GET' | 'POST' }) => {
    const answer = await stage.app.inject(request)
    const { headers: described } = paths[path][(request.method ?? 'GET').toLowerCase()].responses[answer.statusCode]
    const names = Object.keys(described).map((name) => name.toLowerCase())
    for (const name of telling) {
      t.equal(names.includes(name), name in answer.headers, `${path} ${answer.statusCode} ${name}`)
    }
    return answer
  }
  await sent('/livez', { url: '/livez' })
  await sent('/jobs', { url: '/jobs', headers })
  const upload = form([['file', csv, 'a.csv']])
  const { headers: { location } } = await sent('/forecast', {
    method: 'POST',
    url: '/forecast',
    ...upload,
    headers: { ...headers, ...upload.headers }
  })
  await sent('/jobs/{job_id}', { url: String(location), headers })
  await stage.finishNext({ 'forecast.csv': 'item_id\n' })
  await until('the result',
    async () => (await stage.app.inject({ url: String(location), headers })).json().status === 'completed')
  await sent('/jobs/{job_id}/download', { url: `${String(location)}/download?format=csv`, headers })
  const { headers: { location: signed } } = await sent('/jobs/{job_id}/download', {
    url: `${String(location)}/download?format=presign`,
    headers
  })
  const { pathname, search } = new URL(String(signed))
  await sent('/objects/{*}', { url: pathname + search })
  await sent('/objects/{*}', { url: pathname + search, headers: { range: 'bytes=0-1' } })
  await sent('/objects/{*}', { url: pathname })
  await sent('/objects/{*}', { url: pathname + search, headers: { range: 'bytes=99-' } })
  t.ok(components.headers['X-Request-ID'].description)
})
