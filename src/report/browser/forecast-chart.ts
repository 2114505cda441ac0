import uPlot from 'uplot'
import { linearScale, type Scale } from '../chart/scale.ts'
import type { PlotSeries } from '../forecast-plot.ts'
import { tickText } from '../number-text.ts'
import { layersOf, lengthOf, reachOf, type Layer } from '../plot/layers.ts'
import { TimeTicks, type TimeTick } from '../plot/time-ticks.ts'
import { ChartMarks } from './chart-marks.ts'
import { canvasLook, type Palette } from './palette.ts'

/** Places on the time axis; the first time of the series is 0, and each has half a step of room at its sides. */
export interface Window {
  from: number
  to: number
}

export interface ChartOptions {
  target: HTMLElement
  series: PlotSeries
  times: readonly number[]
  levels: readonly number[]
  palette: Palette
  /** Keys of the layers that are not shown. */
  hidden: ReadonlySet<string>
  window: Window | null
  onCursor: (index: number | null) => void
}

const font = '12px system-ui, sans-serif'
/** Fewer steps than these are not zoomed into. */
const leastSteps = 3

/** The drawing of one series. */
export class ForecastChart {
  readonly length: number
  readonly #plot: uPlot
  readonly #layers: Layer[]
  readonly #ticks: TimeTicks
  readonly #target: HTMLElement
  readonly #resize: ResizeObserver
  #hidden: ReadonlySet<string>
  #scale: Scale = linearScale({ low: 0, high: 1, from: 0, to: 1 })
  #timeTicks: TimeTick[] = []
  /** What uPlot is about to show: it asks for the range of values before its own scale of time has changed. */
  #window: Window

  constructor ({ target, series, times, levels, palette, hidden, window, onCursor }: ChartOptions) {
    this.length = lengthOf(series)
    this.#target = target
    this.#hidden = hidden
    this.#window = { from: -0.5, to: this.length - 0.5 }
    this.#layers = layersOf(series, levels)
    this.#ticks = new TimeTicks(times.slice(series.from, series.from + this.length))
    const marks = new ChartMarks(this.#layers, series.mean.length === 0 ? null : series.history.length - 0.5, palette,
      (layer) => this.#isShown(layer))
    const { columns, bands } = this.#columns(palette)
    const axis = { stroke: palette.soft, font, grid: { stroke: palette.line, width: 1 }, ticks: { show: false } }
    const Plot = uPlot
    this.#plot = new Plot({
      ...this.#size(),
      padding: [20, 8, 0, 0],
      legend: { show: false },
      cursor: { y: false, drag: { x: true, y: false, dist: 4 }, points: { size: 7 } },
      scales: {
        x: { time: false, range: (_, low, high) => this.#clamp(low, high) },
        y: { range: () => this.#reach() }
      },
      axes: [
        {
          ...axis,
          size: 44,
          splits: (plot) => this.#splitTime(plot),
          values: () => this.#timeTicks.map(({ label, context }) => context === '' ? label : `${label}\n${context}`),
          grid: { show: false },
          ticks: { show: true, stroke: palette.line, size: 5 }
        },
        {
          ...axis,
          size: (_, values) => 14 + 7 * Math.max(2, ...(values ?? []).map(({ length }) => length)),
          splits: () => this.#scale.ticks,
          values: () => this.#scale.ticks.map((tick) => tickText(tick, this.#scale.digits))
        }
      ],
      series: [{}, ...columns],
      bands,
      hooks: {
        draw: [(plot) => marks.draw(plot)],
        setCursor: [
          (plot) => onCursor(plot.cursor.left !== undefined && plot.cursor.left >= 0 ? plot.cursor.idx ?? null : null)
        ]
      }
    }, [Array.from({ length: this.length }, (_, index) => index), ...this.#layers.flatMap(({ lines }) => lines)],
      target)
    if (window !== null) this.show(window)
    this.#resize = new ResizeObserver(() => this.#plot.setSize(this.#size()))
    this.#resize.observe(target)
  }

  /** The part that is drawn over the plane, which takes the pointer. */
  get plane (): HTMLElement {
    return this.#plot.over
  }

  get window (): Window {
    return this.#window
  }

  get isWhole (): boolean {
    const { from, to } = this.window
    return from <= -0.5 && to >= this.length - 0.5
  }

  show ({ from, to }: Window): void {
    this.#plot.setScale('x', { min: from, max: to })
  }

  /** Zooms around a place between 0, the left end of the plane, and 1; a factor below 1 shows less. */
  zoom (factor: number, around = 0.5): void {
    const { from, to } = this.window
    const width = Math.max((to - from) * factor, Math.min(leastSteps, this.length))
    const middle = from + (to - from) * around
    this.#keepWidth(middle - width * around, width)
  }

  /** Moves by a share of what is shown. */
  pan (share: number): void {
    const { from, to } = this.window
    this.#keepWidth(from + (to - from) * share, to - from)
  }

  reset (): void {
    this.show({ from: -0.5, to: this.length - 0.5 })
  }

  hide (hidden: ReadonlySet<string>): void {
    this.#hidden = hidden
    this.#plot.batch(() => {
      let column = 1
      for (const layer of this.#layers) {
        for (let line = 0; line < layer.lines.length; line++, column++) {
          this.#plot.setSeries(column, { show: this.#isShown(layer) })
        }
      }
    })
    this.show(this.window)
  }

