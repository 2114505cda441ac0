import { join } from 'node:path'
import { solveChallenge, type Challenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../src/platform/config.ts'
import { createLog } from '../../../src/platform/log/log.ts'
import type { MetadataStore } from '../../../src/platform/metadata/metadata-store.ts'
import { openMetadata } from '../../../src/platform/metadata/open-metadata.ts'
import { captchaOptions } from '../../../src/services/sandbox/captcha/captcha-options.ts'
import type { AltchaChallenge, Captcha } from '../../../src/services/sandbox/captcha/captcha.ts'
import { createCaptcha } from '../../../src/services/sandbox/captcha/create-captcha.ts'
import { SpentTokens } from '../../../src/services/sandbox/captcha/spent-tokens.ts'
import { captchaTables } from '../../../src/services/sandbox/captcha/tables.ts'

const installation = Buffer.alloc(32, 7)

interface Opened {
  captcha: Captcha
  metadata: MetadataStore
  log: Array<Record<string, unknown>>
  restart(): Promise<Captcha>
}

/** A captcha over a real record. */
async function openCaptcha (t: Test, settings: Record<string, string> = {},
  secret: Uint8Array = installation): Promise<Opened> {
  const path = join(t.testdir({}), 'metadata')
  const log: Opened['log'] = []
  const config = loadConfig(settings)
  const start = async () => {
    const metadata = await openMetadata({ path, tables: captchaTables })
    const captcha = createCaptcha({
      config,
      metadata,
      secret,
      log: createLog('trace', {}, {
        write (line) {
          log.push(JSON.parse(line) as Record<string, unknown>)
        }
      })
    })
    return {
      captcha,
      metadata,
      stop: async () => {
        await captcha.stop()
        await metadata.close()
      }
    }
  }
  let running = await start()
  t.teardown(() => running.stop())
  return {
    captcha: running.captcha,
    metadata: running.metadata,
    log,
    async restart () {
      await running.stop()
      running = await start()
      return running.captcha
    }
  }
}

async function solved (captcha: Captcha) {
  const { challenge } = await captcha.challenge() as { challenge: AltchaChallenge }
  const solution = await solveChallenge({ challenge: challenge as Challenge, deriveKey })
  if (solution === null) throw new Error('not solved')
  return { challenge, solution }
}

const tokenOf = (payload: unknown) => Buffer.from(JSON.stringify(payload)).toString('base64')

const failed = (reason: string) => ({ code: 'sandbox_captcha_failed', status: 403, retryable: false, reason })

t.test('altcha: a solved challenge is taken once, after a restart as well', async (t) => {
  const { captcha, restart } = await openCaptcha(t)
  t.equal(captcha.driver, 'altcha', 'unless the operator says otherwise')
  const shown = await captcha.challenge()
  t.match(shown, {
    driver: 'altcha',
    site_key: null,
    challenge: { parameters: { algorithm: 'PBKDF2/SHA-256' }, signature: /^[0-9a-f]{64}$/ }
  })
  const seconds = (Date.parse(shown.expires_at ?? '') - Date.now()) / 1000
  t.ok(seconds > 290 && seconds <= 300, 'five minutes')
  const payload = await solved(captcha)
  t.ok(payload.solution.counter >= 2_000 && payload.solution.counter < 6_000, 'the work has a bound')
  const token = tokenOf(payload)
  t.ok(token.length < 2_000, 'it fits into a field of a form')
  await captcha.spend(token, '203.0.113.7')
  await t.rejects(captcha.spend(token, '203.0.113.7'), failed('replayed'))
  await t.rejects((await restart()).spend(token, '203.0.113.7'), failed('replayed'))
})

t.test('altcha: of twenty at once one is taken, and a token in another spelling is the same', async (t) => {
  const { captcha } = await openCaptcha(t)
  const { challenge, solution } = await solved(captcha)
  const spellings = Array.from({ length: 20 },
    (_, index) =>
      Buffer.from(JSON.stringify({ solution: { ...solution, time: index }, challenge, more: index }, null, index % 3))
        .toString(index % 2 === 0 ? 'base64' : 'base64url'))
  const outcomes = await Promise.allSettled(spellings.map((token) => captcha.spend(token, '203.0.113.7')))
  t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const outcome of outcomes) if (outcome.status === 'rejected') t.match(outcome.reason, failed('replayed'))
})

