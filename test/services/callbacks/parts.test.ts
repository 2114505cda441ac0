import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../src/platform/config.ts'
import { RetrySchedule } from '../../../src/platform/due-work/retry-schedule.ts'
import { openMetadata } from '../../../src/platform/metadata/open-metadata.ts'
import { callbackPolicy } from '../../../src/platform/network/callback-policy.ts'
import type { Resolve } from '../../../src/platform/network/resolve.ts'
import { openVault } from '../../../src/platform/vault/open-vault.ts'
import { callbackBody, callbackData } from '../../../src/services/callbacks/callback-body.ts'
import { postCallback } from '../../../src/services/callbacks/post-callback.ts'
import { sign } from '../../../src/services/callbacks/signature.ts'
import { callbackTables } from '../../../src/services/callbacks/tables.ts'
import { WebhookSecrets } from '../../../src/services/callbacks/webhook-secrets.ts'
import { openReceiver, status } from '../../support/receiver.ts'
import { untrusted } from '../../support/untrusted-certificate.ts'
import { verifyWebhook } from '../../support/verify-webhook.ts'

async function listen (t: Test, server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => server.close())
  return (server.address() as AddressInfo).port
}

/** One attempt, with 127.0.0.1 opened unless `settings` say otherwise. */
async function post (url: string,
  { settings = { TABCAST_CALLBACK_ALLOW_HOSTS: '127.0.0.1' }, resolve, timeoutMs = 10_000 }: {
    settings?: Record<string, string>
    resolve?: Resolve
    timeoutMs?: number
  } = {}) {
  const policy = callbackPolicy(loadConfig(settings), resolve)
  return await postCallback(policy, {
    tenant: 'acme',
    url,
    headers: { 'webhook-id': 'msg_1' },
    body: '{"a":"ä"}',
    timeoutMs,
    signal: new AbortController().signal
  })
}

t.test('the signature is that of the test vector of the Standard Webhooks libraries', async (t) => {
  // From the test suites of github.com/standard-webhooks/standard-webhooks.
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek'
  const body = '{"test": 2432232314}'
  const expected = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
  t.equal(sign([Buffer.from(secret.slice('whsec_'.length), 'base64')], id, '1614265330', body), expected)
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': `v1a,x v1,${'A'.repeat(43)}= ${expected}`
  }
  t.strictSame(verifyWebhook(secret, { headers, body }, 1614265330_000), { test: 2432232314 },
    'and the verification of these tests takes it')
  t.throws(() => verifyWebhook(secret, { headers, body: body.replace('4', '5') }, 1614265330_000), /no signature/)
  t.throws(() => verifyWebhook(secret, { headers, body }), /not fresh/)
})

t.test('a body that would be too large says which fields it left out, the largest first and no more than needed', async (t) => {
  const bodyOf = (job: object): string => callbackBody({ type: 'job.completed', atMs: 0 }, callbackData(job))
  const job = {
    job_id: 'job_1',
    status: 'completed',
    created_at: 'x',
    job_type: 'forecast',
    name: 'n',
    metadata: { a: 'ü'.repeat(900) },
    warnings: null as unknown
  }
  t.strictSame(JSON.parse(bodyOf({ ...job, absent: undefined })), {
    type: 'job.completed',
    timestamp: '1970-01-01T00:00:00.000Z',
    data: job
  })
  const large = { ...job, warnings: ['x'.repeat(19_500)] }
  const body = bodyOf(large)
  t.ok(Buffer.byteLength(body) < 20_000)
  t.strictSame(JSON.parse(body), {
    type: 'job.completed',
    timestamp: '1970-01-01T00:00:00.000Z',
    data: { ...large, warnings: null },
    omitted: ['warnings']
  })
  const twice = { ...large, metadata: { a: 'x'.repeat(30_000) } }
  t.strictSame(JSON.parse(bodyOf(twice)).omitted, ['metadata'], 'without the metadata the warnings fit')
  t.strictSame(JSON.parse(bodyOf({ ...twice, name: 'n'.repeat(500) })).omitted, ['metadata', 'warnings'])
})