  get cursor (): number | null {
    return this.#plot.cursor.idx ?? null
  }

  /** Puts the cursor at a time, and moves the window so that it is seen. */
  point (index: number): void {
    const place = Math.min(Math.max(index, 0), this.length - 1)
    const { from, to } = this.window
    if (place < from || place > to) this.#keepWidth(place - (to - from) / 2, to - from)
    // A new scale is in force when uPlot has drawn.
    queueMicrotask(() =>
      this.#plot.setCursor({ left: this.#plot.valToPos(place, 'x'), top: this.#plot.over.clientHeight / 2 })
    )
  }

  destroy (): void {
    this.#resize.disconnect()
    this.#plot.destroy()
  }

  #isShown ({ key }: Layer): boolean {
    return !this.#hidden.has(key)
  }

  #keepWidth (from: number, width: number): void {
    const start = Math.min(Math.max(from, -0.5), Math.max(-0.5, this.length - 0.5 - width))
    this.show({ from: start, to: start + width })
  }

  #clamp (low: number, high: number): [number, number] {
    const isAll = low <= 0 && high >= this.length - 1
    this.#window = isAll || !(high > low)
      ? { from: -0.5, to: this.length - 0.5 }
      : { from: Math.max(-0.5, low), to: Math.min(this.length - 0.5, high) }
    return [this.#window.from, this.#window.to]
  }

  #reach (): [number, number] {
    const { from, to } = this.window
    const reach = reachOf(this.#layers.filter((layer) => this.#isShown(layer)), Math.floor(from), Math.ceil(to))
    this.#scale = linearScale({ ...(reach ?? { low: 0, high: 1 }), from: 0, to: 1 })
    return [this.#scale.ticks[0] ?? 0, this.#scale.ticks.at(-1) ?? 1]
  }

  #splitTime (plot: uPlot): number[] {
    const { from, to } = this.window
    const most = Math.max(2, Math.floor(plot.over.clientWidth / 84))
    this.#timeTicks = this.#ticks.within(Math.max(0, Math.ceil(from)), Math.min(this.length - 1, Math.floor(to)), most)
    return this.#timeTicks.map(({ index }) => index)
  }

  #columns (palette: Palette): { columns: uPlot.Series[], bands: uPlot.Band[] } {
    const columns: uPlot.Series[] = []
    const bands: uPlot.Band[] = []
    const line = uPlot.paths.linear?.()
    for (const layer of this.#layers) {
      const { stroke, width, dash, opacity } = canvasLook(layer.kind, palette)
      const isBand = layer.lines.length === 2
      const paths: uPlot.Series.PathBuilder = (plot, column, first, last) => {
        // Beyond these there is nothing to look at, and of a long series that is nearly all of it.
        const [from, to] = [Math.max(first, layer.from), Math.min(last, layer.to - 1)]
        return from > to ? null : line?.(plot, column, from, to) ?? null
      }
      // The first column of the data is time.
      if (isBand) bands.push({ series: [columns.length + 2, columns.length + 1], fill: withAlpha(stroke, opacity) })
      const edge = {
        stroke: isBand ? withAlpha(stroke, 0.45) : stroke,
        width,
        dash,
        paths,
        show: this.#isShown(layer),
        points: isBand ? { show: false } : { size: 5, fill: stroke }
      }
      columns.push(...layer.lines.map(() => edge))
    }
    return { columns, bands }
  }

  #size (): { width: number, height: number } {
    return { width: Math.max(200, this.#target.clientWidth), height: Math.max(160, this.#target.clientHeight) }
  }
}

/** Colours of the page are `#rrggbb`, or the system's names where it forces its own. */
export function withAlpha (colour: string, alpha: number): string {
  return /^#[0-9a-f]{6}$/i.test(colour) ? colour + Math.round(alpha * 255).toString(16).padStart(2, '0') : colour
}
