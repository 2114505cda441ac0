import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BrowserContextOptions, Page } from 'playwright-core'
import t from 'tap'
import { renderAnalyses } from '../../src/report/analyses/render-analyses.ts'
import { renderForecastReport } from '../../src/report/forecast/render-forecast-report.ts'
import { renderTabularReport } from '../../src/report/render-tabular-report.ts'
import { analysesDocument, enginesFiles, featureNames, tableDocument } from '../support/analyses-document.ts'
import { startChromium, whyNoChromium } from '../support/chromium.ts'
import { forecastFacts, forecastReport, hierarchyFacts } from '../support/forecast-report.ts'
import { classificationReport, multiclassReport, regressionReport } from '../support/tabular-report.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const windows: BrowserContextOptions[] = [
  { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }
]
const hostile =
  '<img src=x onerror="alert(1)"></script></style><script>alert(2)</script><svg onload=alert(3)>"\'`javascript:alert(4)'

/** Every kind of page that has no script, with the names of features and the target. */
function pages (target: string, names: readonly string[]): Array<[string, string]> {
  const analyses = renderAnalyses({ document: analysesDocument({ target }, names), files: enginesFiles })
  const ofTable = renderAnalyses({ document: tableDocument({ target, class: target }), files: enginesFiles })
  const covariates = names.map((name) => ({ name, used: true }))
  return [
    ['report of a forecast', renderForecastReport({ ...forecastReport(), covariates }, {
      ...forecastFacts(),
      reconciliation: {
        ...hierarchyFacts,
        levels: hierarchyFacts.levels.map((level) => ({ ...level, name: target }))
      }
    })],
    ['report of a classification', renderTabularReport(classificationReport())],
    ['report of many classes', renderTabularReport(multiclassReport(12))],
    ['report of a regression', renderTabularReport(regressionReport())],
    ...[...Object.entries(analyses.files), ...Object.entries(ofTable.files)].filter(([name]) =>
      /\.(?:html|svg)$/.test(name)
    )
  ]
}

t.test('pages and drawings in a browser', { skip: whyNoChromium() }, async (t) => {
  const browser = await startChromium()
  const folder = await mkdtemp(join(tmpdir(), 'tabcast-pages-'))
  t.teardown(async () => {
    await browser.close()
    await rm(folder, { recursive: true, force: true })
  })
  let count = 0

  /** A window that shows one page after another, and what the page in it does that it should not. */
  const openWindow = async (
    options: BrowserContextOptions
  ): Promise<{ page: Page, show: (name: string, content: string) => Promise<string[]> }> => {
    const page = await (await browser.newContext(options)).newPage()
    let troubles: string[] = []
    let url = ''
    page.on('dialog', (dialog) => {
      troubles.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    page.on('pageerror', (error) => troubles.push(`error: ${error.message}`))
    page.on('console', (message) => troubles.push(`console: ${message.text()}`))
    page.on('request', (request) => {
      if (request.url() !== url) troubles.push(`request: ${request.url()}`)
    })
    const show = async (name: string, content: string): Promise<string[]> => {
      const path = join(folder, `${count++}.${name.endsWith('.svg') ? 'svg' : 'html'}`)
      await writeFile(path, content)
      url = pathToFileURL(path).href
      troubles = []
      await page.goto(url)
      return troubles
    }
    return { page, show }
  }

  t.test('nothing that can be seen or heard is inaccessible, in both schemes and sizes, and no page is wider than ' +
    'its window', async (t) => {
    for (const options of windows) {
      const { page, show } = await openWindow(options)
      for (const [name, content] of pages('sales', featureNames).filter(([name]) => !name.endsWith('.svg'))) {
        const troubles = await show(name, content)
        await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
        // The page lets no script in; what is evaluated by the debugger is not its.
        await page.evaluate(axe)
        const violations = await page.evaluate(
          "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, impact, nodes " +
            '}) ' +
            '=> ({ id, impact, target: nodes.map(({ target }) => String(target)) })))'
        ) as Array<{ impact: string }>
        t.strictSame(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical'), [],
          `${name}, ${options.colorScheme ?? ''}`)
        t.notOk(await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth'),
          `${name}, ${options.viewport?.width ?? 0} wide`)
        t.strictSame(troubles, [], name)
      }
    }
  })

  t.test('no name of a customer becomes an element or runs', async (t) => {
    const { page, show } = await openWindow(windows[0] ?? {})
    for (const [name, content] of pages(hostile, featureNames.map((feature) => `${feature} ${hostile}`))) {
      const troubles = await show(name, content)
      t.strictSame(troubles, [], name)
      t.equal(await page.locator('script, img, iframe, [onload], [onerror]').count(), 0,
        `${name}: no element of theirs`)
    }
  })
})
