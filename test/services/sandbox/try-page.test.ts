import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../src/platform/config.ts'
import { columnNames } from '../../../src/services/sandbox/page/browser/column-names.ts'
import { curlCommand } from '../../../src/services/sandbox/page/browser/curl-command.ts'
import { sandboxOrigins } from '../../../src/services/sandbox/sandbox-origins.ts'
import { openApi, type ApiStage } from '../../support/api.ts'
import { expectError } from '../../support/expect-error.ts'

const key = 'key-of-the-page-0123456789'
const site = 'https://www.acme.example'

/** The interface with a sandbox, and a key of it that the page shows. */
async function openSandbox (t: Test, settings: Record<string, string> = {}): Promise<ApiStage> {
  const folder = mkdtempSync(join(tmpdir(), 'tabcast-try-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const keysFile = join(folder, 'keys.json')
  writeFileSync(keysFile,
    JSON.stringify({ [key]: { tenant: 'visitors', scopes: ['sandbox'] }, 'key-that-may-do-all-0123': 'acme' }))
  return await openApi(t, {
    TABCAST_SANDBOX_ENABLED: 'true',
    TABCAST_SANDBOX_CAPTCHA: 'none',
    TABCAST_STATIC_KEYS_FILE: keysFile,
    TABCAST_SANDBOX_KEY: key,
    ...settings
  })
}

const directive = (policy: unknown, name: string) =>
  String(policy).split('; ').find((part) => part.startsWith(`${name} `))

t.test('the page shows the key of the sandbox, and nothing may frame it', async (t) => {
  const { app } = await openSandbox(t)
  const answer = await app.inject({ url: '/try' })
  t.equal(answer.statusCode, 200)
  t.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
  t.equal(answer.headers['cache-control'], 'no-store')
  t.match(answer.body, `"key":"${key}"`)
  const policy = answer.headers['content-security-policy']
  t.equal(directive(policy, 'frame-ancestors'), "frame-ancestors 'none'")
  t.equal(directive(policy, 'connect-src'), "connect-src 'self'")
  t.match(directive(policy, 'script-src'), /^script-src 'self' 'sha256-[A-Za-z0-9+/]{43}='$/)
  for (const name of ['main.js', 'solve-challenge.js']) {
    const script = await app.inject({ url: `/try/${name}` })
    t.equal(script.statusCode, 200, name)
    t.match(script.headers['content-type'], /^text\/javascript/)
    t.match(script.body, /altcha-lib[^]*Permission is hereby granted/, 'with the licence of what is in it')
  }
  for (const path of ['/try/other.js', '/try/..%2fcli.js', '/try/%00']) {
    t.equal((await app.inject({ url: path })).statusCode, 404, path)
  }
  const described = (await app.inject({ url: '/openapi.json' })).json() as { paths: Record<string, unknown> }
  t.notOk(Object.keys(described.paths).some((path) => path.startsWith('/try')), 'it is no part of the interface')
})

t.test('without a sandbox, and without a key for it, there is no page', async (t) => {
  const stage = await openSandbox(t)
  for (const settings of [{ TABCAST_SANDBOX_ENABLED: 'false' }, { TABCAST_SANDBOX_KEY: '' }]) {
    const app = stage.buildAnother(settings)
    for (const path of ['/try', '/try/main.js']) {
      t.equal((await app.inject({ url: path })).statusCode, 404, `${path} ${JSON.stringify(settings)}`)
    }
  }
})

t.test('a key that does not work, or may do more, is not shown', async (t) => {
  const stage = await openSandbox(t)
  for (const wrong of ['key-that-nobody-has-0123', 'key-that-may-do-all-0123', stage.key]) {
    const answer = await stage.buildAnother({ TABCAST_SANDBOX_KEY: wrong }).inject({ url: '/try' })
    t.equal(answer.statusCode, 503)
    t.match(answer.body, 'not set up at the moment')
    t.notOk(answer.body.includes(wrong))
    t.notOk(answer.body.includes('<script'))
  }
})

t.test('turnstile and hcaptcha bring their script, and the policy lets in theirs alone', async (t) => {
  const stage = await openSandbox(t)
  const sources = {
    turnstile: 'https://challenges.cloudflare.com',
    hcaptcha: 'https://hcaptcha.com https://*.hcaptcha.com'
  }
  for (const [driver, own] of Object.entries(sources)) {
    const app = stage.buildAnother({
      TABCAST_SANDBOX_CAPTCHA: driver,
      TABCAST_SANDBOX_CAPTCHA_SITE_KEY: 'site"key',
      TABCAST_SANDBOX_CAPTCHA_SECRET: 'canary-secret'
    })
    const answer = await app.inject({ url: '/try' })
    t.match(answer.body, 'data-sitekey="site&quot;key"')
    t.notOk(answer.body.includes('canary-secret'))
    for (const name of ['script-src', 'frame-src', 'connect-src']) {
      t.ok(directive(answer.headers['content-security-policy'], name)?.endsWith(` ${own}`), `${driver} ${name}`)
    }
  }
})

t.test("pages of the operator's origins may frame the page, use the sandbox and read what it made; others may not", async (t) => {
  const { app, key: ofTenant } = await openSandbox(t, { TABCAST_SANDBOX_ORIGINS: `${site}, http://localhost:3000` })
  t.equal(directive((await app.inject({ url: '/try' })).headers['content-security-policy'], 'frame-ancestors'),
    `frame-ancestors ${site} http://localhost:3000`)
  const allowed = async (method: 'GET' | 'POST' | 'OPTIONS' | 'DELETE', url: string, origin: string | undefined,
    authorization?: string) => {
    const headers = {
      ...(origin === undefined ? {} : { origin }),
      ...(authorization === undefined ? {} : { authorization: `Bearer ${authorization}` })
    }
    return (await app.inject({ method, url, headers })).headers['access-control-allow-origin']
  }
  const job = '/jobs/job_01ARZ3NDEKTSV4RRFFQ69G5FAV'
  for (const url of ['/sandbox/challenge', '/sandbox/forecast', '/sandbox/classify', '/sandbox/regress', job,
    `${job}/download`, `${job}/artifacts/report.html`]) {
    const answer = await app.inject({
      method: 'OPTIONS',
      url,
      headers: {
        origin: site,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization'
      }
    })
    t.equal(answer.statusCode, 204, url)
    t.match(answer.headers, {
      'access-control-allow-origin': site,
      'access-control-allow-headers': /Authorization/,
      vary: /Origin/
    }, url)
    t.equal(answer.headers['access-control-allow-methods'], /^\/sandbox\/(?!challenge)/.test(url) ? 'POST' : 'GET', url)
    t.equal(answer.headers['access-control-allow-credentials'], undefined)
    t.equal(await allowed('OPTIONS', url, 'https://evil.example'), undefined, url)
  }
  t.equal(await allowed('GET', '/sandbox/challenge', site, key), site)
  t.equal(await allowed('GET', '/sandbox/challenge', site), site, 'a page can say why it is refused')
  t.equal(await allowed('POST', '/sandbox/forecast', site, key), site)
  t.equal(await allowed('GET', job, site, key), site)
  for (const origin of ['https://evil.example', `${site}.evil.example`, 'http://www.acme.example', 'null', undefined]) {
    t.equal(await allowed('GET', '/sandbox/challenge', origin, key), undefined, String(origin))
  }
  t.equal(await allowed('GET', job, site, ofTenant), undefined, 'not with a key of a tenant')
  t.equal(await allowed('GET', job, site), undefined, 'nor without one')
  for (const url of ['/jobs', '/models', '/limits', '/forecast', '/try']) {
    t.equal(await allowed('GET', url, site, ofTenant), undefined, url)
    t.equal(await allowed('OPTIONS', url, site), undefined, url)
  }
})

t.test('without origins nothing is shared, and OPTIONS is no method', async (t) => {
  const { app } = await openSandbox(t)
  const answer = await app.inject({
    url: '/sandbox/challenge',
    headers: { origin: site, authorization: `Bearer ${key}` }
  })
  t.equal(answer.statusCode, 200)
  t.equal(answer.headers['access-control-allow-origin'], undefined)
  const response = await app.inject({ method: 'OPTIONS', url: '/sandbox/challenge', headers: { origin: site } })
  await expectError(t, {
    status: response.statusCode,
    headers: new Headers(response.headers as Record<string, string>),
    text: response.body
  }, 405, 'method_not_allowed')
})

t.test('origins that are none stop the start', (t) => {
  for (const text of ['*', 'https://*.acme.example', 'www.acme.example', 'https://www.acme.example/',
    'https://www.acme.example/try', 'https://WWW.acme.example', 'file:///try', 'https://a.example;script-src *',
    'https://a.example;x', 'null']) {
    t.throws(() => sandboxOrigins(loadConfig({ TABCAST_SANDBOX_ORIGINS: text })), {
      name: 'ConfigError',
      message: /^TABCAST_SANDBOX_ORIGINS=.* is not an origin; one looks like https:\/\/www.example.com/
    }, text)
  }
  t.strictSame(sandboxOrigins(loadConfig({ TABCAST_SANDBOX_ORIGINS: `${site},, http://localhost:3000 ` })), [site,
    'http://localhost:3000'])
  t.end()
})

t.test('the command can be pasted into a shell, whatever the file and its columns are called', async (t) => {
  const command = curlCommand('https://forecasts.acme.example', 'classify', 'it\'s "new" $(id) `id`;.csv', [[
    'label_column',
    "what's $HOME"
  ]])
  t.match(command, /^curl 'https:\/\/forecasts.acme.example\/v2\/classify'/)
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c',
    `curl () { for one in "$@"; do printf '%s\\n' "$one"; done; }; TABCAST_API_KEY=my-key; ${command}`])
  t.strictSame(stdout.trimEnd().split('\n'), [
    'https://forecasts.acme.example/v2/classify',
    '-H',
    'Authorization: Bearer my-key',
    '-F',
    'file=@"it\'s \\"new\\" $(id) `id`;.csv"',
    '--form-string',
    "label_column=what's $HOME"
  ])
})

t.test('the command for one series says so as the ordinary route has it', (t) => {
  t.match(curlCommand('https://a.example', 'forecast', 'a.csv', [['one_series', 'true']]),
    /--form-string 'preparation=\{"series_columns": \[\]\}'$/)
  t.end()
})

t.test('the header of a CSV file is read as the service reads it, or not at all', async (t) => {
  const names = async (text: string, name = 'a.csv') => await columnNames(new File([text], name))
  t.strictSame(await names('\uFEFFdate;"net; sales";"a ""b"" "\r\n1;2;3'), ['date', 'net; sales', 'a "b" '])
  t.strictSame(await names('date\tshop\n'), ['date', 'shop'])
  for (const text of ['', 'alone\n1', 'sep=;\ndate;shop', 'a,"b\nc",d', 'a,\uFFFD,c']) {
    t.strictSame(await names(text), [], JSON.stringify(text))
  }
  t.strictSame(await names('a,b', 'a.parquet'), [])
})
