import { isDrawable } from './chart/drawable.ts'
import type { Figure, ForecastPlot, PlotForecast, PlotSeries } from './forecast-plot.ts'
import { timeOf } from './plot/time-text.ts'

/**
 * Returns the plot with figures that can be drawn: one that is not finite, or is 1e300 or more, becomes null.
 * @throws Error that names the series if lengths, indices, times or levels do not fit together
 */
export function checkForecastPlot (plot: ForecastPlot): ForecastPlot {
  const { version, axis, quantile_levels: levels, total_series: total, series } = plot
  if (version !== 1) throw new Error(`the plot has version ${String(version)}, not 1`)
  let before = -Infinity
  for (const [index, text] of axis.entries()) {
    const time = timeOf(text)
    if (!(time > before)) {
      throw new Error(`axis[${index}] is ${JSON.stringify(text)}, not a time after the one before it`)
    }
    before = time
  }
  for (const [index, level] of levels.entries()) {
    if (!(level > (levels[index - 1] ?? 0) && level < 1)) {
      throw new Error(`quantile_levels[${index}] is ${level}: levels ascend between 0 and 1`)
    }
  }
  if (!Number.isInteger(total) || total < series.length) {
    throw new Error(`total_series is ${total}, with ${series.length} series`)
  }
  return { ...plot, series: series.map((one, index) => checkSeries(one, index, plot)) }
}

function checkSeries (series: PlotSeries, index: number, { axis, quantile_levels: levels }: ForecastPlot): PlotSeries {
  const { from, history, backtest } = series
  const fail = (what: string): never => {
    throw new Error(`series[${index}] (${JSON.stringify(series.item_id.slice(0, 80))}): ${what}`)
  }
  const checkForecast = (forecast: PlotForecast, start: number, name: string): PlotForecast => {
    if (forecast.quantiles.length !== levels.length) {
      fail(`${name} has ${forecast.quantiles.length} quantiles for ${levels.length} levels`)
    }
    if (forecast.quantiles.some((one) => one.length !== forecast.mean.length)) {
      fail(`the quantiles of ${name} are not as long as its mean`)
    }
    const end = start + forecast.mean.length
    if (!Number.isInteger(start) || start < 0 || end > axis.length) {
      fail(`${name} lies at ${start} to ${end} of an axis of ${axis.length} times`)
    }
    return { mean: drawable(forecast.mean), quantiles: forecast.quantiles.map(drawable) }
  }
  if (!Number.isInteger(from) || from < 0) fail(`from is ${from}`)
  return {
    ...series,
    ...checkForecast(series, from + history.length, 'the forecast'),
    history: drawable(history),
    backtest: backtest === null
      ? null
      : { from: backtest.from, ...checkForecast(backtest, backtest.from, 'the backtest') }
  }
}

function drawable (figures: readonly Figure[]): Figure[] {
  return figures.map((figure) => isDrawable(figure) ? figure : null)
}
