import { bar, mark, type Marks } from '../chart/mark.ts'
import type { Plane } from '../chart/plane.ts'
import { pointMarks, type ForecastChart, type Window } from '../plot/forecast-chart.ts'
import { svgNodes } from './svg-nodes.ts'

/** The shortest range to zoom into. */
const leastSteps = 3

export interface MovingChartOptions {
  target: HTMLElement
  chart: ForecastChart
  /** Keys of the hidden layers. */
  hidden: ReadonlySet<string>
  window: Window | null
  onCursor: (index: number | null) => void
}

/** The drawing of one series in the page, with the shown range and the cursor. */
export class MovingChart {
  readonly length: number
  readonly #chart: ForecastChart
  readonly #target: HTMLElement
  readonly #onCursor: (index: number | null) => void
  readonly #resize: ResizeObserver
  /** Marks over the drawing that move without it. */
  #overlay: Element | undefined
  #plane: Plane | undefined
  #hidden: ReadonlySet<string>
  #window: Window
  #cursor: number | null = null

  constructor ({ target, chart, hidden, window, onCursor }: MovingChartOptions) {
    this.length = chart.length
    this.#chart = chart
    this.#target = target
    this.#hidden = hidden
    this.#window = window ?? chart.whole
    this.#onCursor = onCursor
    this.#resize = new ResizeObserver(() => this.#draw())
    this.#resize.observe(target)
    this.#draw()
  }

  get window (): Window {
    return this.#window
  }

  get isWhole (): boolean {
    return this.#window.from <= -0.5 && this.#window.to >= this.length - 0.5
  }

  get cursor (): number | null {
    return this.#cursor
  }

  /** The share of the plane to the left of a position in the browser's window, from 0 to 1. */
  shareAt (clientX: number): number {
    const { from, to } = this.#plane?.x ?? { from: 0, to: 1 }
    const share = (clientX - this.#target.getBoundingClientRect().left - from) / (to - from)
    return Math.min(Math.max(share, 0), 1)
  }

  /** The index of the time at that position. */
  indexAt (clientX: number): number {
    const { from, to } = this.#window
    return Math.min(Math.max(Math.round(from + this.shareAt(clientX) * (to - from)), Math.ceil(from)), Math.floor(to))
  }

  /** A distance as a share of the plane. */
  shareOf (distance: number): number {
    const { from, to } = this.#plane?.x ?? { from: 0, to: 1 }
    return distance / (to - from)
  }

  show ({ from, to }: Window): void {
    const isAll = from <= 0 && to >= this.length - 1
    this.#window = isAll ? this.#chart.whole : { from: Math.max(-0.5, from), to: Math.min(this.length - 0.5, to) }
    this.#draw()
  }

  /** Zooms around a point between 0, the left end of the plane, and 1; a factor below 1 shows a shorter range. */
  zoom (factor: number, around = 0.5): void {
    const { from, to } = this.#window
    const width = Math.max((to - from) * factor, Math.min(leastSteps, this.length))
    const middle = from + (to - from) * around
    this.#keepWidth(middle - width * around, width)
  }

  /** Zooms to the range between two shares of the plane. */
  zoomTo (one: number, other: number): void {
    const { from, to } = this.#window
    const width = Math.max((to - from) * (other - one), Math.min(leastSteps, this.length))
    this.#keepWidth(from + (to - from) * (one + other) / 2 - width / 2, width)
  }

  /** Moves by a share of the shown range. */
  pan (share: number): void {
    const { from, to } = this.#window
    this.#keepWidth(from + (to - from) * share, to - from)
  }

  reset (): void {
    this.show(this.#chart.whole)
  }

  hide (hidden: ReadonlySet<string>): void {
    this.#hidden = hidden
    this.#draw()
  }

  /** Puts the cursor at a time, and moves the window so that it is visible; null removes the cursor. */
  point (index: number | null): void {
    this.#cursor = index === null ? null : Math.min(Math.max(index, 0), this.length - 1)
    const { from, to } = this.#window
    const place = this.#cursor ?? from
    if (place < from || place > to) this.#keepWidth(place - (to - from) / 2, to - from)
    else this.#drawOver(this.#cursorMarks())
    this.#onCursor(this.#cursor)
  }

  /** Marks the range between two shares of the plane. */
  select (one: number, other: number): void {
    if (this.#plane === undefined) return
    const { x, y } = this.#plane
    const at = (share: number) => x.from + share * (x.to - x.from)
    this.#drawOver([this.#cursorMarks(), bar('weak', [at(one), at(other)], [y.from, y.to])])
  }

  destroy (): void {
    this.#resize.disconnect()
    this.#target.replaceChildren()
  }

  #keepWidth (from: number, width: number): void {
    const start = Math.min(Math.max(from, -0.5), Math.max(-0.5, this.length - 0.5 - width))
    this.show({ from: start, to: start + width })
  }

  #draw (): void {
    const [width, height] = [Math.max(200, this.#target.clientWidth), Math.max(160, this.#target.clientHeight)]
    const { plane, axes, layers } = this.#chart.draw({ width, height, window: this.#window, hidden: this.#hidden })
    const { x, y } = plane
    this.#plane = plane
    const clip = mark('clipPath', { id: 'plane' }, bar('page', [x.from, x.to], [0, y.from]))
    const drawing = [clip, axes, mark('g', { 'clip-path': 'url(#plane)' }, layers), mark('g', {})]
    this.#target.replaceChildren(
      ...svgNodes(mark('svg', { viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' }, drawing))
    )
    this.#overlay = this.#target.firstElementChild?.lastElementChild ?? undefined
    this.#drawOver(this.#cursorMarks())
  }

  #drawOver (marks: Marks): void {
    this.#overlay?.replaceChildren(...svgNodes(marks))
  }

  #cursorMarks (): Marks {
    const [plane, index] = [this.#plane, this.#cursor]
    if (plane === undefined || index === null || index < this.#window.from || index > this.#window.to) return null
    const shown = this.#chart.layers.filter(({ key, lines }) => lines.length === 1 && !this.#hidden.has(key))
    const points = shown.map(({ kind, lines: [figures] }) => {
      const value = figures?.[index] ?? null
      return value === null ? null : pointMarks(kind, [[index, value]], plane, 8)
    })
    return [plane.rule('zero', 'x', index), points]
  }
}
