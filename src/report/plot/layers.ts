import type { Figure, PlotForecast, PlotSeries } from '../forecast-plot.ts'
import { partsOfLevels, percentOf, type Band } from './bands.ts'

export type LayerKind = 'band' | 'backtest-band' | 'history' | 'quantile' | 'median' | 'mean' | 'backtest'

/** A part of a series' drawing: a line, or the band between two lines. */
export interface Layer {
  /** Layers with the same key are shown and hidden together. */
  key: string
  kind: LayerKind
  label: string
  /** One line, or the lower and the upper end of a band; one figure per time of the series. */
  lines: Figure[][]
  /** Its figures are from this index up to the other, which is excluded. */
  from: number
  to: number
}

/** How many times a series has, history and forecast together. */
export function lengthOf ({ history, mean }: PlotSeries): number {
  return history.length + mean.length
}

/** The layers of a series in drawing order; wide bands are below narrow ones. */
export function layersOf (series: PlotSeries, levels: readonly number[]): Layer[] {
  const { bands, median, single } = partsOfLevels(levels)
  const { from, history, mean, quantiles, backtest } = series
  const length = lengthOf(series)
  const layer = (start: number, kind: LayerKind, label: string, lines: Lines, key = label): Layer => {
    const end = start + (lines[0]?.length ?? 0)
    const placed = lines.map((figures = []) => Array.from({ length }, (_, index) => figures[index - start] ?? null))
    return { key, kind, label, lines: placed, from: Math.max(0, start), to: Math.min(length, Math.max(0, end)) }
  }
  const start = history.length
  const tested = (kind: LayerKind, label: string, lines: (backtest: PlotForecast) => Lines) => {
    return backtest === null ? [] : [layer(backtest.from - from, kind, label, lines(backtest), 'Backtest')]
  }
  const ends = (of: PlotForecast['quantiles'], { low, high }: Band): Lines => [of[low], of[high]]
  const testedBand = bands.slice(0, 1).flatMap((widest) => {
    return tested('backtest-band', `Backtest, ${widest.coverage} band`, ({ quantiles }) => ends(quantiles, widest))
  })
  return [
    ...bands.map((band) => layer(start, 'band', `${band.coverage} band`, ends(quantiles, band))),
    ...testedBand,
    layer(0, 'history', 'Actual', [history]),
    ...single.map((level) => layer(start, 'quantile', `${percentOf(levels[level] ?? 0)} quantile`, [quantiles[level]])),
    ...median < 0 ? [] : [layer(start, 'median', 'Median', [quantiles[median]])],
    layer(start, 'mean', 'Mean', [mean]),
    ...tested('backtest', 'Backtest', (one) => [one.mean])
  ]
}

type Lines = ReadonlyArray<readonly Figure[] | undefined>

/** The least and the largest figure of some layers between two indices; null if there is none. */
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

/**
 * The indices between two others at which a line is drawn: all of them, or, if many fall into one unit of `width`, the
 * first, the lowest, the highest and the last figure there, and a gap. The line looks the same.
 */
export function drawnIndices (figures: readonly Figure[], first: number, last: number, width: number): number[] {
  const count = Math.max(0, last - first + 1)
  if (count < 3 * width) return Array.from({ length: count }, (_, index) => first + index)
  const kept: number[] = []
  for (let column = 0; column < width; column++) {
    const [start, end] = [column, column + 1].map(
      (edge) => first + Math.floor(edge * count / width)
    ) as [number, number]
    let [low, high, lowest, highest, gap] = [Infinity, -Infinity, start, start, start]
    for (let index = start; index < end; index++) {
      const figure = figures[index]
      if (figure === null || figure === undefined) gap = index
      else {
        if (figure < low) [low, lowest] = [figure, index]
        if (figure > high) [high, highest] = [figure, index]
      }
    }
    kept.push(...new Set([start, lowest, highest, gap, end - 1].sort((a, b) => a - b)))
  }
  return kept
}
