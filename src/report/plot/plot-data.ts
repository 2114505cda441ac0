/**
 * What the page carries as JSON. Numbers are packed, as ten thousand series as text would take tens of megabytes:
 * `index` and each of `chunks` is base64 of raw deflate, `index` of the JSON of a `PlotIndex`, a chunk of what
 * `encodeSeries` makes of some series.
 */
export interface PlotData {
  target: string
  quantile_levels: number[]
  /** Of the integers that stand for the figures of a series. */
  bits: number
  index: string
  chunks: string[]
}

/** What has to be known of all series to find one. Arrays are in the order of the series. */
export interface PlotIndex {
  /** Milliseconds since 1970 of the first time. */
  start: number
  /** Milliseconds from each time to the next. */
  steps: number[]
  /** As they are shown: cut, on one line. */
  names: string[]
  shapes: SeriesShape[]
  /** The first series of each chunk. */
  chunkStarts: number[]
}

/**
 * from, steps of the history, steps of the forecast, and of the backtest its from and its steps; no backtest is -1, 0.
 */
export type SeriesShape = [from: number, history: number, horizon: number, backtestFrom: number, backtestSteps: number]
