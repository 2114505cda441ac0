import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../src/platform/config.ts'
import { createLog } from '../../../src/platform/log/log.ts'
import { openMetadata } from '../../../src/platform/metadata/open-metadata.ts'
import { createCaptcha, type RunningCaptcha } from '../../../src/services/sandbox/captcha/create-captcha.ts'
import { captchaTables } from '../../../src/services/sandbox/captcha/tables.ts'
import { openReceiver, type Receiver } from '../../support/receiver.ts'

type Driver = 'turnstile' | 'hcaptcha'

const address = '203.0.113.7'
const failed = (reason: string) => ({ code: 'sandbox_captcha_failed', status: 403, retryable: false, reason })
const unavailable = {
  code: 'compute_unavailable',
  status: 503,
  retryable: true,
  retryAfterSeconds: 5,
  reason: 'captcha_unavailable'
}

/** A captcha whose service is a server of the test. */
async function open (t: Test, driver: Driver,
  settings: Record<string, string> = {}
): Promise<{ captcha: RunningCaptcha, service: Receiver, log: Array<Record<string, unknown>> }> {
  const service = await openReceiver(t)
  service.answer = json({ success: true, challenge_ts: new Date().toISOString(), hostname: 'www.acme.example' })
  const metadata = await openMetadata({ path: join(t.testdir({}), 'metadata'), tables: captchaTables })
  const log: Array<Record<string, unknown>> = []
  const captcha = createCaptcha({
    config: loadConfig({
      TABCAST_SANDBOX_CAPTCHA: driver,
      TABCAST_SANDBOX_CAPTCHA_SITE_KEY: 'site-key',
      TABCAST_SANDBOX_CAPTCHA_SECRET: 'canary-secret',
      TABCAST_SANDBOX_CAPTCHA_URL: service.url,
      ...settings
    }),
    metadata,
    secret: Buffer.alloc(32),
    log: createLog('trace', {}, {
      write (line) {
        log.push(JSON.parse(line) as Record<string, unknown>)
      }
    })
  })
  t.teardown(async () => {
    await captcha.stop()
    await metadata.close()
  })
  return { captcha, service, log }
}

function json (value: unknown, status = 200): Receiver['answer'] {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  }
}

const sent = ({ deliveries }: Receiver) => deliveries.map(({ body }) => Object.fromEntries(new URLSearchParams(body)))

