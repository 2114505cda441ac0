import { createHash } from 'node:crypto'
import t from 'tap'
import type { ForecastPlot } from '../../src/report/forecast-plot.ts'
import { openPlot } from '../../src/report/plot/open-plot.ts'
import type { PlotData } from '../../src/report/plot/plot-data.ts'
import { renderForecastPlot } from '../../src/report/render-forecast-plot.ts'
import { renderForecastThumbnail } from '../../src/report/render-forecast-thumbnail.ts'
import { oddPlots, samplePlot } from '../support/forecast-plot.ts'
import { tagsOf, textOf } from '../support/markup.ts'

const scriptText = /<script>([\s\S]*?)<\/script>/
/** The markup alone. */
const withoutScript = (page: string) => page.replace(scriptText, '').replace(/<style>[^<]*/, '<style>')
const dataOf = (page: string) =>
  JSON.parse(/<script type="application\/json" id="plot-data">([^<]*)<\/script>/.exec(page)?.[1] ?? '') as PlotData

t.test('the page runs its one script, applies its one style and loads nothing', async (t) => {
  for (const [name, plot] of oddPlots()) {
    const page = renderForecastPlot(plot).html
    const script = scriptText.exec(page)?.[1] ?? ''
    const tags = tagsOf(withoutScript(page))
    const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? ''
    const policy = tags.find(({ attributes }) => attributes['http-equiv'] === 'Content-Security-Policy')
      ?.attributes['content']?.replaceAll('&#39;', "'")
    t.equal(policy,
      `default-src 'none'; script-src ${
        hash(script)
      }; require-trusted-types-for 'script'; trusted-types 'none'; style-src ${
        hash(style)
      }; base-uri 'none'; form-action 'none'`, name)
    t.equal(page.match(/<script/g)?.length, 2)
    t.equal(page.match(/<style/g)?.length, 1)
    t.notMatch(style, /url\(|@import/)
    for (const { name: element, attributes } of tags) {
      if (['link', 'img', 'iframe', 'object', 'embed', 'base', 'form', 'a'].includes(element)) t.fail(element)
      for (const key of Object.keys(attributes)) {
        if (/^on|^style$|^src|href|action/.test(key)) t.fail(`${element} has ${key}`)
      }
    }
  }
})

t.test('what the page carries are the figures of the plot', async (t) => {
  const plot = samplePlot({ series: 400, name: (number) => `item <${number}>` })
  const { html, shownSeries } = renderForecastPlot(plot)
  t.equal(shownSeries, 400)
  const open = await openPlot(dataOf(html))
  t.strictSame(open.times.map((time) => new Date(time).toISOString().slice(0, 19)), plot.axis)
  t.strictSame(open.names, plot.series.map(({ item_id: id }) => id))
  for (const number of [0, 399, 17, 200]) {
    const [given, read] = [plot.series[number], await open.series(number)]
    const span = Math.max(...given?.quantiles.flat() as number[], ...given?.history as number[])
    const pairs = (one: typeof given) =>
      [one?.history, one?.mean, ...one?.quantiles ?? [], one?.backtest?.mean, ...one?.backtest?.quantiles ?? []]
        .flat() as number[]
    t.same({ from: read.from, steps: read.mean.length, tested: read.backtest?.from }, {
      from: 0,
      steps: 28,
      tested: given?.backtest?.from
    })
    const off = pairs(given).map((figure, index) => Math.abs(figure - (pairs(read)[index] ?? NaN)))
    t.ok(off.every((one) => one <= span * 2 ** -23), `off by ${Math.max(...off)} of ${span}`)
  }
  await t.rejects(open.series(400), new RangeError('there is no series 400'))
})

t.test('a page keeps to its size: coarser figures first, then the series with the least volume are left out', async (t) => {
  t.ok(Buffer.byteLength(renderForecastPlot(samplePlot()).html) <= 150_000, 'one series')
  const large = renderForecastPlot(samplePlot({ series: 10_000 }))
  t.ok(Buffer.byteLength(large.html) <= 5_000_000)
  t.equal(large.shownSeries, 10_000)
  t.notMatch(withoutScript(large.html), /are left out/)
  t.match(textOf(withoutScript(large.html)),
    /they are off by up to .* of the span between the least and the largest number of the series/)

  const larger = renderForecastPlot({ ...samplePlot({ series: 20_000 }), total_series: 30_000 })
  t.ok(Buffer.byteLength(larger.html) <= 5_000_000)
  t.ok(larger.shownSeries > 10_000 && larger.shownSeries < 20_000, String(larger.shownSeries))
  const left = (30_000 - larger.shownSeries).toLocaleString('en')
  t.match(textOf(withoutScript(larger.html)), `The other ${left} are left out`)
  const open = await openPlot(dataOf(larger.html))
  t.equal(open.names.length, larger.shownSeries)
  t.equal((await open.series(larger.shownSeries - 1)).item_id, `item_${larger.shownSeries - 1}`)
})

t.test('equal plots give equal bytes', async (t) => {
  for (const [name, plot] of oddPlots()) {
    const before = JSON.stringify(plot)
    t.equal(renderForecastPlot(plot).html, renderForecastPlot(structuredClone(plot)).html, name)
    t.equal(renderForecastThumbnail(plot), renderForecastThumbnail(structuredClone(plot)), name)
    t.equal(JSON.stringify(plot), before, 'the plot stays as it was')
  }
})

t.test('odd plots become pages and drawings whose figures are all numbers', async (t) => {
  for (const [name, plot] of oddPlots()) {
    const page = withoutScript(renderForecastPlot(plot).html)
    const drawing = renderForecastThumbnail(plot)
    for (const text of [page, drawing]) t.notMatch(text, /(?:d|x|y|cx|cy)="[^"]*(?:NaN|Infinity|undefined)/, name)
    t.notMatch(textOf(page), /NaN|Infinity|undefined/, name)
    t.notMatch(page + drawing, /[\0\u202A-\u202E\u2066-\u2069\uFFFF]/, name)
    t.ok(page.length < 300_000 && drawing.length < 100_000, `${name}: ${page.length}, ${drawing.length}`)
    t.match(drawing,
      /<svg [^>]*role="img" aria-labelledby="title description"[^>]*>\n<title id="title">[^<]+<\/title>\n<desc id="description">[^<]+<\/desc>/)
    tagsOf(`<!doctype html>${drawing}`)
  }
})

