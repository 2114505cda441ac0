import { setImmediate } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { Type } from 'typebox'
import { loadConfig } from '../../../src/platform/config.ts'
import { providerPolicy } from '../../../src/platform/network/provider-policy.ts'
import { AnswerCache } from '../../../src/sources/covariates/http/answer-cache.ts'
import type { HttpSettings } from '../../../src/sources/covariates/http/http-source.ts'
import { ProviderRequests } from '../../../src/sources/covariates/http/provider-requests.ts'
import { columnOf, numberOf, readCsv } from '../../../src/sources/covariates/http/read-csv.ts'
import { jsonReader } from '../../../src/sources/covariates/http/read-json.ts'
import { readXml } from '../../../src/sources/covariates/http/read-xml.ts'
import { RequestQuota } from '../../../src/sources/covariates/http/request-quota.ts'
import type { Question } from '../../../src/sources/covariates/http/source.ts'
import { providerCodes } from '../../../src/sources/covariates/provider-error.ts'
import { openProviderServer, sendJson, type Handler } from '../../support/provider-server.ts'
import { until } from '../../support/until.ts'

const read = jsonReader(Type.Object({ value: Type.Number() }))
const question = (change: Partial<Question<{ value: number }>> = {}): Question<{ value: number }> => ({
  path: '/data',
  parameters: { a: '1' },
  accepts: ['application/json'],
  ttlMs: 60_000,
  read,
  signal: new AbortController().signal,
  ...change
})

async function failure (t: Test, handler: Handler, settings: Partial<HttpSettings> = {}) {
  const server = await openProviderServer(t, handler)
  const error = await server.source({ secrets: { key: 'canary-secret' }, ...settings }).get(question()).then(() => null,
    (thrown: unknown) => thrown as Error & { code: string, retryable: boolean, retryAfterMs?: number })
  if (error === null) throw new Error('the request did not fail')
  t.equal(error.name, 'ProviderError')
  t.notMatch(error.message, /canary-secret|127\.0\.0\.1/, 'neither key nor address in the message')
  return { error, requests: server.asked.length }
}

t.test('an answer is kept for its time, without the key, and asked for once by many at a time', async (t) => {
  const server = await openProviderServer(t, (response) => {
    setTimeout(() => sendJson(response, { value: server.asked.length }), 20)
  })
  let nowMs = 0
  const cache = new AnswerCache(1_000, () => nowMs)
  const source = server.source({ cache, secrets: { key: 'canary-secret' } })
  const together = await Promise.all(Array.from({ length: 20 }, async () => await source.get(question())))
  t.strictSame(new Set(together.map(({ value }) => value.value)), new Set([1]))
  t.equal((await server.source({ cache, secrets: { key: 'another' } }).get(question())).value.value, 1)
  t.equal(server.asked[0]?.query['key'], 'canary-secret')
  t.equal((await source.get(question({ parameters: { a: '2' } }))).value.value, 2)
  nowMs = Date.now() + 61_000
  t.equal((await source.get(question())).value.value, 3)
})

t.test('whoever gives up leaves the others their answer', async (t) => {
  const server = await openProviderServer(t, (response) => {
    setTimeout(() => sendJson(response, { value: 1 }), 100)
  })
  const source = server.source()
  const control = new AbortController()
  const first = source.get(question({ signal: control.signal }))
  const second = source.get(question())
  control.abort(new Error('enough'))
  await t.rejects(first, { message: 'enough' })
  t.equal((await second).value.value, 1)
  await t.rejects(source.get(question({ signal: control.signal })), { message: 'enough' })
})

t.test('a request that nobody waits for any more ends at once, and is not sent', async (t) => {
  const server = await openProviderServer(t, (response, { query }) => {
    if (query['a'] !== 'hangs') sendJson(response, { value: 1 })
  })
  const requests = new ProviderRequests()
  const source = server.source({ quota: new RequestQuota(1), requests, maxTurnMs: 3_600_000 })
  const ask = (a: string, signal: AbortSignal) => source.get(question({ parameters: { a }, signal }))
  await ask('first', new AbortController().signal)
  const [one, two] = [new AbortController(), new AbortController()]
  const waiting = [ask('second', one.signal), ask('second', two.signal)] as const
  await setImmediate()
  one.abort(new Error('deleted'))
  await t.rejects(waiting[0], { message: 'deleted' })
  two.abort(new Error('deleted, too'))
  await t.rejects(waiting[1], { message: 'deleted, too' })
  await setImmediate()
  t.equal(server.asked.length, 1, 'nothing was sent')

  const sent = server.source({ requests })
  const control = new AbortController()
  const hanging = sent.get(question({ parameters: { a: 'hangs' }, signal: control.signal }))
  await until('it is there', () => server.asked.length === 2)
  control.abort(new Error('deleted'))
  await t.rejects(hanging, { message: 'deleted' })
  await until('the connection is closed', async () => await server.connections() === 0)
  t.equal((await sent.get(question({ parameters: { a: 'hangs no more' } }))).value.value, 1)
  t.strictSame(requests.counts(), [{ provider: 'there', outcome: 'answered', count: 2 }],
    'what was broken off did not fail')
})