t.test('pauses vary by a fifth, keep to what the endpoint asks within bounds, and end before the job expires', async (t) => {
  const day = 86_400_000
  const low = new RetrySchedule('TEST', '0,10, 2.5', () => 0)
  const high = new RetrySchedule('TEST', '0,10, 2.5', () => 0.999999)
  t.equal(low.next(0, 1000, day), 1000)
  t.equal(low.next(1, 0, day), 8_000)
  t.equal(high.next(1, 0, day), 12_000)
  t.equal(low.next(2, 0, day), 2_000)
  t.equal(low.next(3, 0, day), null, 'their number is that of the attempts')
  t.equal(low.next(1, 0, day, 60_000), 60_000, 'Retry-After')
  t.equal(low.next(1, 0, day, 1_000), 8_000, 'a shorter one changes nothing')
  t.equal(low.next(1, 0, day, 10 * day), 1_200_000, 'one without bounds neither')
  t.equal(low.next(1, 0, 8_000), null, 'not at the expiry')
  t.equal(low.next(1, 0, 8_001), 8_000)
  for (const text of ['', '0,', 'x', '0,-1', '1e3', '0;5']) {
    t.throws(() => new RetrySchedule('TEST', text), { name: 'ConfigError' }, text)
  }
})

t.test('a secret is made once, kept sealed, and signs for a day after it was replaced', async (t) => {
  const folder = t.testdir({})
  const metadata = await openMetadata({ path: join(folder, 'metadata'), tables: callbackTables })
  t.teardown(() => metadata.close())
  let nowMs = Date.now()
  const secrets = new WebhookSecrets(metadata, openVault(join(folder, 'keyring.json')), () => nowMs)
  /** How many signatures a body gets, each of which has to be by one of these secrets. */
  const signatures = async (...valid: string[]): Promise<number> => {
    const timestamp = String(Math.floor(nowMs / 1000))
    const list = (await secrets.sign('acme', 'msg_1', timestamp, '{}')).split(' ')
    const signed = (signature: string) => ({
      headers: { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': signature },
      body: '{}'
    })
    for (const [index, signature] of list.entries()) verifyWebhook(valid[index] ?? '', signed(signature), nowMs)
    return list.length
  }
  const shown = await Promise.all([secrets.show('acme'), secrets.show('acme'), secrets.show('acme')])
  t.equal(new Set(shown.map(({ secret }) => secret)).size, 1, 'three first uses at the same moment make one')
  const first = shown[0]!.secret
  t.match(first, /^whsec_[A-Za-z0-9+/]{43}=$/)
  t.equal(Buffer.from(first.slice(6), 'base64').length, 32)
  t.not((await secrets.show('other')).secret, first)
  t.equal(await signatures(first), 1)

  nowMs += 1000
  const second = await secrets.rotate('acme')
  t.match(second, { createdAtMs: nowMs, previousUntilMs: nowMs + 86_400_000 })
  const third = await secrets.rotate('acme')
  t.equal(await signatures(third.secret, second.secret, first), 3, 'a second rotation does not cut the first one short')
  nowMs += 86_400_000
  t.equal(await signatures(third.secret), 1)
  t.equal((await secrets.show('acme')).previousUntilMs, null)
  const many: string[] = []
  for (let turn = 0; turn < 10; turn++) many.unshift((await secrets.rotate('acme')).secret)
  t.equal(await signatures(...many), 5, 'the list has an end')

  for (const table of callbackTables) {
    for (const { value } of metadata.table(table).range()) {
      const bytes = Object.values((value as { secret: Record<string, Uint8Array> }).secret).filter((one) =>
        one instanceof Uint8Array
      )
      for (const secret of many) {
        t.notOk(bytes.some((one) => Buffer.from(one).includes(Buffer.from(secret.slice(6), 'base64'))),
          'the record holds no key in the clear')
      }
    }
  }
})

t.test('what an attempt comes to, in words that stay the same', async (t) => {
  const receiver = await openReceiver(t)
  t.match(await post(receiver.url), { statusCode: 204, error: null, isFinal: false, retryAfterMs: 0 })
  t.match(receiver.deliveries[0], {
    method: 'POST',
    path: '/hook',
    body: '{"a":"ä"}',
    headers: { host: receiver.host, 'webhook-id': 'msg_1', 'content-length': '10' }
  })
  receiver.answer = status(500)
  t.match(await post(receiver.url), { statusCode: 500, error: 'http_status', isFinal: false })
  receiver.answer = status(410)
  t.match(await post(receiver.url), { statusCode: 410, error: 'http_status', isFinal: true })
  receiver.answer = status(429, { 'retry-after': '120' })
  t.match(await post(receiver.url), { statusCode: 429, error: 'http_status', retryAfterMs: 120_000 })
  receiver.answer = status(503, { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() })
  t.ok((await post(receiver.url)).retryAfterMs > 3_500_000, 'a date')
  for (const header of ['soon', '-5', '1.5e3', new Date(0).toUTCString()]) {
    receiver.answer = status(503, { 'retry-after': header })
    t.equal((await post(receiver.url)).retryAfterMs, 0, header)
  }
  receiver.answer = (response) => response.destroy()
  t.match(await post(receiver.url), { statusCode: null, error: 'connection_failed' })
  receiver.answer = () => undefined
  t.match(await post(receiver.url, { timeoutMs: 100 }), { statusCode: null, error: 'timeout' })

  const nobody = createServer()
  const freePort = await listen(t, nobody)
  nobody.close()
  t.match(await post(`http://127.0.0.1:${freePort}/`), { error: 'connection_failed' })
  t.match(await post('https://callbacks.example/', {
    resolve: async () => {
      throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
    }
  }), { error: 'name_not_resolved' })
  t.match(
    await post('https://callbacks.example/', {
      resolve: async () => await new Promise(() => undefined),
      timeoutMs: 100
    }),
    { error: 'timeout' },
    'a name server that does not answer'
  )

  const port = await listen(t, createServer((socket) => {
    socket.on('error', () => socket.destroy()).end('220 mail.example ESMTP\r\n')
  }))
  t.match(await post(`http://127.0.0.1:${port}/`), { statusCode: null, error: 'invalid_response' })
  t.match(await post(`https://127.0.0.1:${port}/`), { statusCode: null, error: 'tls_error' })
})

t.test('a certificate that nobody signed is a tls_error, and nothing is sent', async (t) => {
  let requests = 0
  const port = await listen(t, createTlsServer(untrusted, (_request, response) => {
    requests++
    response.end()
  }))
  t.match(await post(`https://127.0.0.1:${port}/`), { statusCode: null, error: 'tls_error' })
  t.equal(requests, 0)
})

t.test('50: a name that leads to this machine by the time of the attempt is refused, and nobody is visited', async (t) => {
  const victim = await openReceiver(t)
  for (const address of ['127.0.0.1', '169.254.169.254', '10.0.0.1', '::1', '::ffff:7f00:1']) {
    const resolve = async () => [{ address, family: address.includes(':') ? 6 : 4 }]
    t.match(await post('https://rebinding.example/', { settings: {}, resolve }), {
      statusCode: null,
      error: 'refused_by_policy'
    }, address)
  }
  t.match(await post(victim.url, { settings: {} }), { error: 'refused_by_policy' },
    'a host that was allowed and is not any more')
  t.equal(victim.deliveries.length, 0)
})

t.test('51: a redirect is a failed attempt and not followed, wherever it leads', async (t) => {
  const receiver = await openReceiver(t)
  const inside = await openReceiver(t)
  for (const code of [301, 302, 303, 307, 308]) {
    receiver.answer = status(code, { location: inside.url })
    t.match(await post(receiver.url), { statusCode: code, error: 'redirect', isFinal: false })
  }
  t.equal(inside.deliveries.length, 0)
})

t.test('an answer without end counts by its status, and little of it is read', async (t) => {
  let written = 0
  const port = await listen(t, createHttpServer((_request, response) => {
    response.writeHead(200)
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(16_384))) written += 16_384
    }
    response.on('drain', more)
    more()
  }))
  t.match(await post(`http://127.0.0.1:${port}/`), { statusCode: 200, error: null })
  t.ok(written < 64 * 1024 * 1024, 'the rest was cut off')

  const crumbs = await listen(t, createServer((socket) => {
    socket.on('error', () => socket.destroy()).once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
      const more = () => {
        while (!socket.destroyed && socket.write('1\r\nx\r\n'.repeat(1000)));
      }
      socket.on('drain', more)
      more()
    })
  }))
  t.match(await post(`http://127.0.0.1:${crumbs}/`), { statusCode: 200, error: null },
    'a piece of one byte counts more than one byte')
  const hints = await listen(t, createServer((socket) => {
    socket.on('error', () => socket.destroy()).once('data', () => {
      const more = () => {
        while (!socket.destroyed && socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(1000)));
      }
      socket.on('drain', more)
      more()
    })
  }))
  t.match(await post(`http://127.0.0.1:${hints}/`), { statusCode: null, error: 'invalid_response' },
    'hints without end')

  const receiver = await openReceiver(t)
  receiver.answer = (response) => {
    response.writeHead(200).write('and now')
  }
  t.match(await post(receiver.url, { timeoutMs: 200 }), { statusCode: 200, error: null },
    'one that stalls is over with the time of the attempt')
})
