import { colours, looks, type Colour, type Look } from '../chart/looks.ts'
import type { LayerKind } from '../plot/layers.ts'

/** Colours as the style of the page has them, in the scheme that is on. */
export type Palette = Record<Colour, string>

export function readPalette (): Palette {
  const style = getComputedStyle(document.documentElement)
  return Object.fromEntries(
    Object.keys(colours).map((name) => [name, style.getPropertyValue(`--${name}`).trim()])
  ) as Palette
}

export interface CanvasLook {
  stroke: string
  width: number
  dash: number[]
  opacity: number
}

/** What a canvas is told of a layer; a band is drawn with its edges. */
export function canvasLook (kind: LayerKind, palette: Palette): CanvasLook {
  const { fill, stroke, 'stroke-width': width = 1, 'stroke-dasharray': dashes, 'fill-opacity': opacity = 1 }: Look =
    looks[kind]
  return { stroke: palette[stroke ?? fill as Colour], width, dash: dashes?.split(' ').map(Number) ?? [], opacity }
}
