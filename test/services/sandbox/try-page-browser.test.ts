import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { startChromium, whyNoChromium } from '../../support/chromium.ts'
import { openReceiver } from '../../support/receiver.ts'
import { panelCsv, startService } from '../../support/service.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const key = 'key-of-the-page-0123456789'
const windows: BrowserContextOptions[] = [
  { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  { viewport: { width: 360, height: 740 }, colorScheme: 'dark', hasTouch: true }
]

const table = ['age,plan,left',
  ...Array.from({ length: 120 },
    (_, row) => `${20 + row % 40},${['basic', 'pro'][row % 2]},${row % 4 === 0 ? 'yes' : 'no'}`)].join('\n')

/** A site that frames the page, at an origin of its own. */
async function openSite (t: Test, framed: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(
      `<!doctype html><title>site</title><iframe src="${framed}" width="600" height="600"></iframe>`
    )
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

t.test('a visitor tries the service in a browser', { skip: whyNoChromium() }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tabcast-try-'))
  writeFileSync(join(folder, 'keys.json'), JSON.stringify({ [key]: { tenant: 'visitors', scopes: ['sandbox'] } }))
  const site = await openSite(t, 'about:blank')
  const service = await startService({
    TABCAST_SANDBOX_ENABLED: 'true',
    TABCAST_SANDBOX_KEY: key,
    TABCAST_SANDBOX_POSTS_PER_HOUR: '100',
    TABCAST_SANDBOX_ORIGINS: site,
    TABCAST_STATIC_KEYS_FILE: join(folder, 'keys.json')
  })
  const browser = await startChromium()
  t.teardown(async () => {
    await browser.close()
    await service.cleanup()
    rmSync(folder, { recursive: true, force: true })
  })

  /** The page in a window of its own, and what happens in it that should not. */
  const openPage = async (options: BrowserContextOptions): Promise<{ page: Page, troubles: string[] }> => {
    const page = await (await browser.newContext(options)).newPage()
    const troubles: string[] = []
    page.on('pageerror', (error) => troubles.push(`error: ${error.message}`))
    page.on('console', (message) => {
      // The browser reports answers that are no success by itself.
      if (!message.text().startsWith('Failed to load resource')) troubles.push(`console: ${message.text()}`)
    })
    page.on('request', (request) => {
      if (!/^(?:blob:)?http:\/\/127\.0\.0\.1:|^about:/.test(request.url())) troubles.push(`request: ${request.url()}`)
    })
    await page.goto(`${service.baseUrl}/try`)
    return { page, troubles }
  }

  /** Nothing of weight that axe finds, and nothing wider than the window. */
  const looksRight = async (t: Test, page: Page, name: string) => {
    await page.evaluate(axe)
    // Frames are looked at where they are made: they let no script in.
    const violations = await page.evaluate(
      "axe.run({ resultTypes: ['violations'], iframes: false }).then(({ violations }) => violations.map(({ id, " +
        'impact, nodes }) => ({ id, impact, target: nodes.map(({ target }) => String(target)) })))'
    ) as Array<{ impact: string }>
    t.strictSame(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical'), [], name)
    t.notOk(await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth'),
      `${name}: as wide as its window`)
  }

  const choose = async (page: Page, name: string, content: string) =>
    await page.getByLabel('Your file').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })

  for (const [index, options] of windows.entries()) {
    const size = `${options.viewport?.width ?? 0} px, ${options.colorScheme ?? ''}`
    t.test(`a forecast, from the keyboard: ${size}`, async (t) => {
      const { page, troubles } = await openPage(options)
      await looksRight(t, page, 'as it opens')
      await page.getByRole('button', { name: 'Start' }).focus()
      await page.keyboard.press('Enter')
      t.equal(await page.evaluate('document.activeElement.id'), 'file', 'the first field that lacks something')
      t.not(await page.locator('#file-error').textContent(), '')
      t.not(await page.locator('#email-error').textContent(), '')
      await looksRight(t, page, 'with what is missing')

      await choose(page, 'sales.csv', panelCsv(3, 48))
      t.strictSame(
        await page.locator('#columns option').evaluateAll((options) =>
          options.map((option) => option.getAttribute('value'))
        ),
        ['item_id', 'timestamp', 'target']
      )
      await page.getByLabel('Steps ahead').fill('6')
      await page.getByLabel('Your address').fill('ana@gmail.com')
      await page.keyboard.press('Enter')
      await page.locator('#problem').waitFor({ state: 'visible' })
      t.match(await page.locator('#problem').textContent(), /corporate e-mail address/)
      t.equal(await page.evaluate('document.activeElement.id'), 'problem', 'it is read out')
      await looksRight(t, page, 'with a refusal')

      await page.getByLabel('Your address').fill(`ana@${['siemens.com', 'basf.com'][index]}`)
      await page.keyboard.press('Enter')
      await page.locator('#result').waitFor({ state: 'visible' })
      t.equal(await page.evaluate('document.activeElement.id'), 'result')
      t.match(await page.locator('#state').textContent(), 'Done.')
      await page.frameLocator('#plot').locator('#plot svg').waitFor()
      t.equal(await page.frameLocator('#report').locator('h1').count(), 1)
      t.match(await page.locator('#curl').textContent(),
        /curl 'http:.*\/forecast'[^]*--form-string 'prediction_length=6'/)
      await looksRight(t, page, 'with a result')
      const saved = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Save the table' }).press('Enter')
      const csv = readFileSync(await (await saved).path(), 'utf8')
      t.equal(csv.trimEnd().split('\n').length, 1 + 3 * 6)

      await page.getByLabel('Your address').fill(`other.person@mail.${['siemens.com', 'basf.com'][index]}`)
      await page.keyboard.press('Enter')
      await page.locator('#problem').waitFor({ state: 'visible' })
      t.match(await page.locator('#problem').textContent(), /one job for each company/)
      t.strictSame(troubles, [])
    })
  }

  t.test('classes of a table', async (t) => {
    const { page, troubles } = await openPage(windows[1] ?? {})
    await page.getByLabel('Classes').check()
    t.notOk(await page.getByLabel('Steps ahead').isVisible())
    await choose(page, 'customers.csv', table)
    await page.getByLabel('What is to be predicted').fill('nothing')
    await page.getByLabel('Your address').fill('ana@bosch.com')
    await page.getByRole('button', { name: 'Start' }).click()
    t.equal(await page.locator('#label_column-error').textContent(),
      'The file has no column “nothing”. It has “age”, “plan”, “left”.', 'before it is a try')
    t.notOk(await page.locator('#problem').isVisible())
    t.equal(await page.evaluate('document.activeElement.id'), 'label_column')
    await page.getByLabel('What is to be predicted').fill('left')
    await page.getByRole('button', { name: 'Start' }).click()
    await page.locator('#result').waitFor({ state: 'visible' })
    t.notOk(await page.locator('#plot').isVisible(), 'a table has no plot')
    t.equal(await page.frameLocator('#report').locator('h1').count(), 1)
    t.match(await page.locator('#curl').textContent(), /\/v2\/classify'[^]*'label_column=left'/)
    await looksRight(t, page, 'with a result')
    t.strictSame(troubles, [])
  })

  t.test('one series without a column of names; and how many tries there are is said', async (t) => {
    const { page, troubles } = await openPage(windows[0] ?? {})
    t.match(await page.locator('header').textContent(),
      /An address has 100 tries an hour, those that are refused included\./)
    await choose(page, 'one.csv', panelCsv(1, 48).replaceAll(/^[^,]*,/gm, ''))
    await page.getByLabel('Your address').fill('ana@henkel.com')
    await page.getByRole('button', { name: 'Start' }).click()
    t.match(await page.locator('#item_id_column-error').textContent(),
      /no column “item_id”.*Leave this empty if all rows are one series\./)
    await page.getByLabel('Name of the series').fill('')
    const policy = '"sandbox-post";q=5;w=3600'
    await page.route('**/sandbox/forecast', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '720', 'ratelimit-policy': policy },
        contentType: 'application/json',
        body: '{"error_code":"rate_limited","detail":{"detail":"Too many."}}'
      }), { times: 1 })
    await page.getByRole('button', { name: 'Start' }).click()
    await page.locator('#problem').waitFor({ state: 'visible' })
    t.equal(await page.locator('#problem').textContent(),
      'An address has 5 tries an hour, those that are refused included, and yours are used up. Please try again in ' +
        '12 minutes.')
    await page.getByRole('button', { name: 'Start' }).click()
    await page.locator('#result').waitFor({ state: 'visible' })
    t.match(await page.locator('#curl').textContent(), /preparation=\{"series_columns": \[\]\}/)
    t.strictSame(troubles, [])
  })

  t.test('a text in a file does not become a part of the page', async (t) => {
    const { page, troubles } = await openPage(windows[0] ?? {})
    const hostile = '<img src=x onerror=alert(1)>'
    await choose(page, `${hostile}.csv`, panelCsv(2, 48).replaceAll('series-0', hostile).replaceAll('target', hostile))
    await page.getByLabel('Values to forecast').fill(hostile)
    await page.getByLabel('Your address').fill('ana@zalando.de')
    await page.getByRole('button', { name: 'Start' }).click()
    await page.locator('#result').waitFor({ state: 'visible' })
    t.equal(await page.locator('img').count(), 0)
    t.equal(await page.frameLocator('#report').locator('img').count(), 0)
    t.equal(await page.frameLocator('#plot').locator('img').count(), 0)
    t.strictSame(troubles, [])
  })

  t.test('a file is dropped, and what was wrong with a field goes when it is changed', async (t) => {
    const { page, troubles } = await openPage(windows[0] ?? {})
    await page.getByRole('button', { name: 'Start' }).click()
    t.not(await page.locator('#file-error').textContent(), '')
    await page.evaluate(`(() => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['day;shop;sold\\n'], 'sales.csv'))
      document.getElementById('drop').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    })()`)
    t.match(await page.getByLabel('Your file').inputValue(), /sales\.csv$/)
    t.equal(await page.locator('#file-error').textContent(), '')
    t.equal(await page.locator('#columns option').count(), 3)
    t.strictSame(troubles, [])
  })

  t.test('a plot that comes at the second try, and a report that does not come: the result is shown', async (t) => {
    const { page, troubles } = await openPage(windows[0] ?? {})
    const asked = { plot: 0, report: 0 }
    await page.route('**/artifacts/forecast_plot.html', (route) => ++asked.plot > 1 ? route.continue() : route.abort())
    await page.route('**/artifacts/report.html', (route) => {
      asked.report++
      return route.fulfill({
        status: 429,
        headers: { 'retry-after': '120' },
        contentType: 'application/json',
        body: '{"error_code":"rate_limited","detail":{"detail":"Too many."}}'
      })
    })
    await choose(page, 'sales.csv', panelCsv(2, 48))
    await page.getByLabel('Your address').fill('ana@adidas.com')
    await page.getByRole('button', { name: 'Start' }).click()
    await page.locator('#result').waitFor({ state: 'visible' })
    await page.frameLocator('#plot').locator('#plot svg').waitFor()
    t.notOk(await page.locator('#report').isVisible())
    t.match(await page.locator('#warnings').textContent(),
      /The report is not shown, as it could not be fetched\..*in 2 minutes/)
    t.strictSame(asked, { plot: 2, report: 2 })
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save the table' }).click()
    t.equal(readFileSync(await (await saved).path(), 'utf8').trimEnd().split('\n')[0]?.includes('item_id'), true)
    await looksRight(t, page, 'without its report')
    t.strictSame(troubles, [])
  })

  t.test('a service that goes away is said in words', async (t) => {
    const { page } = await openPage(windows[0] ?? {})
    await choose(page, 'sales.csv', panelCsv(1, 24))
    await page.getByLabel('Your address').fill('ana@lidl.de')
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Start' }).click()
    await page.locator('#problem').waitFor({ state: 'visible' })
    t.match(await page.locator('#problem').textContent(), 'The service cannot be reached')
    t.ok(await page.getByRole('button', { name: 'Start' }).isEnabled(), 'and can be tried again')
  })

  t.test("a page of the operator's site may use it, and one of another may not", async (t) => {
    const page = await (await browser.newContext()).newPage()
    const probe = async (origin: string) => {
      await page.goto(origin)
      return await page.evaluate(
        `fetch(${
          JSON.stringify(`${service.baseUrl}/sandbox/challenge`)
        }, { headers: { authorization: 'Bearer ${key}' } }).then(({ status }) => status, () => 'blocked')`
      )
    }
    const frames = async (origin: string) => {
      await page.goto(origin)
      const answered = page.waitForResponse(`${service.baseUrl}/try`)
      await page.evaluate(
        `new Promise((resolve) => { const frame = document.querySelector('iframe'); frame.onload = resolve; frame.src = ${
          JSON.stringify(`${service.baseUrl}/try`)
        } })`
      )
      await answered
      return await page.frameLocator('iframe').getByRole('button', { name: 'Start' }).count()
    }
    const other = await openSite(t, 'about:blank')
    t.equal(await probe(site), 200)
    t.equal(await frames(site), 1)
    t.equal(await probe(other), 'blocked')
    t.equal(await frames(other), 0)
  })

  t.test('the script of a captcha service runs in the page, and its token is taken once', async (t) => {
    const verifier = await openReceiver(t)
    verifier.answer = (response) => {
      response.end(JSON.stringify({ success: true, challenge_ts: new Date().toISOString(), hostname: '127.0.0.1' }))
    }
    await service.restart({
      TABCAST_SANDBOX_CAPTCHA: 'turnstile',
      TABCAST_SANDBOX_CAPTCHA_SITE_KEY: 'site',
      TABCAST_SANDBOX_CAPTCHA_SECRET: 'secret',
      TABCAST_SANDBOX_CAPTCHA_URL: verifier.url
    })
    const page = await (await browser.newContext()).newPage()
    const refused: string[] = []
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) refused.push(message.text())
    })
    // Stands for Cloudflare's, which is not reached from here.
    await page.route('https://challenges.cloudflare.com/**', (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body:
          `const field = Object.assign(document.createElement('input'), { type: 'hidden', name: 'cf-turnstile-response' })
        document.querySelector('.cf-turnstile[data-sitekey="site"]').append(field)
        let count = 0
        window.turnstile = { reset () { field.value = 'token-' + ++count } }
        window.unsolved = () => { field.value = '' }
        window.turnstile.reset()`
      }))
    await page.goto(`${service.baseUrl}/try`)
    await choose(page, 'sales.csv', panelCsv(2, 48))
    await page.getByLabel('Your address').fill('ana@gmail.com')
    await page.evaluate('window.unsolved()')
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByText('Please solve the captcha first.').waitFor()
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByText('corporate e-mail address').waitFor()
    await page.getByLabel('Your address').fill('ana@nestle.com')
    await page.getByRole('button', { name: 'Start' }).click()
    await page.locator('#result').waitFor({ state: 'visible' })
    t.strictSame(verifier.deliveries.map(({ body }) => new URLSearchParams(body).get('response')), ['token-2',
      'token-3'], 'a new one for each request')
    t.strictSame(refused, [])
  })
})