t.test('a line of thousands is thinned, but not its extremes and its gaps', async (t) => {
  const plot = samplePlot({ history: 20_000, backtest: false })
  const history = plot.series[0]?.history ?? []
  history[12_345] = 1000
  history.fill(null, 5000, 9000)
  const line = tagsOf(`<!doctype html>${renderForecastThumbnail(plot)}`).find(({ attributes }) =>
    attributes['class'] === 'history'
  )
  const path = line?.attributes['d'] ?? ''
  t.ok(path.length < 30_000, String(path.length))
  t.equal(path.split('M').length - 1, 2, 'a piece before the gap and one after it')
  const heights = [...path.matchAll(/[ML][\d.]+ ([\d.]+)/g)].map(([, y]) => Number(y))
  t.equal(Math.min(...heights), 20, 'the highest figure reaches the upper end of the scale')
})

t.test('the page without its script has the first series as drawing and table', async (t) => {
  const plot = samplePlot({ series: 3 })
  const page = withoutScript(renderForecastPlot(plot).html)
  const text = textOf(page)
  t.match(text, /3 series, daily, 28 steps ahead from 2024-02-26/)
  t.match(text,
    /History of 56 steps, 2024-01-01 to 2024-02-25, .*Forecast of 28 steps, 2024-02-26 to 2024-03-24, mean .*80\s%\s+band/s)
  const tags = tagsOf(page)
  t.equal(tags.filter(({ name, kind }) => name === 'table' && kind === 'open').length, 1)
  t.strictSame(tags.filter(({ attributes }) => attributes['class'] === 'mean').length, 1, 'a line of the mean')
  const cells = /<tr><th scope="row">2024-02-26<\/th>(.*)<\/tr>/.exec(page)?.[1]?.split(/<[^>]*>/).filter((cell) =>
    cell !== ''
  )
  t.strictSame(cells, ['forecast',
    ...[plot.series[0]?.mean[0], ...plot.series[0]?.quantiles.map(([first]) => first) ?? []].map((figure) =>
      String(Number(figure?.toPrecision(6)))
    )])
})

t.test('parts that do not fit together are refused by name', async (t) => {
  const plot = samplePlot({ series: 2 })
  const [first, second] = plot.series as [ForecastPlot['series'][number], ForecastPlot['series'][number]]
  const withSecond = (change: Partial<typeof second>): ForecastPlot => ({
    ...plot,
    series: [first, { ...second, ...change }]
  })
  const refused: Array<[ForecastPlot, RegExp]> = [
    [{ ...plot, version: 2 as 1 }, /version 2, not 1/],
    [{ ...plot, axis: ['2024-01-01T00:00:00', 'tomorrow'] }, /axis\[1\] is "tomorrow", not a time/],
    [{ ...plot, axis: plot.axis.toReversed() }, /axis\[1\] is .* not a time after the one before it/],
    [{ ...plot, axis: plot.axis.slice(0, 80) },
      /series\[0\] \("item_0"\): the forecast lies at 56 to 84 of an axis of 80 times/],
    [{ ...plot, quantile_levels: [0.5, 0.1, 0.9] }, /quantile_levels\[1\] is 0.1/],
    [{ ...plot, quantile_levels: [0.1, 0.5, 1] }, /quantile_levels\[2\] is 1/],
    [{ ...plot, total_series: 1 }, /total_series is 1, with 2 series/],
    [withSecond({ from: -1 }), /series\[1\] \("item_1"\): from is -1/],
    [withSecond({ quantiles: second.quantiles.slice(1) }),
      /series\[1\] \("item_1"\): the forecast has 2 quantiles for 3 levels/],
    [withSecond({ mean: second.mean.slice(1) }), /the quantiles of the forecast are not as long as its mean/],
    [withSecond({ backtest: { from: 70, mean: second.mean, quantiles: second.quantiles } }),
      /the backtest lies at 70 to 98/]
  ]
  for (const [given, message] of refused) {
    t.throws(() => renderForecastPlot(given), message)
    t.throws(() => renderForecastThumbnail(given), message)
  }
})

t.test('a week is named by its day', async (t) => {
  for (const [freq, words] of [['W-MON', 'weekly (Mondays)'], ['W', 'weekly'], ['W-XYZ', 'frequency W-XYZ']] as const) {
    t.ok(renderForecastPlot({ ...samplePlot(), freq }).html.includes(words), freq)
  }
})
