import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { loadIndustries } from '../../src/commands/demo/industries.ts'
import type { PrivateService } from '../../src/commands/demo/private-service.ts'
import { ForecastClient } from '../../src/commands/forecast-client.ts'
import { startChromium } from '../../test/support/chromium.ts'

/** A part of a page of the service, as a browser shows it. */
export interface Picture {
  name: string
  /** SHA-256 of what it shows: sizes, style and markup. Another browser, with other fonts, has the same. */
  digest: string
  /** PNG files by colour scheme. */
  light: Buffer
  dark: Buffer
}

interface View {
  name: string
  artifact: string
  /** Selectors of the first and the last element that it shows. */
  first: string
  last: string
  prepare?: (page: Page) => Promise<void>
}

const width = 840
/** Sharp on the screens of today. */
const deviceScaleFactor = 1.5
/** Above and below; more would show what is beside it. */
const margin = 8

const views: readonly View[] = [
  { name: 'forecast', artifact: 'forecast_plot.html', first: 'figcaption', last: '#legend', prepare: showConstruction },
  // The verdict, the headline and what the forecast says.
  { name: 'report', artifact: 'report.html', first: 'h1', last: 'h3 + ul' }
]

/** Construction has a season that everybody knows, and the crisis. The pointer is on a month of the forecast. */
async function showConstruction (page: Page): Promise<void> {
  await page.locator('#series').fill('Construction')
  await page.keyboard.press('Enter')
  await page.locator('#series-name').getByText('Construction').waitFor()
  // The drawing in it is made anew for each series.
  const plot = await page.locator('#plot').boundingBox()
  if (plot === null) throw new Error('the page has no plot')
  await page.mouse.move(plot.x + plot.width * 0.92, plot.y + plot.height / 2)
  await page.locator('#readout').getByText('2010-10-01').waitFor()
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
}

/** Forecasts the data of the demo on the service, and draws the pages of the job. */
export async function drawPictures (service: PrivateService): Promise<Picture[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tabcast-pictures-'))
  const browser = await startChromium()
  try {
    const pages = await forecastIndustries(service)
    const pictures: Picture[] = []
    for (const view of views) {
      const path = join(folder, view.artifact)
      writeFileSync(path, await pages(view.artifact))
      const light = await shoot(browser, view, path, 'light')
      const dark = await shoot(browser, view, path, 'dark')
      pictures.push({ name: view.name, digest: light.digest, light: light.png, dark: dark.png })
    }
    return pictures
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function forecastIndustries (
  { baseUrl, createKey }: PrivateService
): Promise<(artifact: string) => Promise<string>> {
  const key = await createKey('demo')
  const client = new ForecastClient({ baseUrl, key })
  const upload = { filename: 'unemployment.csv', body: new Blob([loadIndustries().csv], { type: 'text/csv' }) }
  const { job_id: id } = await client.submit(upload, {
    prediction_length: '12',
    explainability: JSON.stringify({ enabled: true, trailing_history_steps: 60 })
  })
  await client.waitForForecast(id)
  return async (artifact) => {
    const answer = await fetch(`${baseUrl}/jobs/${id}/artifacts/${artifact}`, {
      headers: { authorization: `Bearer ${key}` }
    })
    if (!answer.ok) throw new Error(`${artifact}: ${answer.status} ${await answer.text()}`)
    return await answer.text()
  }
}

async function shoot (browser: Browser, { first, last, prepare }: View, path: string, colorScheme: 'light' | 'dark') {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, deviceScaleFactor })
  try {
    const page = await context.newPage()
    await page.goto(pathToFileURL(path).href, { waitUntil: 'networkidle' })
    await prepare?.(page)
    const [top, bottom] = [await page.locator(first).first().boundingBox(),
      await page.locator(last).first().boundingBox()]
    if (top === null || bottom === null) throw new Error(`${path} shows no ${top === null ? first : last}`)
    const y = top.y - margin
    const clip = { x: 0, y, width, height: bottom.y + bottom.height + margin - y }
    const screenshot = await page.screenshot({ fullPage: true, clip })
    return {
      digest: createHash('sha256').update(JSON.stringify([width, deviceScaleFactor, margin]))
        .update(await shownMarkup(page, first, last)).digest('hex'),
      // A palette takes a fifth of the bytes, and nobody sees it in a drawing of few colours.
      png: await sharp(screenshot).png({ palette: true, colours: 16, effort: 10, compressionLevel: 9, dither: 0 })
        .toBuffer()
    }
  } finally {
    await context.close()
  }
}

async function shownMarkup (page: Page, first: string, last: string): Promise<string> {
  return await page.evaluate(`(() => {
    const range = document.createRange()
    range.setStartBefore(document.querySelector(${JSON.stringify(first)}))
    range.setEndAfter(document.querySelector(${JSON.stringify(last)}))
    const shown = new XMLSerializer().serializeToString(range.cloneContents())
    return document.querySelector('style').textContent + shown
  })()`)
}
