import { attributesOf, type LookName } from './looks.ts'

/** An element of a drawing, before it is written into a page or created in a browser. */
export interface Mark {
  tag: string
  attributes: ReadonlyArray<readonly [name: string, value: string]>
  content: Marks
}

/** null means nothing. */
export type Marks = Mark | string | null | readonly Marks[]

interface Attributes {
  readonly [name: string]: string | number | undefined
  class?: LookName | undefined
}

/** The class names the look; coordinates are written to a tenth of a unit. */
export function mark (tag: string, { class: look, ...given }: Attributes, ...content: Marks[]): Mark {
  const written = Object.entries(given).flatMap(
    ([name, value]) => value === undefined ? [] : [[name, at(value)] as const]
  )
  const ofLook = look === undefined ? [] : [['class', look] as const, ...attributesOf(look)]
  return { tag, attributes: [...ofLook.filter(([name]) => given[name] === undefined), ...written], content }
}

/** Finer differences are invisible. */
export function at (coordinate: number | string): string {
  return typeof coordinate === 'string' ? coordinate : String(Math.round(coordinate * 10) / 10)
}

export interface TextOptions {
  look?: LookName
  anchor?: 'start' | 'middle' | 'end'
  size?: number
}

export function text (x: number, y: number, content: string, { look, anchor, size }: TextOptions = {}): Mark {
  return mark('text', { class: look, x, y, 'text-anchor': anchor, 'font-size': size }, content)
}

type Ends = readonly [number, number]

/** A rectangle between two coordinates on each axis, in any order. */
export function bar (look: LookName, [x1, x2]: Ends, [y1, y2]: Ends, opacity?: number): Mark {
  const size = { width: Math.abs(x2 - x1), height: Math.abs(y2 - y1) }
  return mark(
    'rect',
    { class: look, x: Math.min(x1, x2), y: Math.min(y1, y2), ...size, 'fill-opacity': opacity?.toFixed(2) }
  )
}

/** Marks, moved to the right and down. */
export function moved (x: number, y: number, ...marks: Marks[]): Mark {
  return mark('g', { transform: `translate(${at(x)} ${at(y)})` }, marks)
}
