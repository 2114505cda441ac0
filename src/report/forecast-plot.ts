/**
 * The engine's `plot.json` of a forecast job, from which `forecast_plot.html` and `forecast_plot.svg` are made. Every
 * text in it may come from a customer's file: names of series and of the target are data here, never markup.
 */
export interface ForecastPlot {
  version: 1
  /** Alias of the frequency, like `D` or `15min`. */
  freq: string
  /** Name of the target column. */
  target: string
  /** The first forecast time, if it is the same for all series. */
  forecast_from?: string | null
  /** Every time of the grid, ascending, as ISO 8601 without a zone; series refer to it by index. */
  axis: string[]
  /** Ascending, each between 0 and 1. */
  quantile_levels: number[]
  /** Series of the job; those that are not in `series` are only counted. */
  total_series: number
  /** By volume, the largest first. */
  series: PlotSeries[]
}

/** A number in the unit of the target; null if there is none. */
export type Figure = number | null

export interface PlotForecast {
  /** One figure per step of the horizon. */
  mean: Figure[]
  /** For each of `quantile_levels` an array as long as `mean`. */
  quantiles: Figure[][]
}

/** One series: its history, and the forecast that directly follows it. */
export interface PlotSeries extends PlotForecast {
  item_id: string
  /** Index into `axis` of the first time of `history`. */
  from: number
  history: Figure[]
  /** The forecast of the last backtest origin for times of the history; `from` is an index into `axis`. */
  backtest: PlotForecast & { from: number } | null
}