for (const driver of ['turnstile', 'hcaptcha'] as const) {
  t.test(`${driver}: a token is asked about, taken once, and not asked about again`, async (t) => {
    const { captcha, service } = await open(t, driver)
    t.strictSame(await captcha.challenge(), { driver, site_key: 'site-key', challenge: null, expires_at: null })
    await captcha.spend('token-1', address)
    t.match(service.deliveries, [{ method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } }])
    const [asked = {}] = sent(service)
    t.match(asked, { secret: 'canary-secret', response: 'token-1', remoteip: address })
    if (driver === 'hcaptcha') {
      t.equal(asked['sitekey'], 'site-key', 'a token for another site of the same account is refused')
    } else t.match(asked['idempotency_key'], /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    await t.rejects(captcha.spend('token-1', address), failed('replayed'))
    t.equal(service.deliveries.length, 1)
  })

  t.test(`${driver}: of twenty at once one is taken, though the service says yes to all`, async (t) => {
    const { captcha } = await open(t, driver)
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => captcha.spend('token', address)))
    t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    for (const outcome of outcomes) if (outcome.status === 'rejected') t.match(outcome.reason, failed('replayed'))
  })

  t.test(`${driver}: what the service refuses is refused, and is not on record`, async (t) => {
    const { captcha, service } = await open(t, driver)
    const good = service.answer
    for (const codes of [['invalid-input-response'], ['timeout-or-duplicate'], ['expired-input-response'], [
      'already-seen-response'
    ], ['something-new'], [], undefined]) {
      service.answer = json({ success: false, 'error-codes': codes })
      await t.rejects(captcha.spend('token', address), failed('refused'), String(codes))
    }
    service.answer = json({ success: false, 'error-codes': ['invalid-input-response'] }, 400)
    await t.rejects(captcha.spend('token', address), failed('refused'), 'with a status of its own')
    service.answer = good
    await captcha.spend('token', address)
  })

  t.test(`${driver}: a service that does not answer as it should is 503, and the token stays good`, async (t) => {
    const { captcha, service, log } = await open(t, driver, { TABCAST_SANDBOX_CAPTCHA_TIMEOUT_MS: '300' })
    const good = service.answer
    const now = new Date().toISOString()
    const answers: Record<string, [Receiver['answer'], string]> = {
      'status 500': [json({ success: true, challenge_ts: now }, 500), 'status'],
      'status 503 with a page': [(response) => {
        response.writeHead(503, { 'content-type': 'text/html' }).end('<h1>busy</h1>')
      }, 'status'],
      'a redirect to itself': [(response) => {
        response.writeHead(302, { location: service.url }).end()
      }, 'status'],
      'a page': [(response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>welcome</h1>')
      }, 'not_json'],
      'no body': [(response) => {
        response.writeHead(200).end()
      }, 'not_json'],
      'another document': [json({ ok: true }), 'not_an_answer'],
      'success as text': [json({ success: 'true', challenge_ts: now }), 'not_an_answer'],
      'a list': [json([true]), 'not_an_answer'],
      'success with a status of failure': [json({ success: true, challenge_ts: now }, 400), 'not_an_answer'],
      'success without a time': [json({ success: true }), 'no_time'],
      'more than it may say': [json({ success: true, challenge_ts: now, more: 'x'.repeat(100_000) }),
        'answer_too_large'],
      'more than it may say, packed': [(response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(10_000_000)))
      }, 'answer_too_large'],
      'nothing in time': [() => undefined, 'timeout'],
      'half an answer in time': [(response) => {
        response.writeHead(200).write('{"success":')
      }, 'timeout'],
      'a connection that breaks': [(response) => {
        response.socket?.destroy()
      }, 'ECONNRESET'],
      'a secret that it does not know': [json({ success: false, 'error-codes': ['invalid-input-secret'] }),
        'invalid-input-secret'],
      'a failure of its own': [json({ success: false, 'error-codes': ['internal-error'] }), 'internal-error']
    }
    for (const [name, [answer, reason]] of Object.entries(answers)) {
      service.answer = answer
      const before = service.deliveries.length
      await t.rejects(captcha.spend('token', address), unavailable, name)
      t.equal(service.deliveries.length, before + 1, `${name}: asked once`)
      t.match(log.at(-1), { level: 40, msg: 'captcha service', reason }, name)
    }
    t.notOk(JSON.stringify(log).includes('canary-secret'))
    t.notOk(JSON.stringify(log).includes(address))
    service.answer = good
    await captcha.spend('token', address)
    if (driver === 'turnstile') {
      t.equal(new Set(sent(service).map(({ idempotency_key: key }) => key)).size, 1,
        'a token that is asked about again is the same question')
    }
  })

  t.test(`${driver}: nobody listens`, async (t) => {
    const { captcha, log } = await open(t, driver, { TABCAST_SANDBOX_CAPTCHA_URL: 'http://127.0.0.1:9/siteverify' })
    await t.rejects(captcha.spend('token', address), unavailable)
    t.match(log.at(-1), { reason: 'ECONNREFUSED' })
  })

  t.test(`${driver}: a token older than five minutes is refused`, async (t) => {
    const { captcha, service } = await open(t, driver)
    service.answer = json({ success: true, challenge_ts: new Date(Date.now() - 301_000).toISOString() })
    await t.rejects(captcha.spend('token', address), failed('expired'))
  })

  t.test(`${driver}: a token of another host is refused where the operator names hosts`, async (t) => {
    const { captcha, service } = await open(t, driver, {
      TABCAST_SANDBOX_CAPTCHA_HOSTNAMES: 'www.acme.example,try.acme.example'
    })
    await captcha.spend('token-1', address)
    for (const hostname of ['evil.example', 'acme.example', '', undefined]) {
      service.answer = json({ success: true, challenge_ts: new Date().toISOString(), hostname })
      await t.rejects(captcha.spend('token-2', address), failed('refused'), String(hostname))
    }
  })

  t.test(`${driver}: what is no token is not asked about`, async (t) => {
    const { captcha, service } = await open(t, driver)
    for (const token of ['', ' ', 'a b', 'ä', 'a\n', '\0', 'x'.repeat(8_193)]) {
      await t.rejects(captcha.spend(token, address), failed('malformed'), token.slice(0, 10))
    }
    t.equal(service.deliveries.length, 0)
    await captcha.spend('x'.repeat(8_192), address)
  })
}

t.test('a slow service has so many questions at a time, and the others are told to come back', async (t) => {
  const { captcha, service } = await open(t, 'turnstile')
  const waiting: Array<() => void> = []
  const good = service.answer
  service.answer = (...answered) => {
    waiting.push(() => good(...answered))
  }
  const first = Array.from({ length: 64 }, (_, index) => captcha.spend(`token-${index}`, address))
  await t.rejects(captcha.spend('one-more', address), { code: 'server_overloaded', status: 503, retryable: true })
  await service.received(64)
  for (const answer of waiting) answer()
  await Promise.all(first)
  service.answer = good
  await captcha.spend('one-more', address)
})
