import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import type { BrowserContextOptions, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { openApi } from '../support/api.ts'
import { startChromium, whyNoChromium } from '../support/chromium.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const large = { viewport: { width: 1280, height: 900 } }
const small = { viewport: { width: 360, height: 740 }, hasTouch: true }
const windows: BrowserContextOptions[] = [large, small].flatMap((size) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ ...size, colorScheme }))
)

t.test('the documentation in a browser', { skip: whyNoChromium() }, async (t) => {
  const stage = await openApi(t)
  await stage.app.listen({ port: 0, host: '127.0.0.1' })
  const baseUrl = `http://127.0.0.1:${(stage.app.server.address() as AddressInfo).port}`
  const browser = await startChromium()
  t.teardown(async () => await browser.close())

  /** A page in a window of its own, and what happens in it that should not. */
  const openPage = async (options: BrowserContextOptions,
    address: string): Promise<{ page: Page, troubles: string[] }> => {
    const page = await (await browser.newContext({ ...options, permissions: ['clipboard-read', 'clipboard-write'] }))
      .newPage()
    const troubles: string[] = []
    page.on('pageerror', (error) => troubles.push(`error: ${error.message}`))
    page.on('console', (message) => troubles.push(`console: ${message.text()}`))
    page.on('request', (request) => {
      if (!request.url().startsWith(baseUrl) && !request.url().startsWith('data:')) {
        troubles.push(`request: ${request.url()}`)
      }
    })
    await page.goto(`${baseUrl}${address}`, { waitUntil: 'networkidle' })
    return { page, troubles }
  }

  /** Nothing of weight that axe finds, and nothing wider than the window. */
  const looksRight = async (t: Test, page: Page, name: string) => {
    await page.evaluate(axe)
    const violations = await page.evaluate(
      "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, impact, nodes }) => " +
        '({ id, impact, target: nodes.map(({ target, html, failureSummary }) => String(target) + html.slice(0, 200) + failureSummary) })))'
    ) as Array<{ impact: string }>
    t.strictSame(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical'), [], name)
    t.notOk(await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth'),
      `${name}: as wide as its window`)
  }

  for (const options of windows) {
    const isSmall = options.viewport?.width === 360
    t.test(`pages: ${options.viewport?.width ?? 0} px, ${options.colorScheme ?? ''}`, async (t) => {
      for (const address of ['/docs', '/docs/get-started/first-forecast', '/docs/benchmarks', '/docs/api']) {
        const { page, troubles } = await openPage(options, address)
        t.equal(await page.evaluate("document.documentElement.classList.contains('dark')"),
          options.colorScheme === 'dark', 'as the reader has it')
        t.equal(await page.locator('h1').count(), 1)
        await looksRight(t, page, address)
        const script = await scriptBytes(page)
        t.ok(script > 10_000 && script <= 120_000, `${address}: ${script} bytes of script`)
        t.strictSame(troubles, [], address)
        await page.context().close()
      }
    })

    t.test(`search, links and copying: ${options.viewport?.width ?? 0} px, ${options.colorScheme ?? ''}`, async (t) => {
      const { page, troubles } = await openPage(options, '/docs')
      await page.getByRole('button', { name: 'Search' }).click()
      await page.getByRole('searchbox').fill('idempotency')
      await page.locator('.VPLocalSearchBox .result').first().waitFor()
      await looksRight(t, page, 'with what was found')
      await page.getByRole('searchbox').fill('Hierarchies')
      await page.locator('.VPLocalSearchBox .result[href^="/docs/guides/hierarchies"]').first().click()
      await page.waitForURL(/\/docs\/guides\/hierarchies/)
      t.equal(await page.locator('h1').count(), 1)
      await page.locator('.pager-link.next').click()
      await page.waitForURL(/\/docs\/guides\/explain-a-forecast/)
      await page.locator('.pager-link.prev').click()
      await page.waitForURL(/\/docs\/guides\/hierarchies/)
      if (isSmall) {
        await page.getByRole('button', { name: 'Menu' }).click()
        await page.waitForTimeout(500)
        await looksRight(t, page, 'with the menu')
      }
      await page.locator('.VPSidebar').getByRole('link', { name: 'First forecast' }).click()
      await page.waitForURL(/\/docs\/get-started\/first-forecast/)
      const block = page.locator('div[class*="language-bash"]').first()
      await block.hover()
      await block.getByRole('button').click()
      t.equal(await page.evaluate('navigator.clipboard.readText()'), await block.locator('code').innerText())
      t.strictSame(troubles, [])
    })
  }

  for (const options of windows) {
    t.test(`a form: ${options.viewport?.width ?? 0} px, ${options.colorScheme ?? ''}`, async (t) => {
      const { page, troubles } = await openPage(options, '/docs/api')
      const form = page.locator('h4', { hasText: 'POST /forecast/storage-object' }).locator('~ details').first()
      await form.locator('summary').first().click()
      for (const name of ['More fields', 'Fields of the body', 'Fields of the answer']) {
        await form.getByText(name, { exact: true }).click()
      }
      await form.getByRole('button', { name: 'Send' }).click()
      await form.getByRole('status', { name: 'Answer' }).getByText('401').waitFor()
      await looksRight(t, page, 'with an answer')
      t.strictSame(troubles.filter((trouble) => !trouble.includes('401')), [])
    })
  }

  t.test('the light is changed, and stays', async (t) => {
    const { page, troubles } = await openPage({ ...large, colorScheme: 'light' }, '/docs/guides/tables')
    await page.getByRole('switch').first().click()
    t.ok(await page.evaluate("document.documentElement.classList.contains('dark')"))
    await page.reload()
    t.ok(await page.evaluate("document.documentElement.classList.contains('dark')"))
    t.strictSame(troubles, [])
  })

  t.test('the pictures are those of the scheme, and only they are loaded', async (t) => {
    for (const [chosen, other] of [['light', 'dark'], ['dark', 'light']] as const) {
      const { page, troubles } = await openPage({ ...large, colorScheme: chosen }, '/docs/get-started/first-forecast')
      const shown = async () => {
        for (const image of await page.locator('main img:visible').all()) await image.scrollIntoViewIfNeeded()
        await page.waitForLoadState('networkidle')
        return await page.evaluate(
          "[...document.querySelectorAll('main img')].filter((one) => one.checkVisibility()).map((one) => [one.className, one.naturalWidth])"
        )
      }
      t.strictSame(await shown(), [[`only-${chosen}`, 1260], [`only-${chosen}`, 1260]])
      const loaded = await page.evaluate(
        "performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.png'))"
      ) as string[]
      t.equal(loaded.filter((name) => name.includes(`-${chosen}.`)).length, 2)
      t.equal(loaded.length, 2)
      await page.getByRole('switch').first().click()
      t.strictSame(await shown(), [[`only-${other}`, 1260], [`only-${other}`, 1260]])
      t.strictSame(troubles, [])
    }
  })

  t.test('the pages can be read without scripts', async (t) => {
    const { page } = await openPage({ ...small, javaScriptEnabled: false }, '/docs/guides/tables')
    t.equal(await page.locator('h1').count(), 1)
    t.ok(await page.locator('main p').first().isVisible())
  })

  t.test('from the pages to the one on the API', async (t) => {
    const { page, troubles } = await openPage(large, '/docs')
    await page.getByRole('link', { name: 'Try the API' }).first().click()
    await page.waitForURL(/\/docs\/reference\/api#routes/)
    await page.getByRole('heading', { level: 1, name: 'API' }).waitFor()
    t.strictSame(troubles, [])
  })
})

/** Of the page itself, as sent: the links that are in sight are fetched in advance. */
async function scriptBytes (page: Page): Promise<number> {
  return await page.evaluate(`(() => {
    const fetchedInAdvance = new Set([...document.querySelectorAll('link[rel=prefetch]')].map(({ href }) => href))
    return performance.getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.js') && !fetchedInAdvance.has(name))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
  })()`) as number
}
