import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import type { ForecastPlot } from '../../src/report/forecast-plot.ts'
import { renderForecastPlot } from '../../src/report/render-forecast-plot.ts'
import { renderForecastThumbnail } from '../../src/report/render-forecast-thumbnail.ts'
import { startChromium, whyNoChromium } from '../support/chromium.ts'
import { oddPlots, samplePlot } from '../support/forecast-plot.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

t.test('the forecast plot in a browser', { skip: whyNoChromium() }, async (t) => {
  const browser = await startChromium()
  const folder = await mkdtemp(join(tmpdir(), 'tabcast-plot-'))
  t.teardown(async () => {
    await browser.close()
    await rm(folder, { recursive: true, force: true })
  })
  const bench = { t, browser, folder }

  t.test('no text of a customer runs, and no odd figure stops the page', async (t) => {
    const { page, troubles } = await newPage({ ...bench, t })
    for (const [name, plot] of oddPlots()) {
      await show(bench, page, plot)
      if (plot.series.length > 0) {
        await page.locator('#interactive').waitFor({ state: 'visible' })
        await page.locator('#numbers summary').click()
      }
      for (let series = 1; series < plot.series.length; series++) await page.locator('#next-series').click()
      await page.keyboard.press('Tab')
      t.strictSame(troubles.splice(0), [], name)
      t.equal(await page.locator('img, iframe, b b').count(), 0, `${name}: no element of theirs`)
    }
    const names = oddPlots().find(([name]) => name === 'odd texts')?.[1] as ForecastPlot
    await show(bench, page, names)
    await page.locator('#series').fill('alert')
    t.strictSame(await page.locator('#match-list li').allTextContents(), ['<script>alert(1)</script>',
      '</script><img src=x onerror="alert(1)">'])
  })

  t.test('nothing that can be seen or heard is inaccessible, in both schemes', async (t) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await open({ ...bench, t }, {
        ...samplePlot({ series: 60, levels: [0.025, 0.1, 0.25, 0.5, 0.75, 0.9, 0.975] }),
        total_series: 100
      }, { colorScheme })
      const serious = async () => {
        // The page lets no other script in; what is evaluated by the debugger is not its.
        await page.evaluate(axe)
        const violations = await page.evaluate(
          "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, impact, nodes }) => ({ id, impact, target: nodes.map(({ target }) => String(target)) })))"
        ) as Array<{ impact: string }>
        return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
      }
      await page.locator('#plot svg').waitFor()
      t.strictSame(await serious(), [], `${colorScheme}, as it opens`)
      await page.locator('#numbers summary').click()
      await page.locator('#legend button').first().click()
      await page.locator('#series').click()
      t.strictSame(await serious(), [], `${colorScheme}, with table and list open`)
      await page.context().close()
    }
  })

  t.test('series are found by typing, and taken from the keyboard', async (t) => {
    const { page, troubles } = await open({ ...bench, t },
      samplePlot({ series: 10_000, backtest: false, history: 5, horizon: 3 }))
    const field = page.getByRole('combobox', { name: 'Series' })
    await field.click()
    t.equal(await page.getByRole('option').count(), 50, 'not all of them')
    t.equal(await field.getAttribute('aria-expanded'), 'true')
    await field.fill('ITEM_99')
    t.equal(await page.locator('#match-count').textContent(), '50 of 111 series, the largest first')
    t.strictSame((await page.getByRole('option').allTextContents()).slice(0, 3), ['item_99', 'item_990', 'item_991'],
      'the name itself is first')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    t.equal(await page.locator(`#${await field.getAttribute('aria-activedescendant') ?? ''}`).textContent(), 'item_991')
    await page.keyboard.press('Enter')
    await shows(page, 'item_991')
    t.equal(await field.getAttribute('aria-expanded'), 'false')
    await field.fill('nobody')
    t.match(await page.locator('#match-count').textContent(), /No series/)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    t.equal(await field.inputValue(), 'item_991', 'Escape keeps what was shown')
    await page.getByRole('button', { name: 'Next' }).click()
    await shows(page, 'item_992')
    await field.fill('item_9999')
    await page.keyboard.press('Enter')
    await shows(page, 'item_9999')
    t.ok(await page.getByRole('button', { name: 'Next' }).isDisabled())
    t.ok(await page.locator('*').count() < 400, 'few elements')
    t.strictSame(troubles, [])
  })

  t.test('keys, buttons, wheel and mouse zoom and reset', async (t) => {
    const { page, troubles } = await open({ ...bench, t }, samplePlot({ history: 100 }))
    const drawing = page.locator('#plot')
    const pixels = async () => (await drawing.screenshot({ animations: 'disabled' })).toString('base64')
    await page.mouse.move(0, 0)
    const whole = await pixels()
    const settle = async () => {
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    }
    const box = await drawing.boundingBox() ?? { x: 0, y: 0, width: 0, height: 0 }
    const [middle, height] = [box.x + box.width / 2, box.y + box.height / 2]
    const ways: Array<[string, () => Promise<void>]> = [
      ['+', async () => await page.keyboard.press('+')],
      ['the button', async () => await page.getByRole('button', { name: 'Zoom in' }).click()],
      ['the wheel', async () => {
        await page.mouse.move(middle, height)
        await page.mouse.wheel(0, -300)
      }],
      ['dragging', async () => {
        await page.mouse.move(middle, height)
        await page.mouse.down()
        await page.mouse.move(middle + 150, height, { steps: 4 })
        await page.mouse.up()
      }]
    ]
    const resets: Array<() => Promise<void>> = [
      async () => await page.keyboard.press('0'),
      async () => await page.getByRole('button', { name: 'Show all' }).click(),
      async () => {
        for (let turn = 0; turn < 4; turn++) {
          await page.mouse.wheel(0, 600)
          await settle()
        }
      },
      async () => await page.mouse.dblclick(middle, height)
    ]
    for (const [index, [name, zoom]] of ways.entries()) {
      await drawing.focus()
      await zoom()
      await page.mouse.move(middle, height)
      await settle()
      const zoomed = await pixels()
      await resets[index]?.()
      await page.evaluate('document.activeElement.blur()')
      await page.mouse.move(0, 0)
      await settle()
      t.not(zoomed, whole, `${name} zooms`)
      t.equal(await pixels(), whole, 'and back')
    }
    t.strictSame(troubles, [])
  })

  t.test('arrow keys go from time to time and say its figures', async (t) => {
    const plot = samplePlot()
    const { page, troubles } = await open({ ...bench, t }, plot)
    await page.locator('#plot').focus()
    await page.keyboard.press('Home')
    await said(page, /^2024-01-01, Actual \d/)
    await page.keyboard.press('ArrowRight')
    await said(page, new RegExp(`^2024-01-02, Actual ${plot.series[0]?.history[1]}$`))
    t.equal(await page.locator('#plot svg > g:last-child path').count(), 2,
      'a line at the time, and a point on the history')
    await page.keyboard.press('End')
    await said(page, /^2024-03-24, Mean [\d.]+, Median [\d.]+, 80\s% band [\d.]+ to [\d.]+$/)
    await page.keyboard.press('ArrowLeft')
    await said(page, /^2024-03-23/)
    await page.locator('#readout strong', { hasText: '2024-03-23' }).waitFor()
    t.strictSame(troubles, [])
  })

  t.test('the table has the numbers of the series that is shown, a hundred at once', async (t) => {
    const plot = samplePlot({ series: 2, history: 250 })
    const { page, troubles } = await open({ ...bench, t }, plot)
    await page.locator('#numbers summary').click()
    await page.getByText('Rows 201 to 278 of 278').waitFor()
    t.equal(await page.locator('#numbers tbody tr').count(), 78)
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await shows(page, 'item_1')
    const last = plot.series[1]?.mean.at(-1)?.toPrecision(6) ?? ''
    t.match(await page.locator('#numbers tbody tr').last().textContent(), String(Number(last)))
    await page.getByRole('button', { name: 'Earlier rows' }).click()
    await page.getByRole('button', { name: 'Earlier rows' }).click()
    t.equal(await page.locator('#numbers tbody tr').first().locator('td').nth(1).textContent(),
      String(plot.series[1]?.history[0]))
    t.ok(await page.getByRole('button', { name: 'Earlier rows' }).isDisabled())
    t.strictSame(troubles, [])
  })

  t.test('what is drawn can be hidden', async (t) => {
    const { page } = await open({ ...bench, t }, samplePlot())
    const pixels = async () => (await page.locator('#plot').screenshot()).toString('base64')
    const before = await pixels()
    const band = page.getByRole('button', { name: /80\s% band/ })
    await band.click()
    t.equal(await band.getAttribute('aria-pressed'), 'false')
    await page.mouse.move(0, 0)
    t.not(await pixels(), before)
    await band.click()
    await page.mouse.move(0, 0)
    t.equal(await pixels(), before)
  })

  t.test('it works in a frame of another page that lets scripts run and nothing else', async (t) => {
    const { page, troubles } = await newPage({ ...bench, t })
    const { html } = renderForecastPlot(samplePlot({ series: 2 }))
    await page.setContent(
      `<iframe sandbox="allow-scripts" width="800" height="700" srcdoc="${
        html.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
      }"></iframe>`
    )
    await page.frameLocator('iframe').locator('#plot svg').waitFor()
    await page.frameLocator('iframe').getByRole('button', { name: 'Next', exact: true }).click()
    await page.frameLocator('iframe').locator('#series-name', { hasText: 'item_1' }).waitFor()
    t.strictSame(troubles, [])
  })

  t.test('without scripts the drawing and the table are there; a phone shows all of it', async (t) => {
    const { page } = await open({ ...bench, t }, samplePlot({ series: 3 }), {
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 }
    })
    t.ok(await page.locator('#static svg').isVisible())
    t.notOk(await page.locator('#controls').isVisible())
    const phone = await open({ ...bench, t }, samplePlot({ series: 3, name: () => 'long '.repeat(50) }), {
      viewport: { width: 390, height: 844 }
    })
    await phone.page.locator('#plot svg').waitFor()
    t.equal(await phone.page.evaluate('document.documentElement.scrollWidth'), 390)
  })

  t.test('the drawing is an image of its own', async (t) => {
    const { page, troubles } = await newPage({ ...bench, t })
    for (const [name, plot] of oddPlots()) {
      await page.setContent(
        `<img alt="" src="data:image/svg+xml;base64,${Buffer.from(renderForecastThumbnail(plot)).toString('base64')}">`
      )
      t.equal(await page.evaluate('document.images[0].decode().then(() => document.images[0].naturalWidth)'), 480, name)
    }
    t.strictSame(troubles, [])
  })
})

