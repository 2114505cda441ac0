import { renderSvg } from './chart/chart.ts'
import { checkForecastPlot } from './check-forecast-plot.ts'
import { dataTable } from './data-table.ts'
import type { ForecastPlot, PlotSeries } from './forecast-plot.ts'
import { html, type Html } from './html.ts'
import { countOf, countText } from './number-text.ts'
import { renderPage } from './page.ts'
import { describeSeries } from './plot/describe-series.ts'
import { ForecastChart, forecastDrawing } from './plot/forecast-chart.ts'
import { frequencyText } from './plot/frequency-text.ts'
import { lengthOf } from './plot/layers.ts'
import { digitsOf, headOf, rowsOf } from './plot/number-rows.ts'
import { packPlot } from './plot/pack-plot.ts'
import { plotScript } from './plot/plot-script.ts'
import { plotStyle } from './plot/plot-style.ts'
import { timeOf, timeTexts } from './plot/time-text.ts'
import { named, shownText } from './shown-text.ts'

/** The size limit of a page; its first series is always in it. */
const mostBytes = 5_000_000
/** The most rows of the table that is shown without a script. */
const mostRows = 60

export interface PlotPage {
  html: string
  /** The page has this many series of the plot, beginning with the first. */
  shownSeries: number
}

/**
 * The interactive plot as one HTML page without network access: data, drawing and script are in it. Without the script,
 * the page shows the first series as a drawing and a table. Equal plots give equal bytes.
 * @throws Error if the parts of the plot do not fit together, or the script of the page was not built
 */
export function renderForecastPlot (given: ForecastPlot): PlotPage {
  const plot = checkForecastPlot(given)
  const script = plotScript()
  const page = (data: unknown, shown: number, bits: number) =>
    renderPage({
      title: `Forecast of ${shownText(plot.target)}`,
      header: html`<h1>Forecast of ${named(plot.target)}</h1>
<p>${summary(plot)}</p>`,
      main: renderMain(plot, shown, bits),
      footer: html`<p>Made by tabcast. This page loads nothing and sends nothing.</p>`,
      style: plotStyle,
      data,
      script
    })
  const frame = Buffer.byteLength(page({}, plot.series.length, 12)) + 1000
  const { data, shown } = packPlot(plot, mostBytes - frame)
  return { html: page(data, shown, data.bits), shownSeries: shown }
}

function summary ({ total_series: total, freq, forecast_from: from, series: [first] }: ForecastPlot): string {
  const start = from === undefined || from === null || Number.isNaN(timeOf(from))
    ? ''
    : ` from ${timeTexts([timeOf(from)])(0)}`
  const steps = first === undefined || first.mean.length === 0
    ? ''
    : `, ${countOf(first.mean.length, 'step')} ahead${start}`
  return `${countOf(total, 'series', 'series')}, ${shownText(frequencyText(freq), 40)}${steps}.`
}

function renderMain (plot: ForecastPlot, shown: number, bits: number): Html {
  const { axis, total_series: total, series: [first] } = plot
  if (first === undefined) return html`<p>There is no series to draw.</p>`
  const times = axis.map(timeOf)
  const left = total - shown
  const leftOut = html`<p class="verdict">This page has the ${countText(shown)} series with the largest volume.
The other ${countText(left)} are left out; the files of the result have them.</p>`
  return html`${left === 0 ? null : leftOut}
<p class="verdict" id="failure" hidden="">The interactive drawing cannot run in this browser.</p>
${renderControls(shown)}
${renderFigure(first, plot, times)}
${renderTable(first, plot, times, bits)}`
}

/** Controls that need the script are hidden until it runs. */
function renderControls (shown: number): Html {
  const button = (id: string, text: string, name = text) => {
    return html`<button type="button" id="${id}" aria-label="${name}" title="${name}">${text}</button>`
  }
  return html`<div class="controls" id="controls" hidden="">
<div class="picker" id="picker"><label for="series">Series (${countText(shown)}, the largest first)</label>
<input id="series" type="text" role="combobox" aria-expanded="false" aria-controls="match-list"
aria-autocomplete="list" autocomplete="off" spellcheck="false">
<div class="matches" id="matches" hidden=""><ul id="match-list" role="listbox" aria-label="Series"></ul>
<p id="match-count" role="status"></p></div></div>
<div class="buttons" id="neighbours" role="group" aria-label="Other series">
${button('previous-series', 'Previous')} ${button('next-series', 'Next')}</div>
<div class="buttons zoom" role="group" aria-label="Zoom">
${button('zoom-in', '+', 'Zoom in')} ${button('zoom-out', '−', 'Zoom out')}
${button('earlier', '‹', 'Earlier')} ${button('later', '›', 'Later')} ${button('reset', 'Show all')}</div>
</div>`
}

function renderFigure (first: PlotSeries, { quantile_levels: levels }: ForecastPlot, times: readonly number[]): Html {
  const description = describeSeries(first, levels, timeTexts(times))
  const name = shownText(first.item_id, 120)
  const drawing = forecastDrawing(new ForecastChart(first, times, levels))
  return html`<figure class="figure">
<figcaption><bdi id="series-name">${name}</bdi></figcaption>
<div class="drawing" id="static">${renderSvg({ ...drawing, id: 'static', title: name, description })}</div>
<div id="interactive" hidden="">
<div class="drawing"><div class="plot" id="plot" role="application" aria-roledescription="interactive drawing"
aria-labelledby="series-name" aria-describedby="description help" tabindex="0"></div></div>
<div class="readout" id="readout"></div>
<p class="unseen" id="spoken" role="status"></p>
<ul class="buttons legend" id="legend" aria-label="Shown"></ul>
</div>
<p class="notes" id="description">${description}</p>
<p class="notes" id="help" hidden="">With the drawing in focus: <kbd>←</kbd> <kbd>→</kbd> go from time to time,
<kbd>+</kbd> <kbd>-</kbd> zoom, <kbd>Shift</kbd> with <kbd>←</kbd> <kbd>→</kbd> moves what is shown,
<kbd>0</kbd> shows all. With a mouse, drag over a part or turn the wheel; with two fingers, spread them.</p>
</figure>`
}

function renderTable (
  first: PlotSeries,
  { quantile_levels: levels }: ForecastPlot,
  times: readonly number[],
  bits: number
): Html {
  const length = lengthOf(first)
  const from = Math.max(0, Math.min(first.history.length - mostRows / 2, length - mostRows))
  const head = headOf(levels)
  const rows = rowsOf(first, timeTexts(times), { from, to: from + mostRows, digits: digitsOf(bits) })
  const caption = html`Numbers of ${named(first.item_id, 120)}`
  return html`<details id="numbers"><summary>Table of the numbers</summary>
<p class="notes">${precision(bits)}${length > mostRows ? html` A part of the rows is shown at once.` : null}</p>
<div class="pages" id="pages" hidden=""><button type="button" id="earlier-rows">Earlier rows</button>
<p id="page" role="status"></p><button type="button" id="later-rows">Later rows</button></div>
${dataTable({ caption, label: 'Numbers', head, rows, numbers: head.map((_, column) => column).slice(2) })}
</details>`
}

function precision (bits: number): string {
  const digits = `Figures are rounded to ${digitsOf(bits) === 6 ? 'six' : 'four'} digits.`
  const inFull = 'The CSV of the result has them exactly.'
  if (bits > 16) return `${digits} ${inFull}`
  const off = `${bits === 16 ? '0.001' : '0.02'}\u{A0}%`
  return `${digits} To keep the page small they are off by up to ${off} of the span between the least ` +
    `and the largest number of the series. ${inFull}`
}
