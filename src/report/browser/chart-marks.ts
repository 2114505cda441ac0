import type uPlot from 'uplot'
import { isolatedOf, type Layer } from '../plot/layers.ts'
import { canvasLook, type Palette } from './palette.ts'

/** What uPlot does not draw: where the forecast starts, and figures with a gap at both sides. */
export class ChartMarks {
  readonly #layers: Array<{ layer: Layer, isolated: number[] }>
  readonly #start: number | null
  readonly #palette: Palette
  readonly #isShown: (layer: Layer) => boolean

  constructor (layers: readonly Layer[], start: number | null, palette: Palette, isShown: (layer: Layer) => boolean) {
    this.#layers = layers.map((layer) => ({ layer, isolated: isolatedOf(layer.lines[0] ?? []) }))
    this.#start = start
    this.#palette = palette
    this.#isShown = isShown
  }

  draw (plot: uPlot): void {
    const { ctx: context, bbox } = plot
    context.save()
    context.beginPath()
    context.rect(bbox.left, 0, bbox.width, bbox.top + bbox.height)
    context.clip()
    for (const { layer, isolated } of this.#layers) {
      if (isolated.length > 0 && this.#isShown(layer)) this.#drawIsolated(plot, layer, isolated)
    }
    this.#drawStart(plot)
    context.restore()
  }

  #drawStart (plot: uPlot): void {
    const { min, max } = plot.scales['x'] ?? {}
    if (this.#start === null || min === undefined || max === undefined || this.#start < min || this.#start > max) return
    const { ctx: context, bbox } = plot
    const ratio = devicePixelRatio
    const x = Math.round(plot.valToPos(this.#start, 'x', true))
    context.strokeStyle = this.#palette.soft
    context.fillStyle = this.#palette.soft
    context.lineWidth = ratio
    context.setLineDash([4 * ratio, 3 * ratio])
    context.beginPath()
    context.moveTo(x, bbox.top - 14 * ratio)
    context.lineTo(x, bbox.top + bbox.height)
    context.stroke()
    context.font = `${12 * ratio}px system-ui, sans-serif`
    context.textBaseline = 'bottom'
    const isLeft = x > bbox.left + bbox.width / 2
    context.textAlign = isLeft ? 'right' : 'left'
    context.fillText('forecast starts', x + (isLeft ? -6 : 6) * ratio, bbox.top - 3 * ratio)
  }

  #drawIsolated (plot: uPlot, layer: Layer, isolated: readonly number[]): void {
    const { ctx: context } = plot
    const { min, max } = plot.scales['x'] ?? {}
    const { stroke, opacity } = canvasLook(layer.kind, this.#palette)
    const isBand = layer.lines.length === 2
    const size = 5 * devicePixelRatio
    context.fillStyle = stroke
    context.globalAlpha = opacity
    let before = ''
    for (const index of isolated) {
      if (index < (min ?? 0) || index > (max ?? 0)) continue
      const [low, high = low] = layer.lines.map((figures) => figures[index] ?? null)
      if (low === null || low === undefined || high === null || high === undefined) continue
      const x = Math.round(plot.valToPos(index, 'x', true))
      const [top, bottom] = [plot.valToPos(high, 'y', true), plot.valToPos(low, 'y', true)].map(Math.round) as [number,
        number]
      // Of thousands in one place one is seen.
      const place = `${x} ${top}`
      if (place === before) continue
      before = place
      if (isBand) context.fillRect(x - 2 * size, top, 4 * size, Math.max(1, bottom - top))
      else context.fillRect(x - size / 2, top - size / 2, size, size)
    }
    context.globalAlpha = 1
  }
}