t.test('the cache is bounded, and what was used last stays', async (t) => {
  const cache = new AnswerCache(100, () => 0)
  const none = { value: null, fetchedAtMs: 0 }
  for (const key of ['a', 'b', 'c']) cache.set(key, none, 30, 1000)
  cache.get('a')
  cache.set('d', none, 30, 1000)
  t.strictSame(['a', 'b', 'c', 'd'].map((key) => cache.get(key) !== undefined), [true, false, true, true])
  cache.set('e', none, 101, 1000)
  t.equal(cache.get('e'), undefined)
  for (let round = 0; round < 1000; round++) cache.set(`k${round % 7}`, none, round % 60, 1000)
  t.ok(cache.bytes <= 100)
})

t.test('a request beyond the quota is refused after its patience, and further tries count', async (t) => {
  const { error, requests } = await failure(t, (response) => sendJson(response, {}, 503), {
    quota: new RequestQuota(2),
    maxTurnMs: 10
  })
  t.match(error, { code: 'QUOTA_REACHED', retryable: true })
  t.equal(requests, 2)
})

t.test('429 is asked again after what Retry-After says, unless that is too long', async (t) => {
  const server = await openProviderServer(t, (response, { index }) => {
    if (index === 0) response.writeHead(429, { 'retry-after': '1' }).end()
    else sendJson(response, { value: 7 })
  })
  t.equal((await server.source().get(question())).value.value, 7)
  t.match(await failure(t, (response) => {
    response.writeHead(429, { 'retry-after': '1' }).end()
  }, { maxWaitMs: 500 }), { error: { code: 'RATE_LIMITED', retryAfterMs: 1000 }, requests: 1 })
  const long = await failure(t, (response) => {
    response.writeHead(429, { 'retry-after': '3600' }).end()
  })
  t.match(long, { error: { code: 'RATE_LIMITED', retryable: true, retryAfterMs: 3_600_000 }, requests: 1 })
  const date = await failure(t, (response) => {
    response.writeHead(429, { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() }).end()
  })
  t.ok(date.error.retryAfterMs! > 3_590_000)
})

t.test('failures of the provider are tried again twice, refusals are not', async (t) => {
  t.match(await failure(t, (response) => sendJson(response, {}, 500)), {
    error: {
      code: 'PROVIDER_UNAVAILABLE',
      retryable: true,
      message: 'there reports a failure of its own: status 500.'
    },
    requests: 3
  })
  const server = await openProviderServer(t,
    (response, { index }) => index < 2 ? sendJson(response, {}, 503) : sendJson(response, { value: 4 }))
  t.equal((await server.source().get(question())).value.value, 4)
  t.match(await failure(t, (response) => sendJson(response, {}, 401)), {
    error: { code: 'AUTHENTICATION_FAILED', retryable: false },
    requests: 1
  })
  t.match(await failure(t, (response) => sendJson(response, {}, 404)), { error: { code: 'NOT_FOUND' }, requests: 1 })
  t.match(await failure(t, (response) => sendJson(response, {}, 422)), {
    error: { code: 'REQUEST_REFUSED' },
    requests: 1
  })
  t.match(await failure(t, (response) => {
    response.destroy()
  }), {
    error: { code: 'NETWORK_ERROR', retryable: true, message: /cannot be reached: the connection was closed/ },
    requests: 3
  })
  t.match(await failure(t, () => undefined, { timeoutMs: 100 }), {
    error: { code: 'TIMEOUT', retryable: true },
    requests: 3
  })
})

t.test('redirects are not followed', async (t) => {
  const { error, requests } = await failure(t, (response) => {
    response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end()
  })
  t.match(error, { code: 'REDIRECTED', retryable: false })
  t.equal(requests, 1)
})

t.test('a body that is cut off, of another type, too large, or that inflates to too much', async (t) => {
  const cut = await failure(t, (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"value":')
    setTimeout(() => response.destroy(), 20)
  })
  t.match(cut, { error: { code: 'NETWORK_ERROR' }, requests: 3 })
  t.match(await failure(t, (response) => sendJson(response, '{"value": 1')), {
    error: { code: 'INVALID_ANSWER', retryable: false },
    requests: 1
  })
  t.match(await failure(t, (response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
  }), { error: { code: 'INVALID_ANSWER', message: /not application\/json/ } })
  const large = await failure(t, (response) => sendJson(response, { value: 1, padding: 'x'.repeat(10_000) }), {
    maxBytes: 1000
  })
  t.match(large, { error: { code: 'ANSWER_TOO_LARGE', retryable: false }, requests: 1 })
  const bomb = gzipSync(Buffer.alloc(50_000_000))
  const inflated = await failure(t, (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb)
  })
  t.match(inflated, { error: { code: 'ANSWER_TOO_LARGE' }, requests: 1 })
  const damaged = await failure(t, (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end('not gzip')
  })
  t.match(damaged, { error: { code: 'INVALID_ANSWER' }, requests: 1 })
  const server = await openProviderServer(t, (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(
      gzipSync('{"value":5}')
    )
  })
  t.equal((await server.source().get(question())).value.value, 5)
})

