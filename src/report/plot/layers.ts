import type { Figure, PlotForecast, PlotSeries } from '../forecast-plot.ts'
import { partsOfLevels, percentOf } from './bands.ts'

export type LayerKind = 'band' | 'backtest-band' | 'history' | 'quantile' | 'median' | 'mean' | 'backtest'

/** What is drawn of one series as one thing: a line, or the band between two. */
export interface Layer {
  /** Names what is shown and hidden together. */
  key: string
  kind: LayerKind
  label: string
  /** One line, or the lower and the upper end of a band; a figure a time of the series. */
  lines: Figure[][]
  /** Where its figures are, from an index to before another one. */
  from: number
  to: number
}

/** Times of a series: its history and its forecast. */
export function lengthOf ({ history, mean }: PlotSeries): number {
  return history.length + mean.length
}

/** The layers of a series, in the order in which they are drawn; wide bands lie under narrow ones. */
export function layersOf (series: PlotSeries, levels: readonly number[]): Layer[] {
  const { bands, median, single } = partsOfLevels(levels)
  const { from, history, backtest } = series
  const length = lengthOf(series)
  const line = (figures: readonly Figure[], start: number) =>
    Array.from({ length }, (_, index) => figures[index - start] ?? null)
  const ofForecast = (pick: (forecast: PlotForecast) => readonly Figure[] | undefined) =>
    line(pick(series) ?? [], history.length)
  const future = { from: history.length, to: length }
  const tested = backtest === null
    ? future
    : {
      from: Math.max(0, backtest.from - from),
      to: Math.min(length, Math.max(0, backtest.from - from + backtest.mean.length))
    }
  const layers: Layer[] = bands.map(({ low, high, coverage }) => ({
    key: `band ${coverage}`,
    kind: 'band',
    label: `${coverage} band`,
    lines: [ofForecast(({ quantiles }) => quantiles[low]), ofForecast(({ quantiles }) => quantiles[high])],
    ...future
  }))
  const widest = bands[0]
  if (backtest !== null && widest !== undefined) {
    const ends = [widest.low, widest.high].map((level) => line(backtest.quantiles[level] ?? [], backtest.from - from))
    layers.push({
      key: 'backtest',
      kind: 'backtest-band',
      label: `Backtest, ${widest.coverage} band`,
      lines: ends,
      ...tested
    })
  }
  layers.push({
    key: 'history',
    kind: 'history',
    label: 'Actual',
    lines: [line(history, 0)],
    from: 0,
    to: history.length
  })
  for (const level of single) {
    layers.push({
      key: `quantile ${level}`,
      kind: 'quantile',
      label: `${percentOf(levels[level] ?? 0)} quantile`,
      lines: [ofForecast(({ quantiles }) => quantiles[level])],
      ...future
    })
  }
  if (median >= 0) {
    layers.push({
      key: 'median',
      kind: 'median',
      label: 'Median',
      lines: [ofForecast(({ quantiles }) => quantiles[median])],
      ...future
    })
  }
  layers.push({ key: 'mean', kind: 'mean', label: 'Mean', lines: [ofForecast(({ mean }) => mean)], ...future })
  if (backtest !== null) {
    layers.push({
      key: 'backtest',
      kind: 'backtest',
      label: 'Backtest',
      lines: [line(backtest.mean, backtest.from - from)],
      ...tested
    })
  }
  return layers
}

/** The least and the largest figure of some layers between two indices; null where there is none. */
export function reachOf (layers: readonly Layer[], first: number, last: number): { low: number, high: number } | null {
  let low = Infinity
  let high = -Infinity
  for (const { lines, from, to } of layers) {
    for (const figures of lines) {
      for (let index = Math.max(from, first); index <= last && index < to; index++) {
        const figure = figures[index]
        if (figure === null || figure === undefined) continue
        if (figure < low) low = figure
        if (figure > high) high = figure
      }
    }
  }
  return low <= high ? { low, high } : null
}

/** Indices of figures with none beside them: a line alone would not show them. */
export function isolatedOf (figures: readonly Figure[]): number[] {
  const isThere = (index: number) => figures[index] !== null && figures[index] !== undefined
  const isolated: number[] = []
  for (let index = 0; index < figures.length; index++) {
    if (isThere(index) && !isThere(index - 1) && !isThere(index + 1)) isolated.push(index)
  }
  return isolated
}
