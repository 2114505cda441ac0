import { deflateRawSync } from 'node:zlib'
import type { ForecastPlot, PlotSeries } from '../forecast-plot.ts'
import { shownText } from '../shown-text.ts'
import type { PlotData, PlotIndex, SeriesShape } from './plot-data.ts'
import { encodeSeries } from './series-codec.ts'
import { timeOf } from './time-text.ts'

/**
 * From exact, as far as four or six digits are shown, to errors that are just invisible in a drawing of a thousand
 * lines.
 */
const precisions = [24, 16, 12]
/** A chunk is the unit that is unpacked to show one series. */
const figuresOfChunk = 65_536
const longestName = 120

export interface PackedPlot {
  data: PlotData
  /** The page has this many series, beginning with the first. */
  shown: number
}

/**
 * Packs all series into at most `limit` bytes, with the finest precision that allows it. If not even the coarsest does,
 * packs as many series as fit, at least one.
 */
export function packPlot (plot: ForecastPlot, limit: number): PackedPlot {
  let packed: PackedPlot | null = null
  for (const bits of precisions) {
    packed = packWith(plot, limit, bits)
    if (packed.shown === plot.series.length) break
  }
  return packed as PackedPlot
}

function packWith (plot: ForecastPlot, limit: number, bits: number): PackedPlot {
  const { series, target, quantile_levels: levels } = plot
  const chunkStarts: number[] = []
  const chunks: string[] = []
  let [shown, bytes] = [0, 0]
  while (shown < series.length && bytes <= limit) {
    const end = endOfChunk(series, shown)
    const chunk = pack(encodeSeries(series.slice(shown, end), levels.length, bits))
    chunkStarts.push(shown)
    chunks.push(chunk)
    bytes += chunk.length
    shown = end
  }
  let index = indexOf(plot, shown, chunkStarts)
  while (bytes + index.length > limit && chunks.length > 1) {
    bytes -= chunks.pop()?.length ?? 0
    shown = chunkStarts.pop() ?? 0
    index = indexOf(plot, shown, chunkStarts)
  }
  return { data: { target: shownText(target), quantile_levels: levels, bits, index, chunks }, shown }
}

function endOfChunk (series: readonly PlotSeries[], start: number): number {
  let [end, figures] = [start, 0]
  while (end < series.length && (end === start || figures < figuresOfChunk)) {
    const { history, mean, quantiles, backtest } = series[end] as PlotSeries
    figures += history.length + (mean.length + (backtest?.mean.length ?? 0)) * (1 + quantiles.length)
    end += 1
  }
  return end
}

function indexOf ({ axis, series }: ForecastPlot, shown: number, chunkStarts: readonly number[]): string {
  const times = axis.map(timeOf)
  const index: PlotIndex = {
    start: times[0] ?? 0,
    steps: times.slice(1).map((time, before) => time - (times[before] ?? 0)),
    names: series.slice(0, shown).map(({ item_id: id }) => shownText(id, longestName)),
    shapes: series.slice(0, shown).map((
      { from, history, mean, backtest }
    ): SeriesShape => [from, history.length, mean.length, backtest?.from ?? -1, backtest?.mean.length ?? 0]),
    chunkStarts: [...chunkStarts]
  }
  return pack(Buffer.from(JSON.stringify(index)))
}

function pack (bytes: Uint8Array): string {
  return deflateRawSync(bytes, { level: 6 }).toString('base64')
}
