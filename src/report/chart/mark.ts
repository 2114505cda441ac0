import { Html, type Content } from '../html.ts'
import { attributesOf, type LookName } from './looks.ts'

interface Attributes {
  readonly [name: string]: string | number | undefined
  class?: LookName | undefined
}

/** An element of a drawing. Its class names its look; coordinates are written to a tenth of a unit. */
export function mark (tag: 'circle' | 'g' | 'path' | 'rect' | 'text', { class: look, ...given }: Attributes,
  ...content: Content[]): Html {
  const written = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, at(value)] as const]
  )
  const ofLook = look === undefined
    ? []
    : [['class', look] as const, ...attributesOf(look).filter(([name]) => given[name] === undefined)]
  return Html.element(tag, [...ofLook, ...written], content)
}

/** Finer differences cannot be seen. */
export function at (coordinate: number | string): string {
  return typeof coordinate === 'string' ? coordinate : String(Math.round(coordinate * 10) / 10)
}

export interface TextOptions {
  look?: LookName
  anchor?: 'middle' | 'end'
  size?: number
}

export function text (x: number, y: number, content: Content, { look, anchor, size }: TextOptions = {}): Html {
  return mark('text', { class: look, x, y, 'text-anchor': anchor, 'font-size': size }, content)
}

type Ends = readonly [number, number]

/** A rectangle between two coordinates of each axis, in any order. */
export function bar (look: LookName, [x1, x2]: Ends, [y1, y2]: Ends, opacity?: number): Html {
  const size = { width: Math.abs(x2 - x1), height: Math.abs(y2 - y1) }
  return mark('rect', {
    class: look,
    x: Math.min(x1, x2),
    y: Math.min(y1, y2),
    ...size,
    'fill-opacity': opacity?.toFixed(2)
  })
}