t.test('a bad answer is not kept', async (t) => {
  const server = await openProviderServer(t,
    (response, { index }) => sendJson(response, index === 0 ? { value: 'x' } : { value: 2 }))
  const source = server.source()
  await t.rejects(source.get(question()), {
    code: 'INVALID_ANSWER',
    message: 'there answers with something that is not in its documented form: /value is not of the expected type.'
  } as never)
  t.equal((await source.get(question())).value.value, 2)
})

t.test('the policy lets configured addresses through, wherever they lie, and no others; never the service itself', async (t) => {
  const server = await openProviderServer(t, (response) => sendJson(response, { value: 1 }))
  const closed = providerPolicy(loadConfig({}), ['http://192.168.1.1:1'])
  await t.rejects(server.source({ policy: closed }).get(question()), { code: 'ADDRESS_NOT_ALLOWED' } as never)
  const own = loadConfig({ TABCAST_PORT: new URL(server.url).port })
  await t.rejects(server.source({ policy: providerPolicy(own, [server.url]) }).get(question()),
    { code: 'ADDRESS_NOT_ALLOWED' } as never)
  t.equal(server.asked.length, 0)
})

t.test('hostile JSON', async (t) => {
  const anything = jsonReader(Type.Unknown())
  const refused = (text: string) =>
    t.throws(() => anything(Buffer.from(text)), { name: 'InvalidAnswer' }, text.slice(0, 40))
  for (const text of ['', 'null x', '{"__proto__": {"a": 1}}', '{"a": {"constructor": {"prototype": 1}}}',
    '['.repeat(100_000), '{"a":'.repeat(30) + '1' + '}'.repeat(30)]) refused(text)
  t.strictSame(anything(Buffer.from('{"a": "[[[[[[[[[[[[[[[[[[[[[[[[[{\\"", "b": [1]}')), {
    a: '[[[[[[[[[[[[[[[[[[[[[[[[[{"',
    b: [1]
  }, 'brackets in texts do not count')
  t.throws(() => read(Buffer.from('{"value": 1e999}')), { name: 'InvalidAnswer' })
})

t.test('hostile XML', async (t) => {
  const bombs = [
    '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
    '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>',
    '<a>&x;</a>',
    '<a',
    '<a></b>',
    '<a/><b/>',
    '',
    'text',
    '<a>' + '<b>'.repeat(50) + '</b>'.repeat(50) + '</a>',
    `<a>${'x'.repeat(20_000)}</a>`,
    '<a b="1" b="2"/>',
    '<a>\u0000</a>'
  ]
  for (const text of bombs) t.throws(() => readXml(Buffer.from(text)), { name: 'InvalidAnswer' }, text.slice(0, 40))
  t.throws(() => readXml(Buffer.from(`<a>${'<b/>'.repeat(600_000)}</a>`)), {
    name: 'InvalidAnswer',
    message: /too many elements/
  })
  t.match(
    readXml(Buffer.from('<?xml version="1.0"?><n:a xmlns:n="urn:x"><b> 1 &amp; 2 </b><__proto__>3</__proto__></n:a>')),
    { name: 'a', children: [{ name: 'b', text: '1 & 2' }, { name: '__proto__', text: '3' }] }
  )
})

t.test('CSV: quotes, line ends, and what is wrong with it', async (t) => {
  const table = readCsv('\ufeffa,b\r\n1,"x, ""y""\nz"\r\n\n2,\n')
  t.strictSame([...table], [['a', ['1', '2']], ['b', ['x, "y"\nz', '']]])
  t.strictSame([...readCsv('__proto__,b\n1,2')], [['__proto__', ['1']], ['b', ['2']]])
  for (const text of ['a,a\n1,2', 'a,b\n1', 'a\n"1', 'a\n"1"2', `a\n${'x'.repeat(200_000)}`]) {
    t.throws(() => readCsv(text), { name: 'InvalidAnswer' }, text.slice(0, 20))
  }
  t.throws(() => columnOf(table, 'c'), { message: 'the CSV has no column c' })
  t.strictSame(['', 'NaN', '1.5', '-2e3', '.5'].map(numberOf), [null, null, 1.5, -2000, 0.5])
  for (const field of ['1,5', '0x10', 'Infinity', '1e999', ' 1', '--1']) {
    t.throws(() => numberOf(field), { name: 'InvalidAnswer' }, field)
  }
})

t.test('every code has a sentence that ends well', async (t) => {
  for (const [code, { text }] of Object.entries(providerCodes)) t.match(text, /^[a-z].*[a-z]$/, code)
})
