import t from 'tap'
import { loadConfig } from '../../../src/platform/config.ts'
import { expectError } from '../../support/expect-error.ts'
import { openReceiver, type Receiver } from '../../support/receiver.ts'
import { openSandbox } from '../../support/sandbox.ts'

/* Decision 41 through the routes: captchas of a service, which is a server of the test. */

const says = (value: unknown, status = 200): Receiver['answer'] => (response) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
const solvedAt = (ms: number): Receiver['answer'] =>
  says({ success: true, challenge_ts: new Date(ms).toISOString(), hostname: 'www.acme.example' })

for (const driver of ['turnstile', 'hcaptcha'] as const) {
  t.test(`${driver}: expired and refused tokens are 403; a service that is away is 503, and the token stays good`, async (t) => {
    const service = await openReceiver(t)
    const stage = await openSandbox(t, {
      TABCAST_SANDBOX_CAPTCHA: driver,
      TABCAST_SANDBOX_CAPTCHA_SITE_KEY: 'site-key',
      TABCAST_SANDBOX_CAPTCHA_SECRET: 'canary-secret',
      TABCAST_SANDBOX_CAPTCHA_URL: service.url
    })
    t.match(JSON.parse((await stage.ask('GET', '/sandbox/challenge')).text), {
      driver,
      site_key: 'site-key',
      challenge: null
    })
    service.answer = solvedAt(Date.now() - 6 * 60_000)
    t.match(
      (await expectError(t, await stage.post('forecast', { captcha_token: 'old' }), 403, 'sandbox_captcha_failed'))
        .detail,
      { reason: 'expired' }
    )
    service.answer = says({ success: false, 'error-codes': ['invalid-input-response'] })
    t.match(
      (await expectError(t, await stage.post('forecast', { captcha_token: 'forged' }), 403, 'sandbox_captcha_failed'))
        .detail,
      { reason: 'refused' }
    )
    service.answer = says({}, 500)
    const away = await expectError(t, await stage.post('forecast', { captcha_token: 'good' }), 503,
      'compute_unavailable')
    t.match(away.detail, { reason: 'captcha_unavailable', retryable: true })
    service.answer = solvedAt(Date.now())
    const taken = await stage.post('forecast', { captcha_token: 'good' })
    t.equal(taken.status, 202, taken.text)
    t.match(
      (await expectError(t, await stage.post('forecast', { captcha_token: 'good', email: 'ana@bosch.com' }), 403,
        'sandbox_captcha_failed')).detail,
      { reason: 'replayed' }
    )
  })
}

t.test('without a word of the operator it is off, and with one it takes few', async (t) => {
  t.match(loadConfig({}), {
    SANDBOX_ENABLED: false,
    SANDBOX_POSTS_PER_HOUR: 5,
    SANDBOX_POSTS_PER_MINUTE: 30,
    SANDBOX_RETENTION_SECONDS: 3600,
    SANDBOX_CLAIM_DAYS: 0
  })
})
