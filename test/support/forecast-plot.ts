import type { Figure, ForecastPlot, PlotForecast, PlotSeries } from '../../src/report/forecast-plot.ts'

export interface SampleOptions {
  series?: number
  history?: number
  horizon?: number
  levels?: number[]
  backtest?: boolean
  name?: (number: number) => string
}

const day = 86_400_000

/**
 * A plot of daily sales: whole numbers with a week, a trend and noise, and a forecast whose spread grows. Equal options
 * give equal plots.
 */
export function samplePlot (
  {
    series = 1,
    history = 56,
    horizon = 28,
    levels = [0.1, 0.5, 0.9],
    backtest = true,
    name = (number) => `item_${number}`
  }: SampleOptions = {}
): ForecastPlot {
  const random = randomFrom(7)
  const start = Date.UTC(2024, 0, 1)
  return {
    version: 1,
    freq: 'D',
    target: 'sales',
    forecast_from: new Date(start + history * day).toISOString().slice(0, 19),
    axis: Array.from({ length: history + horizon },
      (_, step) => new Date(start + step * day).toISOString().slice(0, 19)),
    quantile_levels: levels,
    total_series: series,
    series: Array.from({ length: series },
      (_, number) => sampleSeries(name(number), series - number, { history, horizon, levels, backtest, random }))
  }
}

function sampleSeries (name: string, rank: number,
  { history, horizon, levels, backtest, random }: Required<Omit<SampleOptions, 'series' | 'name'>> & {
    random: () => number
  }): PlotSeries {
  const level = 20 + 3 * rank ** 0.5 * (0.5 + random())
  const slope = level * (random() - 0.4) / (4 * (history + horizon))
  const week = Array.from({ length: 7 }, () => 1 + 0.5 * (random() - 0.5))
  const noise = level * (0.05 + 0.15 * random())
  const expected = (step: number) => (level + slope * step) * (week[step % 7] ?? 1)
  const forecast = (from: number, steps: number): PlotForecast => {
    const mean = Array.from({ length: steps }, (_, step) => figure(expected(from + step) * (1 + 0.02 * random())))
    const spread = (step: number) => noise * Math.sqrt(1 + step / 6)
    return {
      mean,
      quantiles: levels.map((share) =>
        mean.map((value, step) => figure(Math.max(0, (value ?? 0) + spread(step) * (logit(share) / 1.7 - 0.02))))
      )
    }
  }
  const steps = Math.min(horizon, history)
  return {
    item_id: name,
    from: 0,
    history: Array.from({ length: history },
      (_, step) => Math.max(0, Math.round(expected(step) + noise * 2 * (random() + random() + random() - 1.5)))),
    ...forecast(history, horizon),
    backtest: backtest ? { from: history - steps, ...forecast(history - steps, steps) } : null
  }
}

function figure (value: number): Figure {
  return Number(value.toPrecision(7))
}

function logit (share: number): number {
  return Math.log(share / (1 - share))
}

function randomFrom (seed: number): () => number {
  let state = seed
  return () => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** What a plot can have that is not usual, each under its name. */
export function oddPlots (): Array<[name: string, plot: ForecastPlot]> {
  const usual = samplePlot({ series: 3 })
  const change = (part: (series: PlotSeries) => Partial<PlotSeries>): ForecastPlot => ({
    ...usual,
    series: usual.series.map((series) => ({ ...series, ...part(series) }))
  })
  const every = (figures: readonly Figure[], figure: number | null) => figures.map(() => figure)
  const all = (figure: number | null) =>
    change(({ history, mean, quantiles, backtest }) => ({
      history: every(history, figure),
      mean: every(mean, figure),
      quantiles: quantiles.map((one) => every(one, figure)),
      backtest: backtest &&
        {
          ...backtest,
          mean: every(backtest.mean, figure),
          quantiles: backtest.quantiles.map((one) => every(one, figure))
        }
    }))
  const texts = ['', ' ', '<script>alert(1)</script>', '</script><img src=x onerror="alert(1)">', '<!--', '\u202Eevil',
    '\uFFFF\0', 'שלום עולם', 'مبيعات اليوم', '商品'.repeat(2000), '👩‍👩‍👧‍👦'.repeat(300), '__proto__', '"\'&amp;']
  return [
    ['usual', usual],
    ['no series', { ...usual, series: [], total_series: 0, axis: [] }],
    ['no history', change(() => ({ from: 56, history: [], backtest: null }))],
    ['history without a value', change(({ history }) => ({ history: every(history, null) }))],
    ['no value at all', all(null)],
    ['all the same', all(5)],
    ['all zero', all(0)],
    ['not a number', all(NaN)],
    ['gaps', change(({ history }) => ({ history: history.map((figure, index) => index % 2 === 0 ? figure : null) }))],
    ['huge', change(({ history }) => ({
      history: history.map((_, index) => [1e299, -1e299, Infinity, 1.7e308][index % 4] as number)
    }))],
    ['tiny differences', change(({ history, mean, quantiles }) => ({
      history: history.map((_, index) => 1e15 + index % 2),
      mean: every(mean, 1e15),
      quantiles: quantiles.map((one) => every(one, 1e15)),
      backtest: null
    }))],
    ['tiny', all(5e-324)],
    ['one step each', samplePlot({ history: 1, horizon: 1 })],
    ['nothing of either', change(() => ({ history: [], mean: [], quantiles: [[], [], []], backtest: null }))],
    ['no forecast', change(() => ({ mean: [], quantiles: [[], [], []], backtest: null }))],
    ['no levels', samplePlot({ levels: [] })],
    ['levels without a counterpart', samplePlot({ levels: [0.05, 0.3, 0.8] })],
    ['ninety-nine levels', samplePlot({ levels: Array.from({ length: 99 }, (_, index) => (index + 1) / 100) })],
    ['long', samplePlot({ history: 20_000 })],
    ['odd texts', {
      ...usual,
      total_series: texts.length,
      target: '</title><script>alert(1)</script>',
      freq: '<b>',
      series: texts.map((text) => ({ ...usual.series[0] as PlotSeries, item_id: text }))
    }]
  ]
}