t.test('altcha: a token older than five minutes is refused', async (t) => {
  const { captcha } = await openCaptcha(t)
  const payload = await solved(captcha)
  const now = Date.now
  t.intercept(Date, 'now', { value: () => now() + 301_000 })
  await t.rejects(captcha.spend(tokenOf(payload), '203.0.113.7'), failed('expired'))
})

t.test('altcha: what was not signed here, or not solved, is refused, and nothing is kept of it', async (t) => {
  const { captcha, metadata } = await openCaptcha(t)
  const { challenge, solution } = await solved(captcha)
  const { parameters, signature } = challenge
  const other = (text: string) => (text[0] === '0' ? '1' : '0') + text.slice(1)
  const forged = {
    'another signature': { challenge: { parameters, signature: other(signature) }, solution },
    'a later end': {
      challenge: { parameters: { ...parameters, expiresAt: parameters.expiresAt + 3_600 }, signature },
      solution
    },
    'another nonce': {
      challenge: { parameters: { ...parameters, nonce: other(parameters.nonce) }, signature },
      solution
    },
    'the start of the key, which everybody knows': {
      challenge,
      solution: { ...solution, derivedKey: parameters.keyPrefix + '0'.repeat(32) }
    },
    'another key': { challenge, solution: { ...solution, derivedKey: other(solution.derivedKey) } }
  }
  for (const [name, payload] of Object.entries(forged)) {
    await t.rejects(captcha.spend(tokenOf(payload), '203.0.113.7'), failed('forged'), name)
  }
  await t.test('of another installation', async (t) => {
    const { captcha: elsewhere } = await openCaptcha(t, {}, Buffer.alloc(32, 8))
    await t.rejects(elsewhere.spend(tokenOf({ challenge, solution }), '203.0.113.7'), failed('forged'))
  })
  t.equal(metadata.table('sandboxTokens').count(), 0)
  await captcha.spend(tokenOf({ challenge, solution }), '203.0.113.7')
})

t.test('altcha: what is no token is refused', async (t) => {
  const { captcha, metadata } = await openCaptcha(t)
  const { challenge, solution } = await solved(captcha)
  const { parameters } = challenge
  const values: unknown[] = [
    null,
    0,
    '',
    'x',
    [],
    {},
    { challenge },
    { solution },
    { challenge: null, solution },
    { challenge: { ...challenge, signature: 7 }, solution },
    { challenge: [challenge], solution },
    { challenge: { parameters: { ...parameters, cost: 1 }, signature: challenge.signature }, solution },
    { challenge: { parameters: { ...parameters, algorithm: 'SHA-1' }, signature: challenge.signature }, solution },
    { challenge: { parameters: { ...parameters, data: { deep: 1 } }, signature: challenge.signature }, solution },
    { challenge, solution: { ...solution, counter: 1.5 } },
    { challenge, solution: { ...solution, counter: '1' } },
    { challenge, solution: { ...solution, derivedKey: solution.derivedKey.toUpperCase() + 'ZZ' } }
  ]
  for (const value of values) {
    await t.rejects(captcha.spend(tokenOf(value), '203.0.113.7'), failed('malformed'),
      JSON.stringify(value)?.slice(0, 60))
  }
  for (const token of ['', ' ', 'x', '{}', '\0', 'ä'.repeat(100), '['.repeat(4_000),
    Buffer.from('['.repeat(3_000)).toString('base64'), 'A'.repeat(1_000_000)]) {
    await t.rejects(captcha.spend(token, '203.0.113.7'), failed('malformed'), token.slice(0, 20))
  }
  await t.rejects(
    captcha.spend(
      Buffer.from(`{"__proto__":{"challenge":{}},"solution":${JSON.stringify(solution)}}`).toString('base64'),
      '203.0.113.7'
    ),
    failed('malformed')
  )
  t.equal(metadata.table('sandboxTokens').count(), 0)
})

t.test('spent tokens are forgotten when they have long expired, and have a bound until then', async (t) => {
  const metadata = await openMetadata({ path: join(t.testdir({}), 'metadata'), tables: captchaTables })
  t.teardown(() => metadata.close())
  let now = Date.parse('2026-01-01T00:00:00Z')
  const open = () => new SpentTokens({ metadata, driver: 'altcha', maxTokens: 2, now: () => now })
  const first = open()
  await first.add('a', now + 300_000)
  await first.add('b', now + 300_000)
  const spent = open()
  t.throws(() => spent.check('c'), { code: 'server_overloaded', status: 503, retryable: true },
    'there is no room after a restart either')
  await t.rejects(spent.add('c', now + 300_000), { code: 'server_overloaded' })
  t.throws(() => spent.check('a'), failed('replayed'))
  now += 899_000
  await spent.sweep()
  t.throws(() => spent.check('a'), failed('replayed'), 'ten minutes behind its end it is still known')
  now += 2_000
  await spent.sweep()
  for (const table of captchaTables) t.equal(metadata.table(table).count(), 0, table)
  await spent.add('c', now + 300_000)
})

