import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { renderForecastPlot } from '../../src/report/render-forecast-plot.ts'
import { startChromium } from '../../test/support/chromium.ts'
import { samplePlot, type SampleOptions } from '../../test/support/forecast-plot.ts'
import type { Bench } from '../bench.ts'
import { median, quantile } from '../quantile.ts'
import type { Measurement } from '../result.ts'
import { traceWork } from './trace.ts'

/** Size of the forecast plot's page, and what a browser needs to show it and to move it. */
export const benchReport: Bench = async ({ trial, folder, log }) => {
  const rows: Measurement[] = []
  const write = (name: string, options: SampleOptions) => {
    const plot = samplePlot(options)
    const startMs = performance.now()
    const { html, shownSeries } = renderForecastPlot(plot)
    const seconds = (performance.now() - startMs) / 1000
    const path = join(folder, `${name}.html`)
    writeFileSync(path, html)
    return { url: pathToFileURL(path).href, kilobytes: Buffer.byteLength(html) / 1000, shownSeries, seconds }
  }
  log('pages')
  const one = write('one', {})
  const many = write('many', { series: trial ? 500 : 10_000 })
  const long = write('long', { history: trial ? 5000 : 100_000 })
  rows.push(
    {
      what: 'page of one series: 56 steps, 28 ahead, mean, 3 quantiles, backtest',
      figure: one.kilobytes,
      unit: 'kB',
      gate: { atMost: 150 }
    },
    { what: 'page of 10,000 such series', figure: many.kilobytes / 1000, unit: 'MB', gate: { atMost: 5 } },
    {
      what: 'page of 10,000 such series: series in it',
      figure: many.shownSeries,
      unit: 'series',
      gate: { atLeast: trial ? 500 : 10_000 }
    },
    { what: 'page of 10,000 such series: making it', figure: many.seconds, unit: 's' }
  )
  const browser = await startChromium()
  try {
    log(`Chromium ${browser.version()}: first paint`)
    const paints = await measurePaints(browser, many.url, trial ? 2 : 10)
    rows.push(
      {
        what:
          `page of 10,000 such series, first contentful paint in headless Chromium, worst of ${paints.first.length}`,
        figure: Math.max(...paints.first) / 1000,
        unit: 's',
        gate: { atMost: 1 }
      },
      {
        what: `page of 10,000 such series, until it can be moved, median of ${paints.ready.length}`,
        figure: median(paints.ready) / 1000,
        unit: 's'
      }
    )
    log('search')
    rows.push({
      what: 'search among 10,000 series: script of a key press, p95',
      figure: quantile(await measureSearch(browser, many.url), 0.95),
      unit: 'ms',
      gate: { atMost: 16 }
    })
    log('zoom')
    rows.push(...await measureZoom(browser, long.url, trial ? 20 : 200))
    return rows
  } finally {
    await browser.close()
  }
}

async function measurePaints (browser: Browser, url: string,
  runs: number): Promise<{ first: number[], ready: number[] }> {
  const [first, ready]: [number[], number[]] = [[], []]
  for (let run = 0; run < runs; run++) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await page.goto(url)
    await page.locator('#plot svg').waitFor()
    ready.push(await page.evaluate('performance.now()') as number)
    first.push(await page.evaluate('performance.getEntriesByName("first-contentful-paint")[0].startTime') as number)
    await page.close()
  }
  return { first, ready }
}

async function measureSearch (browser: Browser, url: string): Promise<number[]> {
  const page = await browser.newPage()
  await page.goto(url)
  await page.locator('#plot svg').waitFor()
  const times = await page.evaluate(`[...Array(100).keys()].map((number) => {
    const field = document.getElementById('series')
    field.value = String(number * 7)
    const start = performance.now()
    field.dispatchEvent(new Event('input'))
    return performance.now() - start
  })`) as number[]
  await page.close()
  return times
}

/** Turns the wheel in and out again over 100,000 points, as fast as a hand does. */
async function measureZoom (browser: Browser, url: string, turns: number): Promise<Measurement[]> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(url)
  await page.locator('#plot svg').waitFor()
  await page.getByRole('button', { name: 'Show all' }).click()
  const box = await page.locator('#plot').boundingBox()
  if (box === null) throw new Error('the drawing has no place')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  const { frames, longestTask } = await traceWork(browser, page, async () => {
    for (let turn = 0; turn < turns; turn++) {
      await page.mouse.wheel(0, Math.floor(turn / 25) % 2 === 0 ? -100 : 100)
      await page.waitForTimeout(16)
    }
  })
  await page.close()
  if (frames.length < turns / 4) throw new Error(`only ${frames.length} frames for ${turns} turns of the wheel`)
  return [
    {
      what: `zooming 100,000 points: CPU time of script in a frame, p95 of ${frames.length}`,
      figure: quantile(frames, 0.95),
      unit: 'ms',
      gate: { atMost: 16 }
    },
    { what: 'zooming 100,000 points: longest task, CPU time', figure: longestTask, unit: 'ms', gate: { atMost: 100 } }
  ]
}
