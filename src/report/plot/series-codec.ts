import type { Figure, PlotSeries } from '../forecast-plot.ts'
import type { SeriesShape } from './plot-data.ts'

/*
 * A figure is an integer of `bits` bits: 0 for none, else its position between the least and the largest figure of its
 * series. The difference from a prediction is written, because that deflates better. The prediction is the previous
 * figure; in a quantile it is the previous figure, moved as the mean moved. Differences are modulo 2^bits, negative
 * ones become odd numbers. Bytes are ordered in planes, the high bytes of all figures first.
 */

/**
 * The arrays of a series, in the order in which they are written: history, mean, each quantile, mean and quantiles of
 * the backtest.
 */
function runsOf ({ history, mean, quantiles, backtest }: PlotSeries): Figure[][] {
  return [history, mean, ...quantiles, ...(backtest === null ? [] : [backtest.mean, ...backtest.quantiles])]
}

/** The array that an array is predicted to move with: its mean; null for a history or a mean. */
function leaderOf (run: number, levels: number): number | null {
  const backtest = 2 + levels
  if (run === 0 || run === 1 || run === backtest) return null
  return run < backtest ? 1 : backtest
}

/**
 * The bytes of some series: the least and the largest figure of each as doubles, then the integers: the history of
 * each, the mean of each, and so on.
 */
export function encodeSeries (series: readonly PlotSeries[], levels: number, bits: number): Uint8Array {
  const size = 2 ** bits
  const planes = Math.ceil(bits / 8)
  const runs = series.map(runsOf)
  const ranges = runs.map(rangeOf)
  const codes = runs.map((one, number) => one.map((figures) => codesOf(figures, ranges[number] as Range, size)))
  const count = runs.reduce((sum, one) => sum + one.reduce((length, figures) => length + figures.length, 0), 0)
  const bytes = new Uint8Array(16 * series.length + planes * count)
  const view = new DataView(bytes.buffer)
  for (const [number, { low, high }] of ranges.entries()) {
    view.setFloat64(16 * number, low, true)
    view.setFloat64(16 * number + 8, high, true)
  }
  let place = 16 * series.length
  for (let run = 0; run < 3 + 2 * levels; run++) {
    const leader = leaderOf(run, levels)
    for (const one of codes) {
      const own = one[run]
      if (own === undefined) continue
      const leading = leader === null ? undefined : one[leader]
      for (let step = 0; step < own.length; step++, place++) {
        const difference = ((own[step] ?? 0) - expected(own, leading, step)) & (size - 1)
        const value = difference < size / 2 ? 2 * difference : 2 * (size - difference) - 1
        for (let plane = 0; plane < planes; plane++) bytes[place + plane * count] = value >>> 8 * (planes - 1 - plane)
      }
    }
  }
  return bytes
}

/**
 * Decodes one of the series that `encodeSeries` wrote, to the precision of `bits`; `shapes` are those of all series
 * that it wrote.
 */
export function decodeSeries (bytes: Uint8Array, levels: number, bits: number, shapes: readonly SeriesShape[],
  number: number): Omit<PlotSeries, 'item_id'> {
  const size = 2 ** bits
  const planes = Math.ceil(bits / 8)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const range = { low: view.getFloat64(16 * number, true), high: view.getFloat64(16 * number + 8, true) }
  const count = (bytes.length - 16 * shapes.length) / planes
  const codes: Uint32Array[] = []
  let place = 16 * shapes.length
  for (let run = 0; run < 3 + 2 * levels; run++) {
    const leader = leaderOf(run, levels)
    for (const [other, shape] of shapes.entries()) {
      const length = lengthOfRun(shape, run, levels)
      if (other === number) {
        const own = new Uint32Array(length)
        const leading = leader === null ? undefined : codes[leader]
        for (let step = 0; step < length; step++) {
          let value = 0
          for (let plane = 0; plane < planes; plane++) value = value * 256 + (bytes[place + step + plane * count] ?? 0)
          own[step] = (expected(own, leading, step) + (value % 2 === 0 ? value / 2 : size - (value + 1) / 2)) &
            (size - 1)
        }
        codes.push(own)
      }
      place += length
    }
  }
  const figures = codes.map((own) => figuresOf(own, range, size))
  const [from, , , backtestFrom] = shapes[number] as SeriesShape
  const forecastAt = (run: number) => ({
    mean: figures[run] ?? [],
    quantiles: figures.slice(run + 1, run + 1 + levels)
  })
  return {
    from,
    history: figures[0] ?? [],
    ...forecastAt(1),
    backtest: backtestFrom < 0 ? null : { from: backtestFrom, ...forecastAt(2 + levels) }
  }
}

function lengthOfRun ([, history, horizon, , backtest]: SeriesShape, run: number, levels: number): number {
  return run === 0 ? history : run < 2 + levels ? horizon : backtest
}

function expected (own: Uint32Array, leading: Uint32Array | undefined, step: number): number {
  const before = step === 0 ? 0 : own[step - 1] ?? 0
  return leading === undefined ? before : before + (leading[step] ?? 0) - (step === 0 ? 0 : leading[step - 1] ?? 0)
}

interface Range {
  low: number
  high: number
}

function rangeOf (runs: readonly Figure[][]): Range {
  let [low, high] = [Infinity, -Infinity]
  for (const figures of runs) {
    for (const figure of figures) {
      if (figure === null) continue
      if (figure < low) low = figure
      if (figure > high) high = figure
    }
  }
  return low <= high ? { low, high } : { low: 0, high: 0 }
}

function codesOf (figures: readonly Figure[], { low, high }: Range, size: number): Uint32Array {
  const codes = new Uint32Array(figures.length)
  for (let index = 0; index < codes.length; index++) {
    const figure = figures[index] ?? null
    if (figure !== null) codes[index] = high === low ? 1 : 1 + Math.round((figure - low) / (high - low) * (size - 2))
  }
  return codes
}

function figuresOf (codes: Uint32Array, { low, high }: Range, size: number): Figure[] {
  const step = (high - low) / (size - 2)
  // No more decimals than the precision gives, so that whole numbers mostly become whole again.
  const decimals = Math.ceil(-Math.log10(step))
  const scale = decimals >= 0 && decimals <= 12 ? 10 ** decimals : 0
  const isRounded = scale > 0 && Math.max(Math.abs(low), Math.abs(high)) * scale < 2 ** 53
  return Array.from(codes, (code) => {
    if (code === 0) return null
    if (code === 1) return low
    if (code === size - 1) return high
    const figure = low + (code - 1) * step
    return isRounded ? Math.round(figure * scale) / scale : figure
  })
}