t.test('the record that cannot be written takes no token', async (t) => {
  const { captcha, metadata } = await openCaptcha(t)
  const token = tokenOf(await solved(captcha))
  await metadata.close()
  await t.rejects(captcha.spend(token, '203.0.113.7'), { name: 'MetadataError' })
})

t.test('none: every token is good, and the log says so at the start', async (t) => {
  const { captcha, log } = await openCaptcha(t, { TABCAST_SANDBOX_CAPTCHA: 'none' })
  t.strictSame(await captcha.challenge(), { driver: 'none', site_key: null, challenge: null, expires_at: null })
  await captcha.spend('', '203.0.113.7')
  await captcha.spend('', '203.0.113.7')
  t.match(log, [{ level: 40, msg: /TABCAST_SANDBOX_CAPTCHA=none/ }])
})

t.test('settings that do not fit together stop the start, with the name and what to do', async (t) => {
  const account = { TABCAST_SANDBOX_CAPTCHA_SITE_KEY: 'site', TABCAST_SANDBOX_CAPTCHA_SECRET: 'secret' }
  const wrong: Array<[Record<string, string>, RegExp]> = [
    [{ TABCAST_SANDBOX_CAPTCHA: 'recaptcha' },
      /^TABCAST_SANDBOX_CAPTCHA="recaptcha": must be one of altcha, turnstile, hcaptcha, none/],
    [{ TABCAST_SANDBOX_CAPTCHA: 'turnstile' },
      /^TABCAST_SANDBOX_CAPTCHA_SITE_KEY is missing: TABCAST_SANDBOX_CAPTCHA=turnstile needs/],
    [{ TABCAST_SANDBOX_CAPTCHA: 'hcaptcha', TABCAST_SANDBOX_CAPTCHA_SITE_KEY: 'site' },
      /^TABCAST_SANDBOX_CAPTCHA_SECRET is missing: TABCAST_SANDBOX_CAPTCHA=hcaptcha needs/],
    [{ TABCAST_SANDBOX_CAPTCHA_SECRET: 'secret' },
      /^TABCAST_SANDBOX_CAPTCHA_SECRET is set, and TABCAST_SANDBOX_CAPTCHA=altcha has no use for it/],
    [{ TABCAST_SANDBOX_CAPTCHA: 'none', TABCAST_SANDBOX_CAPTCHA_URL: 'https://captcha.internal' },
      /^TABCAST_SANDBOX_CAPTCHA_URL is set, and TABCAST_SANDBOX_CAPTCHA=none/],
    [{ TABCAST_SANDBOX_CAPTCHA: 'turnstile', ...account, TABCAST_SANDBOX_CAPTCHA_SECRET: 'secret\n' },
      /^TABCAST_SANDBOX_CAPTCHA_SECRET=<set, not shown>: must be printable/],
    [{
      TABCAST_SANDBOX_CAPTCHA: 'turnstile',
      ...account,
      TABCAST_SANDBOX_CAPTCHA_URL: 'https://ana:pass@captcha.internal/'
    }, /^TABCAST_SANDBOX_CAPTCHA_URL: must be an http or https address without/],
    [{
      TABCAST_SANDBOX_CAPTCHA: 'hcaptcha',
      ...account,
      TABCAST_SANDBOX_CAPTCHA_HOSTNAMES: 'www.acme.example, https://acme.example'
    }, /"https:\/\/acme.example" is not the name of a host/]
  ]
  for (const [settings, message] of wrong) {
    t.throws(() => captchaOptions(loadConfig(settings)), { name: 'ConfigError', message }, JSON.stringify(settings))
  }
  const options = captchaOptions(
    loadConfig({
      TABCAST_SANDBOX_CAPTCHA: 'hcaptcha',
      ...account,
      TABCAST_SANDBOX_CAPTCHA_HOSTNAMES: 'WWW.acme.example, acme.example'
    })
  )
  t.match(options, {
    driver: 'hcaptcha',
    siteKey: 'site',
    secret: 'secret',
    hostnames: ['www.acme.example', 'acme.example']
  })
  t.equal(String((options as { url: URL }).url), 'https://api.hcaptcha.com/siteverify')
})
