import type { Drawing } from '../chart/layout.ts'
import { at, mark, text, type Mark, type Marks } from '../chart/mark.ts'
import { Plane } from '../chart/plane.ts'
import { linearScale, plainScale } from '../chart/scale.ts'
import type { Figure, PlotSeries } from '../forecast-plot.ts'
import { tickText } from '../number-text.ts'
import { drawnIndices, layersOf, lengthOf, reachOf, type Layer } from './layers.ts'
import { TimeTicks } from './time-ticks.ts'

/**
 * A range of the time axis. The first time of the series is 0, and each time has half a step of space on both sides.
 */
export interface Window {
  from: number
  to: number
}

export interface View {
  width: number
  height: number
  /** Absent: the whole range. */
  window?: Window
  /** Keys of the hidden layers. */
  hidden?: ReadonlySet<string>
}

export interface ForecastMarks {
  plane: Plane
  axes: Marks
  /** If a part of the times is shown, these may extend beyond the plane. */
  layers: Marks
}

type Point = readonly [index: number, value: Figure]

/** If a step takes at least this many units, each figure of a line gets a point. */
const leastStep = 10

/** One series: history, bands, backtest, and where the forecast starts. */
export class ForecastChart {
  readonly length: number
  readonly layers: readonly Layer[]
  readonly #ticks: TimeTicks
  /** Between the last time of the history and the first of the forecast; null without a forecast. */
  readonly #start: number | null

  constructor (series: PlotSeries, times: readonly number[], levels: readonly number[]) {
    this.length = lengthOf(series)
    this.layers = layersOf(series, levels)
    this.#ticks = new TimeTicks(times.slice(series.from, series.from + this.length))
    this.#start = series.mean.length === 0 ? null : series.history.length - 0.5
  }

  get whole (): Window {
    return { from: -0.5, to: this.length - 0.5 }
  }

  get isEmpty (): boolean {
    return reachOf(this.layers, 0, this.length - 1) === null
  }

  draw ({ width, height, window = this.whole, hidden = new Set() }: View): ForecastMarks {
    const { from, to } = window
    const shown = this.layers.filter(({ key }) => !hidden.has(key))
    const reach = reachOf(shown, Math.floor(from), Math.ceil(to)) ?? { low: 0, high: 1 }
    const y = linearScale({ ...reach, from: height - 38, to: 20 })
    const longest = Math.max(2, ...y.ticks.map((value) => tickText(value, y.digits).length))
    const x = plainScale({ low: from, high: to, from: 10 + 7 * longest, to: width - 12 })
    const plane = new Plane(x, y)
    const ticks = this.#ticks.within(
      Math.max(0, Math.ceil(from)),
      Math.min(this.length - 1, Math.floor(to)),
      Math.max(2, Math.floor((x.to - x.from) / 70))
    )
    const axis = ticks.map(
      ({ index, label, context }) => ({ value: index, lines: context === '' ? [label] : [label, context] })
    )
    const isStartShown = this.#start !== null && this.#start >= from && this.#start <= to
    return {
      plane,
      axes: [
        plane.yAxis(),
        plane.xAxis({ ticks: axis, hasGrid: false }),
        isStartShown ? startMarks(this.#start, plane) : null
      ],
      layers: shown.map((layer) => layerMarks(layer, window, plane))
    }
  }
}

/** The chart as a drawing of its own; null: there is no series. */
export function forecastDrawing (chart: ForecastChart | null): Drawing {
  const [width, height] = [456, 270]
  if (chart === null || chart.isEmpty) {
    return { width, height, marks: text(width / 2, height / 2, 'nothing to draw', { look: 'soft', anchor: 'middle' }) }
  }
  const { axes, layers } = chart.draw({ width, height })
  return { width, height, marks: [axes, layers] }
}

function layerMarks ({ kind, lines: [first = [], second], from, to }: Layer, window: Window, plane: Plane): Marks {
  const { x } = plane
  // With a neighbour on each side, so that lines run to the edges.
  const [start, end] = [Math.max(from, Math.floor(window.from) - 1), Math.min(to - 1, Math.ceil(window.to) + 1)]
  const indicesOf = (figures: readonly Figure[]) => drawnIndices(figures, start, end, Math.ceil(x.to - x.from))
  const valueOf = (figures: readonly Figure[], index: number) => figures[index] ?? null
  if (second === undefined) {
    const points = indicesOf(first).map((index): Point => [index, valueOf(first, index)])
    const isSparse = x.place(1) - x.place(0) >= leastStep
    return [plane.line(kind, points), isSparse ? pointMarks(kind, points, plane) : null]
  }
  const indices = [...new Set([...indicesOf(first), ...indicesOf(second)])].sort((a, b) => a - b)
  return plane.area(kind, indices.map((index) => [index, valueOf(first, index), valueOf(second, index)]))
}

/** A line without length and with round ends is a point. */
export function pointMarks (kind: Layer['kind'], points: readonly Point[], { x, y }: Plane, size = 5): Mark {
  const d = points.map(
    ([index, value]) => value === null ? '' : `M${at(x.place(index))} ${at(y.place(value))}h0`
  ).join('')
  return mark('path', { class: kind, d, 'stroke-linecap': 'round', 'stroke-width': size, 'stroke-dasharray': 'none' })
}

function startMarks (start: number, plane: Plane): Marks {
  const { x, y } = plane
  const place = x.place(start)
  const isLeft = place > (x.from + x.to) / 2
  const label = text(
    place + (isLeft ? -5 : 5),
    y.to - 7,
    'forecast starts',
    { look: 'soft', anchor: isLeft ? 'end' : 'start' }
  )
  return [mark('path', { class: 'reference', d: `M${at(place)} ${at(y.to - 8)}V${at(y.from)}` }), label]
}
