import t from 'tap'
import { csv, series } from '../support/csv.ts'
import { expectError, suggestionOf } from '../support/expect-error.ts'
import { expectHealthy, expectNothingLeft } from '../support/leftovers.ts'
import { multipartAround, openRaw, requestHead, uploadHead } from '../support/raw-http.ts'
import { Client, startService } from '../support/service.ts'

/*
 * What lies below the requests that the interface knows: hosts, expectations, methods, negotiation, ranges, ends of
 * bodies.
 */
const service = await startService({ TABCAST_RATE_LIMITS: 'false' })
t.teardown(service.cleanup)
const client = new Client(service.baseUrl, await service.createKey('hostile'))
const authorization = `Bearer ${client.key}`

async function send (bytes: string) {
  const raw = await openRaw(service.baseUrl)
  raw.send(bytes)
  return await raw.answer()
}

t.test('a Host that is missing, not valid or there twice is a 400, and never comes back in Location', async (t) => {
  const { job_id: jobId } = await client.submitted(csv(series()), { prediction_length: '3', presets: 'fast' })
  await client.ended(jobId)
  const download = (version: string, host: string) =>
    `GET /jobs/${jobId}/download HTTP/${version}\r\n${host}authorization: ${authorization}\r\nconnection: close\r\n\r\n`
  const wrong = ['', 'host: \r\n', 'host: evil.example/a?\r\n', 'host: "><x\r\n', 'host: a b\r\n', 'host: @evil\r\n',
    'host: a:b\r\n', 'host: [::1\r\n', 'host: a\r\nHost: b\r\n', `host: ${'a'.repeat(400)}\r\n`]
  for (const host of wrong) {
    t.comment(JSON.stringify(host.slice(0, 40)))
    const answer = await send(download('1.1', host))
    t.notOk(answer.headers.has('location'))
    await expectError(t, answer, 400, 'validation_error')
  }
  for (const host of ['127.0.0.1:8080', '[::1]:80', 'forecast.example', 'my_service']) {
    const answer = await send(download('1.1', `host: ${host}\r\n`))
    t.equal(answer.status, 307)
    t.ok(answer.headers.get('location')?.startsWith(`http://${host}/objects/`))
  }
  const old = await send(download('1.0', ''))
  t.equal(old.status, 307)
  t.match(old.headers.get('location'), /^\/objects\//, 'who does not say its host gets a relative address')
})

t.test('an If-Range never matches, so that the whole file comes', async (t) => {
  const { job_id: jobId } = await client.submitted(csv(series()), { prediction_length: '3', presets: 'fast' })
  await client.ended(jobId)
  const location = (await client.request('GET', `/jobs/${jobId}/download`)).headers.get('location') ?? ''
  const whole = await (await fetch(location)).text()
  const part = await fetch(location, { headers: { range: 'bytes=0-3' } })
  t.equal(part.status, 206)
  t.equal(await part.text(), whole.slice(0, 4))
  for (const condition of ['"x"', 'W/"x"', 'Tue, 15 Nov 1994 12:45:26 GMT']) {
    const answer = await fetch(location, { headers: { range: 'bytes=0-3', 'if-range': condition } })
    t.equal(answer.status, 200)
    t.equal(await answer.text(), whole)
  }
  t.equal((await client.request('DELETE', `/jobs/${jobId}`)).status, 204)
})

t.test('what Node would answer by itself has the envelope too', async (t) => {
  await expectError(t, await send(requestHead('GET', '/livez', { expect: '200-ok' })), 417, 'validation_error')
  await expectError(t, await send('CONNECT example.org:443 HTTP/1.1\r\nhost: example.org:443\r\n\r\n'), 405,
    'method_not_allowed')
  const continued = await openRaw(service.baseUrl)
  continued.send(requestHead('GET', '/livez', { expect: '100-continue' }))
  t.equal((await continued.answer()).status, 200)
})

t.test('a method that an address does not take is a 405 that does not allow it, and an address without anything a 404', async (t) => {
  for (const method of ['QUERY', 'PROPFIND', 'TRACE', 'POST']) {
    const answer = await send(requestHead(method, '/livez', { connection: 'close' }))
    t.equal(answer.headers.get('allow'), 'GET, HEAD')
    await expectError(t, answer, 405, 'method_not_allowed')
  }
  for (const path of ['/objects/', '/objects', '/docs/nope', '/docs/%2e%2e/cli.js', '/docs/..%2fcli.js',
    '/docs/assets/nope.js', '/docs/assets/%2e%2e/%2e%2e/package.json', '/docs/assets/..%2f..%2fpackage.json']) {
    await expectError(t, await send(requestHead('GET', path, { connection: 'close' })), 404, 'not_found')
  }
  const post = await send(requestHead('POST', '/objects/a/b', { connection: 'close' }))
  t.equal(post.headers.get('allow'), 'GET, HEAD, PUT')
  await expectError(t, post, 405, 'method_not_allowed')
  await expectError(t, await send(requestHead('PUT', '/objects/a/b', { connection: 'close' })), 403, 'auth_failed')
})

t.test('a header that is too long is a 431 with the envelope, and every operation says so', async (t) => {
  await expectError(t,
    await send(requestHead('GET', '/jobs', { authorization, 'x-long': 'x'.repeat(20_000), connection: 'close' })), 431,
    'validation_error')
  const { paths } = await (await fetch(`${service.baseUrl}/openapi.json`)).json() as {
    paths: Record<string, Record<string, { responses: object }>>
  }
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { responses }] of Object.entries(methods)) t.ok('431' in responses, `${method} ${path}`)
  }
})

