import { labelText } from './label-text.ts'
import type { Drawing } from './layout.ts'
import type { LookName } from './looks.ts'
import { bar, mark, text } from './mark.ts'

export interface Matrix {
  /** Labels of the rows from top to bottom; the columns have the same labels in the same order. */
  names: readonly string[]
  /** Space for the labels. */
  left: number
  /** Width and height of the square. */
  side: number
  cells: readonly Cell[]
  /** Whether positions without a cell are marked. */
  hasGround?: boolean
}

export interface Cell {
  row: number
  column: number
  look: LookName
  /** From 0 to 1: the larger, the darker. */
  strength: number
  text?: string | undefined
  hasFrame?: boolean
}

const top = 18
/** A narrower column shows its number instead of its label. */
const leastNamed = 48

/** A square of cells: how each thing relates to each other one. */
export function matrix ({ names, left, side, cells, hasGround = false }: Matrix): Drawing {
  const size = side / Math.max(1, names.length)
  const font = Math.min(11, size * 0.8)
  const labels = names.map((name, place) => {
    const middle = (place + 0.5) * size
    const label = `${place + 1} ${labelText(name, (left - 27) * 11 / font)}`
    const heading = size < leastNamed ? String(place + 1) : labelText(name, size - 4)
    return [
      text(left - 5, top + middle + font / 3, label, { anchor: 'end', size: font }),
      text(left + middle, top - 5, heading, { anchor: 'middle', size: font })
    ]
  })
  const places = cells.map((cell) => ({ ...cell, x: left + cell.column * size, y: top + cell.row * size }))
  const squares = places.map(
    ({ look, strength, x, y }) => bar(look, [x, x + size], [y, y + size], 0.04 + 0.86 * strength)
  )
  const frames = places.map(
    ({ hasFrame = false, x, y }) => hasFrame ? bar('frame', [x + 0.8, x + size - 0.8], [y + 0.8, y + size - 0.8]) : null
  )
  const figures = places.flatMap(({ text: figure, x, y }) => figure === undefined ? [] : [{ figure, x, y }])
  const areSigns = figures.every(({ figure }) => figure.length === 1)
  const figureSize = areSigns ? Math.min(13, size * 0.9) : Math.min(11, size * 0.38)
  const texts = figures.map(({ figure, x, y }) => text(x + size / 2, y + size / 2 + figureSize / 3, figure))
  return {
    width: left + side,
    height: top + side,
    marks: [
      ...labels,
      hasGround ? bar('track', [left, left + side], [top, top + side]) : null,
      squares,
      frames,
      mark('g', { class: 'halo', 'text-anchor': 'middle', 'font-size': figureSize }, texts)
    ]
  }
}
