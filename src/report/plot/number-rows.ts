import type { Figure, PlotSeries } from '../forecast-plot.ts'
import { numberText } from '../number-text.ts'
import { percentOf } from './bands.ts'
import { lengthOf } from './layers.ts'

/** Headings of the table of one series. */
export function headOf (levels: readonly number[]): string[] {
  return ['Time', 'Part', 'Actual', 'Mean', ...levels.map((level) => `${percentOf(level)} quantile`)]
}

/** How many digits the integers of a page can represent; see `PlotData.bits`. */
export function digitsOf (bits: number): number {
  return bits > 16 ? 6 : 4
}

/**
 * The cells of the times `from` to `to` of a series, counted from its first one. In the history, the forecast is that
 * of the backtest.
 */
export function rowsOf (series: PlotSeries, times: (index: number) => string,
  { from, to, digits }: { from: number, to: number, digits: number }): string[][] {
  const { history, backtest } = series
  const rows: string[][] = []
  for (let index = Math.max(0, from); index < Math.min(to, lengthOf(series)); index++) {
    const isForecast = index >= history.length
    const tested = isForecast || backtest === null ? -1 : index + series.from - backtest.from
    const isTested = backtest !== null && tested >= 0 && tested < backtest.mean.length
    const [source, place] = isForecast ? [series, index - history.length] : [isTested ? backtest : null, tested]
    const text = (figure: Figure | undefined) => figure === undefined ? '' : numberText(figure, digits)
    rows.push([
      times(series.from + index),
      isForecast ? 'forecast' : isTested ? 'backtest' : 'history',
      isForecast ? '' : text(history[index]),
      text(source?.mean[place]),
      ...series.quantiles.map((_, level) => text(source?.quantiles[level]?.[place]))
    ])
  }
  return rows
}
