import type { PlotSeries } from '../forecast-plot.ts'
import { describeSeries } from '../plot/describe-series.ts'
import { ForecastChart, type Window } from '../plot/forecast-chart.ts'
import { lengthOf } from '../plot/layers.ts'
import { digitsOf } from '../plot/number-rows.ts'
import { openPlot } from '../plot/open-plot.ts'
import type { PlotData } from '../plot/plot-data.ts'
import { timeTexts } from '../plot/time-text.ts'
import { ChartControls } from './chart-controls.ts'
import { byId } from './elements.ts'
import { renderLegend } from './legend.ts'
import { MovingChart } from './moving-chart.ts'
import { NumberTable } from './number-table.ts'
import { Readout } from './readout.ts'
import { SeriesPicker } from './series-picker.ts'

/** Replaces the static drawing by the interactive one. If this cannot run, the static one stays. */
async function start (): Promise<void> {
  const plot = await openPlot(JSON.parse(byId('plot-data').textContent ?? '') as PlotData)
  if (plot.names.length === 0) return
  const times = timeTexts(plot.times)
  const target = byId('plot')
  const hidden = new Set<string>()
  const table = new NumberTable(times, digitsOf(plot.bits))
  const readout = new Readout(byId('readout'), times)
  let shown: PlotSeries | null = null
  let chart: MovingChart | null = null
  let wanted = 0

  const show = (series: PlotSeries) => {
    const isSamePart = series.from === shown?.from && lengthOf(series) === lengthOf(shown)
    const window = chart === null || !isSamePart ? firstWindow(series) : chart.window
    shown = series
    byId('series-name').textContent = series.item_id
    byId('description').textContent = describeSeries(series, plot.levels, times)
    const drawn = new ForecastChart(series, plot.times, plot.levels)
    renderLegend(byId('legend'), drawn.layers, hidden, () => chart?.hide(hidden))
    readout.use(drawn.layers, series.from)
    table.show(series)
    chart?.destroy()
    chart = drawn.length === 0
      ? null
      : new MovingChart({ target, chart: drawn, hidden, window, onCursor: (index) => readout.show(index) })
  }

  byId('static').hidden = true
  for (const id of ['controls', 'interactive', 'help']) byId(id).hidden = false
  const picker = new SeriesPicker(plot.names, (number) => {
    wanted = number
    // Another series may have been picked meanwhile.
    plot.series(number).then((series) => wanted === number ? show(series) : undefined).catch(report)
  })
  picker.pick(0)
  new ChartControls(target, () => chart, (index) => {
    byId('spoken').textContent = readout.textAt(index)
  }).listen()
}

/** If the history is long compared with the forecast, only its end is shown at first. */
function firstWindow ({ history, mean }: PlotSeries): Window | null {
  const steps = Math.max(5 * mean.length, 120)
  return history.length > 2 * steps
    ? { from: history.length - steps - 0.5, to: history.length + mean.length - 0.5 }
    : null
}

function report (error: unknown): void {
  byId('failure').hidden = false
  throw error
}

start().catch(report)
