import type { Drawing } from '../chart/layout.ts'
import { mark, text } from '../chart/mark.ts'
import { Plane } from '../chart/plane.ts'
import { linearScale, stepScale } from '../chart/scale.ts'
import type { PlotSeries } from '../forecast-plot.ts'
import { html, type Html } from '../html.ts'
import { layersOf, lengthOf, reachOf, type Layer } from './layers.ts'
import { TimeTicks } from './time-ticks.ts'

const size = { width: 456, height: 270 }

const nothing: Drawing = {
  ...size,
  marks: text(size.width / 2, size.height / 2, 'nothing to draw', { look: 'soft', anchor: 'middle' })
}

/** One series: history, bands, backtest, and where the forecast starts. */
export function forecastDrawing (series: PlotSeries | undefined, times: readonly number[],
  levels: readonly number[]): Drawing {
  if (series === undefined) return nothing
  const length = lengthOf(series)
  const layers = layersOf(series, levels)
  const reach = reachOf(layers, 0, length - 1)
  if (reach === null) return nothing
  const plane = new Plane(stepScale(length, 42, 444), linearScale({ ...reach, from: 232, to: 20 }))
  const ticks = new TimeTicks(times.slice(series.from, series.from + length)).within(0, length - 1, 6)
  const axis = ticks.map(({ index, label, context }) => ({
    value: index,
    lines: context === '' ? [label] : [label, context]
  }))
  return {
    ...size,
    marks: html`${plane.yAxis()}${plane.xAxis({ ticks: axis, hasGrid: false })}${
      layers.map((layer) => renderLayer(layer, plane))
    }
${series.mean.length === 0 ? null : renderStart(series.history.length, plane)}`
  }
}

function renderLayer ({ kind, lines: [first = [], second] }: Layer, plane: Plane): Html {
  if (second === undefined) {
    return plane.line(kind, first.map((figure, index) => figure === null ? null : [index, figure]))
  }
  return plane.area(kind, first.map((low, index) => {
    const high = second[index] ?? null
    return low === null || high === null ? null : [index, low, high]
  }))
}

function renderStart (first: number, { x, y }: Plane): Html {
  const place = x.place(first - 0.5)
  const isLeft = place > (x.from + x.to) / 2
  return html`${mark('path', { class: 'reference', d: `M${place} ${y.to - 8}V${y.from}` })}
${text(place + (isLeft ? -5 : 5), y.to - 7, 'forecast starts', { look: 'soft', ...isLeft && { anchor: 'end' } })}`
}
