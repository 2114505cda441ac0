import { byId } from './elements.ts'
import type { ForecastChart } from './forecast-chart.ts'

/**
 * Zooming and moving by wheel, by two fingers, by buttons and from the keyboard; dragging with a mouse is the chart's
 * own.
 */
export class ChartControls {
  readonly #chart: () => ForecastChart | null
  /** What the next frame does: a wheel sends more than a screen shows. */
  #factor = 1
  #around = 0.5
  #shift = 0
  #frame = 0
  readonly #touches = new Map<number, number>()
  readonly #target: HTMLElement
  readonly #onPoint: (index: number) => void

  /** `onPoint` hears which time the keyboard went to. */
  constructor (target: HTMLElement, chart: () => ForecastChart | null, onPoint: (index: number) => void) {
    this.#target = target
    this.#chart = chart
    this.#onPoint = onPoint
  }

  listen (): void {
    const target = this.#target
    target.addEventListener('wheel', (event) => this.#turn(event), { passive: false })
    target.addEventListener('keydown', (event) => this.#press(event))
    target.addEventListener('pointerdown', (event) => this.#touch(event))
    target.addEventListener('pointermove', (event) => this.#move(event))
    for (const name of ['pointerup', 'pointercancel'] as const) {
      addEventListener(name, (event) => this.#touches.delete(event.pointerId))
    }
    const buttons: Array<[string, (chart: ForecastChart) => void]> = [
      ['zoom-in', (shown) => shown.zoom(0.5)],
      ['zoom-out', (shown) => shown.zoom(2)],
      ['earlier', (shown) => shown.pan(-0.5)],
      ['later', (shown) => shown.pan(0.5)],
      ['reset', (shown) => shown.reset()]
    ]
    for (const [id, act] of buttons) {
      byId(id).addEventListener('click', () => {
        const shown = this.#chart()
        if (shown !== null) act(shown)
      })
    }
  }

  #turn (event: WheelEvent): void {
    const chart = this.#chart()
    if (chart === null) return
    const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY)
    // Nothing is further out than the whole: then the page scrolls.
    if (!isSideways && event.deltaY > 0 && chart.isWhole) return
    event.preventDefault()
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1
    if (isSideways) this.#change(1, 0.5, event.deltaX * lines / chart.plane.clientWidth)
    else {this.#change(Math.exp(Math.min(Math.max(event.deltaY * lines, -200), 200) * 0.002),
        this.#placeOf(event.clientX, chart), 0)}
  }

  #touch (event: PointerEvent): void {
    if (event.pointerType !== 'mouse') this.#touches.set(event.pointerId, event.clientX)
  }

  #move (event: PointerEvent): void {
    const chart = this.#chart()
    const before = this.#touches.get(event.pointerId)
    if (chart === null || before === undefined) return
    this.#touches.set(event.pointerId, event.clientX)
    const other = [...this.#touches].find(([id]) => id !== event.pointerId)?.[1]
    if (other === undefined) {
      // One finger moves the window, or where all is shown the cursor.
      if (chart.isWhole) {
        chart.point(
          Math.round(chart.window.from + this.#placeOf(event.clientX, chart) * (chart.window.to - chart.window.from))
        )
      } else this.#change(1, 0.5, (before - event.clientX) / chart.plane.clientWidth)
      return
    }
    const [apart, wasApart] = [Math.abs(event.clientX - other), Math.abs(before - other)]
    if (apart > 10 && wasApart > 10) {
      this.#change(wasApart / apart, this.#placeOf((event.clientX + other) / 2, chart), 0)
    }
  }

  #placeOf (clientX: number, chart: ForecastChart): number {
    const { left, width } = chart.plane.getBoundingClientRect()
    return Math.min(Math.max((clientX - left) / width, 0), 1)
  }

  #change (factor: number, around: number, shift: number): void {
    this.#factor *= factor
    this.#around = around
    this.#shift += shift
    if (this.#frame !== 0) return
    this.#frame = requestAnimationFrame(() => {
      const chart = this.#chart()
      if (this.#factor !== 1) chart?.zoom(this.#factor, this.#around)
      if (this.#shift !== 0) chart?.pan(this.#shift)
      this.#factor = 1
      this.#shift = 0
      this.#frame = 0
    })
  }

  #press (event: KeyboardEvent): void {
    const chart = this.#chart()
    if (chart === null || event.ctrlKey || event.metaKey || event.altKey) return
    const { from, to } = chart.window
    const at = chart.cursor ?? Math.ceil(from)
    const point = (index: number) => {
      const place = Math.min(Math.max(index, 0), chart.length - 1)
      chart.point(place)
      this.#onPoint(place)
    }
    const around = (Math.min(Math.max(at, from), to) - from) / (to - from)
    const page = Math.max(1, Math.round((to - from) / 10))
    const actions: Record<string, () => void> = {
      ArrowLeft: () => event.shiftKey ? chart.pan(-0.25) : point(chart.cursor === null ? Math.floor(to) : at - 1),
      ArrowRight: () => event.shiftKey ? chart.pan(0.25) : point(chart.cursor === null ? at : at + 1),
      PageUp: () => point(at - page),
      PageDown: () => point(at + page),
      Home: () => point(0),
      End: () => point(chart.length - 1),
      '+': () => chart.zoom(0.5, around),
      '=': () => chart.zoom(0.5, around),
      '-': () => chart.zoom(2, around),
      0: () => chart.reset(),
      Escape: () => chart.reset()
    }
    const action = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined
    if (action === undefined) return
    event.preventDefault()
    action()
  }
}
