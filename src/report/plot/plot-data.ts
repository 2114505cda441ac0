/**
 * The JSON of the page. Numbers are packed, because ten thousand series as text would take tens of megabytes. `index`
 * and each of `chunks` is base64 of raw deflate: `index` of the JSON of a `PlotIndex`, a chunk of the bytes that
 * `encodeSeries` makes of some series.
 */
export interface PlotData {
  target: string
  quantile_levels: number[]
  /** Bits of the integers that represent the figures of a series. */
  bits: number
  index: string
  chunks: string[]
}

/** The facts about all series that are needed to find one. Arrays are in the order of the series. */
export interface PlotIndex {
  /** The first time, in milliseconds since 1970. */
  start: number
  /** Milliseconds from each time to the next. */
  steps: number[]
  /** Names as they are shown: cut, on one line. */
  names: string[]
  shapes: SeriesShape[]
  /** The first series of each chunk. */
  chunkStarts: number[]
}

/**
 * First time, steps of the history, steps of the forecast, first time of the backtest and its steps; without a backtest
 * the last two are -1 and 0.
 */
export type SeriesShape = [from: number, history: number, horizon: number, backtestFrom: number, backtestSteps: number]