interface Bench {
  t: Test
  browser: Browser
  folder: string
}

/** A page whose dialogs, errors, refusals and requests are noted. */
async function newPage ({ t, browser }: Bench,
  options: BrowserContextOptions = {}): Promise<{ page: Page, troubles: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  t.teardown(async () => await context.close())
  const page = await context.newPage()
  const troubles: string[] = []
  page.on('dialog', (dialog) => {
    troubles.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('pageerror', (error) => troubles.push(error.message))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) troubles.push(message.text())
  })
  page.on('request', (request) => {
    if (!/^(file|data|about):/.test(request.url())) troubles.push(`request ${request.url()}`)
  })
  return { page, troubles }
}

let pages = 0

async function open (bench: Bench, plot: ForecastPlot,
  options: BrowserContextOptions = {}): Promise<{ page: Page, troubles: string[] }> {
  const opened = await newPage(bench, options)
  await show(bench, opened.page, plot)
  return opened
}

async function show ({ folder }: Pick<Bench, 'folder'>, page: Page, plot: ForecastPlot): Promise<void> {
  const path = join(folder, `plot-${pages++}.html`)
  await writeFile(path, renderForecastPlot(plot).html)
  await page.goto(pathToFileURL(path).href)
}

async function shows (page: Page, name: string): Promise<void> {
  await page.locator('#series-name').getByText(name, { exact: true }).waitFor()
}

async function said (page: Page, text: RegExp): Promise<void> {
  await page.locator('#spoken', { hasText: text }).waitFor({ state: 'attached', timeout: 5000 })
}
