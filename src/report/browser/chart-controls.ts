import { byId } from './elements.ts'
import type { MovingChart } from './moving-chart.ts'

/** A mouse that moved less than this has clicked. */
const leastDrag = 4

/** Zooming and panning by wheel, mouse, fingers, buttons and keyboard. */
export class ChartControls {
  readonly #chart: () => MovingChart | null
  readonly #target: HTMLElement
  readonly #onPoint: (index: number) => void
  /** What the next frame applies, because a wheel sends more events than a screen shows. */
  #factor = 1
  #around = 0.5
  #shift = 0
  #frame = 0
  readonly #touches = new Map<number, number>()
  /** Where the mouse button went down. */
  #dragFrom: number | null = null

  /** `onPoint` is called with the time that the keyboard moved to. */
  constructor (target: HTMLElement, chart: () => MovingChart | null, onPoint: (index: number) => void) {
    this.#target = target
    this.#chart = chart
    this.#onPoint = onPoint
  }

  listen (): void {
    const target = this.#target
    target.addEventListener('wheel', (event) => this.#turn(event), { passive: false })
    target.addEventListener('keydown', (event) => this.#press(event))
    target.addEventListener('pointerdown', (event) => this.#start(event))
    target.addEventListener(
      'pointermove',
      (event) => event.pointerType === 'mouse' ? this.#drag(event) : this.#touch(event)
    )
    target.addEventListener(
      'pointerleave',
      (event) => event.pointerType === 'mouse' ? this.#chart()?.point(null) : undefined
    )
    target.addEventListener('dblclick', () => this.#chart()?.reset())
    addEventListener('pointerup', (event) => this.#end(event, true))
    addEventListener('pointercancel', (event) => this.#end(event, false))
    const buttons: Array<[string, (chart: MovingChart) => void]> = [
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
    // At full range there is nothing to zoom out to, so the page scrolls.
    if (!isSideways && event.deltaY > 0 && chart.isWhole) return
    event.preventDefault()
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1
    if (isSideways) this.#change(1, 0.5, chart.shareOf(event.deltaX * lines))
    else {
      this.#change(
        Math.exp(Math.min(Math.max(event.deltaY * lines, -200), 200) * 0.002),
        chart.shareAt(event.clientX),
        0
      )
    }
  }

  #start (event: PointerEvent): void {
    if (event.pointerType !== 'mouse') {
      this.#touches.set(event.pointerId, event.clientX)
      const chart = this.#chart()
      if (this.#touches.size === 1) chart?.point(chart.indexAt(event.clientX))
    } else if (event.button === 0) {
      this.#dragFrom = event.clientX
      // A drag that leaves the drawing goes on.
      this.#target.setPointerCapture(event.pointerId)
    }
  }

  #drag ({ clientX }: PointerEvent): void {
    const chart = this.#chart()
    chart?.point(chart.indexAt(clientX))
    if (this.#dragFrom !== null && Math.abs(clientX - this.#dragFrom) >= leastDrag) {
      chart?.select(chart.shareAt(this.#dragFrom), chart.shareAt(clientX))
    }
  }

  #touch ({ pointerId, clientX }: PointerEvent): void {
    const chart = this.#chart()
    const before = this.#touches.get(pointerId)
    if (chart === null || before === undefined) return
    this.#touches.set(pointerId, clientX)
    const other = [...this.#touches].find(([id]) => id !== pointerId)?.[1]
    if (other === undefined) {
      // One finger moves the window, or the cursor if the whole range is shown.
      if (chart.isWhole) chart.point(chart.indexAt(clientX))
      else this.#change(1, 0.5, chart.shareOf(before - clientX))
      return
    }
    const [apart, wasApart] = [Math.abs(clientX - other), Math.abs(before - other)]
    if (apart > 10 && wasApart > 10) this.#change(wasApart / apart, chart.shareAt((clientX + other) / 2), 0)
  }

  #end ({ pointerId, clientX }: PointerEvent, isDone: boolean): void {
    const [chart, from] = [this.#chart(), this.#dragFrom]
    this.#touches.delete(pointerId)
    this.#dragFrom = null
    if (chart === null || from === null || Math.abs(clientX - from) < leastDrag) return
    if (isDone) chart.zoomTo(chart.shareAt(Math.min(from, clientX)), chart.shareAt(Math.max(from, clientX)))
    else chart.point(null)
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
