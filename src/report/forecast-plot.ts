/**
 * What the engine writes about one forecast job into `plot.json`, and what `forecast_plot.html` and `forecast_plot.svg`
 * are made from. Every text in it may come from a customer's file: names of series and of the target are data here,
 * never markup.
 */
export interface ForecastPlot {
  version: 1
  /** Alias of the frequency, like `D` or `15min`. */
  freq: string
  /** Name of the target column. */
  target: string
  /** The first time that is forecast, where it is the same for all series. */
  forecast_from?: string | null
  /** Every time of the grid, ascending, as ISO 8601 without a zone; series point into it. */
  axis: string[]
  /** Ascending, each between 0 and 1. */
  quantile_levels: number[]
  /** Series of the job; those that are not in `series` are only counted. */
  total_series: number
  /** In order of volume, the largest first. */
  series: PlotSeries[]
}

/** A number in the unit of the target; null where there is none. */
export type Figure = number | null

export interface PlotForecast {
  /** One figure a step of the horizon. */
  mean: Figure[]
  /** For each of `quantile_levels` an array as long as `mean`. */
  quantiles: Figure[][]
}

/** One series: its history, and the forecast that follows it directly. */
export interface PlotSeries extends PlotForecast {
  item_id: string
  /** Index into `axis` of the first time of `history`. */
  from: number
  history: Figure[]
  /** What the model of the last origin forecast for times of the history; `from` is an index into `axis`. */
  backtest: PlotForecast & { from: number } | null
}
