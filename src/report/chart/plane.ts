import { tickText } from '../number-text.ts'
import { areaPath, linePath, type Points, type Ranges } from './line-path.ts'
import type { LookName } from './looks.ts'
import { at, mark, moved, text, type Mark } from './mark.ts'
import type { Scale } from './scale.ts'

export interface Tick {
  value: number
  lines: readonly string[]
}

export interface AxisOptions {
  /** The name of the values. */
  label?: string
  /** Ticks that replace those of the scale. */
  ticks?: readonly Tick[]
  format?: (value: number, digits: number) => string
  /** Whether a line crosses the plane at each tick; otherwise the tick is a short line outside. */
  hasGrid?: boolean
}

/** Two scales, and the marks that are positioned on them. */
export class Plane {
  readonly x: Scale
  readonly y: Scale

  constructor (x: Scale, y: Scale) {
    this.x = x
    this.y = y
  }

  xAxis ({ label, format = tickText, ticks = ticksOf(this.x, format), hasGrid = true }: AxisOptions = {}): Mark[] {
    const { x, y } = this
    const end = hasGrid ? y.to : y.from + 4
    const lines = ticks.map(({ value }) => `M${at(x.place(value))} ${at(y.from)}V${at(end)}`)
    const labels = ticks.flatMap(
      ({ value, lines }) => lines.map((line, place) => text(x.place(value), y.from + 16 + 13 * place, line))
    )
    const name = label === undefined ? null : text((x.from + x.to) / 2, y.from + 33, label)
    return [
      mark('path', { class: 'grid', d: lines.join('') }),
      mark('g', { class: 'soft', 'text-anchor': 'middle' }, labels, name)
    ]
  }

  yAxis ({ label, format = tickText }: Pick<AxisOptions, 'label' | 'format'> = {}): Mark[] {
    const { x, y } = this
    const lines = y.ticks.map((value) => `M${at(x.from)} ${at(y.place(value))}H${at(x.to)}`)
    const labels = y.ticks.map((value) => text(x.from - 4, y.place(value) + 4, format(value, y.digits)))
    const name = label === undefined ? null : mark('text', { transform: 'rotate(-90)', 'text-anchor': 'middle' }, label)
    const texts = mark(
      'g',
      { class: 'soft', 'text-anchor': 'end' },
      labels,
      name && moved(11, (y.from + y.to) / 2, name)
    )
    return [mark('path', { class: 'grid', d: lines.join('') }), texts]
  }

  /** A line across the whole plane at a value of one axis. */
  rule (look: LookName, axis: 'x' | 'y', value: number): Mark {
    const { x, y } = this
    const upright = `M${at(x.place(value))} ${at(y.from)}V${at(y.to)}`
    return mark('path', { class: look, d: axis === 'x' ? upright : `M${at(x.from)} ${at(y.place(value))}H${at(x.to)}` })
  }

  line (look: LookName, points: Points, alone?: number): Mark {
    return mark('path', { class: look, d: linePath(points, this.x.place, this.y.place, alone) })
  }

  /** The area between two lines. */
  area (look: LookName, ranges: Ranges, alone?: number): Mark {
    return mark('path', { class: look, d: areaPath(ranges, this.x.place, this.y.place, alone) })
  }

  dots (look: LookName, dots: ReadonlyArray<readonly [x: number, y: number, radius: number]>): Mark {
    const { x, y } = this
    return mark(
      'g',
      { class: look },
      dots.map(([cx, cy, r]) => mark('circle', { cx: x.place(cx), cy: y.place(cy), r }))
    )
  }
}

function ticksOf ({ ticks, digits }: Scale, format: (value: number, digits: number) => string): Tick[] {
  return ticks.map((value) => ({ value, lines: [format(value, digits)] }))
}
