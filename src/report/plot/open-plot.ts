import type { PlotSeries } from '../forecast-plot.ts'
import type { PlotData, PlotIndex } from './plot-data.ts'
import { decodeSeries } from './series-codec.ts'

/** The data of a page as a browser reads them: the index at once, a series when it is shown. */
export interface OpenPlot {
  times: number[]
  names: string[]
  levels: number[]
  bits: number
  series(number: number): Promise<PlotSeries>
}

export async function openPlot (data: PlotData): Promise<OpenPlot> {
  const { start, steps, names, shapes, chunkStarts } = JSON.parse(
    new TextDecoder().decode(await unpack(data.index))
  ) as PlotIndex
  const times = [start]
  for (const [index, step] of steps.entries()) times.push((times[index] ?? 0) + step)
  const { bits, quantile_levels: levels, chunks } = data
  let last: { chunk: number, bytes: Uint8Array } | null = null
  return {
    times,
    names,
    levels,
    bits,
    async series (number) {
      const chunk = chunkStarts.findLastIndex((first) => first <= number)
      const packed = chunks[chunk]
      if (packed === undefined || number >= names.length) throw new RangeError(`there is no series ${number}`)
      const opened = last?.chunk === chunk ? last : { chunk, bytes: await unpack(packed) }
      last = opened
      const first = chunkStarts[chunk] ?? 0
      return {
        item_id: names[number] ?? '',
        ...decodeSeries(opened.bytes, levels.length, bits, shapes.slice(first, chunkStarts[chunk + 1]), number - first)
      }
    }
  }
}

async function unpack (text: string): Promise<Uint8Array> {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return new Uint8Array(await new Response(inflated).arrayBuffer())
}
