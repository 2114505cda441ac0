import type { LookName } from './looks.ts'
import { bar, mark, moved, text, type Mark, type Marks } from './mark.ts'
import { Plane, type AxisOptions } from './plane.ts'
import { linearScale, type Scale } from './scale.ts'

/** Marks, and the space that they take, in their own units. */
export interface Drawing {
  width: number
  height: number
  marks: Marks
}

/** Most drawings are as wide as a phone. */
export const phoneWidth = 360

/** Drawings side by side, and in several lines if there are more than `columns`. */
export function arranged (drawings: readonly Drawing[], columns = 1, gap = 0): Drawing {
  if (drawings.length === 0) {
    return { width: phoneWidth, height: 20, marks: text(0, 14, 'nothing to draw', { look: 'soft' }) }
  }
  const across = Math.min(columns, drawings.length)
  const step = Math.max(...drawings.map(({ width }) => width)) + gap
  let top = 0
  const marks: Mark[] = []
  for (let first = 0; first < drawings.length; first += across) {
    const row = drawings.slice(first, first + across)
    marks.push(...row.map((one, column) => moved(column * step, top, one.marks)))
    top += Math.max(...row.map(({ height }) => height)) + gap
  }
  return { width: across * step - gap, height: top - gap, marks }
}

/** A drawing under a heading. */
export function headed (title: string, { width, height, marks }: Drawing): Drawing {
  return { width, height: height + 20, marks: [text(0, 12, title, { look: 'heading' }), moved(0, 20, marks)] }
}

export interface Row {
  label: string
  /** A figure to the right of the label. */
  figure?: string
  height?: number
  /** Marks below both; label and figure take the first 18 units. */
  marks?: Marks
}

/** One row of several: a label and a figure on one line, with marks below. */
export function row ({ label, figure = '', height = 34, marks = null }: Row): Drawing {
  const texts = [text(0, 13, label), figure === '' ? null : text(phoneWidth, 13, figure, { anchor: 'end' })]
  return { width: phoneWidth, height, marks: [marks, mark('g', { class: 'halo' }, texts)] }
}

/** A bar in a track, below the label of its row. */
export function barInTrack (look: LookName, from: number, to: number): Mark[] {
  return [bar('track', [0, phoneWidth], [18, 27]), bar(look, [from, to], [18, 27])]
}

export interface ShareBar {
  label: string
  /** The value in words. */
  value: string
  /** The length as a share of the whole width, from 0 to 1. */
  share: number
  look?: LookName
}

/** One bar per row. `reference`: where a line crosses each row, as a share of the width. */
export function shareBars (bars: readonly ShareBar[], reference?: number): Drawing {
  const { place } = linearScale({ low: 0, high: 1, from: 0, to: phoneWidth })
  return arranged(bars.map(({ label, value, share, look = 'accent' }) =>
    row({
      label,
      figure: value,
      marks: [
        barInTrack(look, 0, place(Math.min(1, Math.max(0, share)))),
        reference === undefined ? null : mark('path', { class: 'mark', d: `M${place(reference)} 15V30` })
      ]
    })
  ))
}

export interface RowsOnAxis extends Pick<AxisOptions, 'label' | 'format'> {
  /** Values at which a line crosses all rows, with its look. */
  rules: ReadonlyMap<number, LookName>
}

/** Rows above one axis, whose grid lines run behind them. */
export function rowsOnAxis (rows: readonly Drawing[], x: Scale, { rules, ...axis }: RowsOnAxis): Drawing {
  const list = arranged(rows)
  const plane = new Plane(x, linearScale({ low: 0, high: 1, from: list.height, to: 0 }))
  const lines = [...rules].map(([value, look]) => plane.rule(look, 'x', value))
  const height = list.height + (axis.label === undefined ? 20 : 38)
  return { ...list, height, marks: [plane.xAxis(axis), lines, list.marks] }
}