t.test('a 405 at a fixed address does not allow the methods of the addresses with a place that it would fill', async (t) => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const answer = await client.request(method, '/data-connections/audit')
    t.equal(answer.headers.get('allow'), 'GET, HEAD', method)
    await expectError(t, answer, 405, 'method_not_allowed')
  }
})

t.test('Accept is read as RFC 9110 has it', async (t) => {
  const taken = ['application/*', 'text/html, */*;q=0.1', 'application/json; charset=utf-8', 'APPLICATION/JSON',
    'text/html;q=0.9,application/json;q=0.001', '*/*;q=0, application/json']
  for (const accept of taken) {
    t.equal((await client.request('GET', '/livez', { headers: { accept } })).status, 200, accept)
  }
  const refused = ['application/json;q=0', 'application/json; q=0.000, */*', '*/*;q=0', 'application/*;q=0',
    'text/html', 'application/xml', 'json']
  for (const accept of refused) {
    await expectError(t, await client.request('GET', '/livez', { headers: { accept } }), 406, 'not_acceptable')
  }
})

t.test('35: JSON of depth 500,000 is refused within 50 ms, wherever it is sent', async (t) => {
  const deep = '['.repeat(500_000) + ']'.repeat(500_000)
  const targets: Array<
    [method: string, path: string, status: number, code: 'validation_error' | 'not_found' | 'method_not_allowed']
  > = [
    ['POST', '/forecast', 415, 'validation_error'],
    ['DELETE', '/jobs/job_1', 400, 'validation_error'],
    ['POST', '/nothing', 404, 'not_found'],
    ['POST', '/livez', 405, 'method_not_allowed']
  ]
  for (const [method, path, status, code] of targets) {
    const elapsedMs = []
    for (let turn = 0; turn < 4; turn++) {
      const started = performance.now()
      const answer = await client.request(method, path, { body: deep, headers: { 'content-type': 'application/json' } })
      elapsedMs.push(performance.now() - started)
      await expectError(t, answer, status, code)
    }
    t.ok(Math.min(...elapsedMs) < 50, `${method} ${path}: the fastest of ${elapsedMs.join(', ')} ms`)
  }
})

t.test('bytes after the end of a form, and a body that says it is encoded, are refused', async (t) => {
  const hostile = await service.createKey('sender')
  const { head, tail } = multipartAround('data.csv', { prediction_length: '3' })
  const body = head + csv(series()) + tail
  const upload = (parts: string[], headers: Record<string, string> = {}) => {
    const length = String(parts.join('').length)
    return openRaw(service.baseUrl).then(async (raw) => {
      raw.send(uploadHead(hostile, { 'content-length': length, connection: 'close', ...headers }))
      for (const part of parts) {
        raw.send(part)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      return await raw.answer()
    })
  }
  for (const parts of [[body + body], [body, body], [body + 'x'], [body, '\r\n', 'x'], [body.slice(0, -8),
    body.slice(-8) + body]]) {
    await expectError(t, await upload(parts), 400, 'validation_error')
  }
  const encoded = await expectError(t, await upload([body], { 'content-encoding': 'gzip' }), 415, 'validation_error')
  t.ok(suggestionOf(encoded))
  await expectNothingLeft(t, service, 'sender')
  for (const parts of [[body], [body, '\r\n \r\n'], [...body.match(/[^]{1,400}/g) ?? []], [body.slice(0, -5),
    body.slice(-5, -2), body.slice(-2)]]) t.equal((await upload(parts)).status, 202)
  t.equal((await upload([body], { 'content-encoding': 'identity' })).status, 202)
  await expectHealthy(t, service)
})
