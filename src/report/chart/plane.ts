import { html, type Html } from '../html.ts'
import { tickText } from '../number-text.ts'
import { areaPath, linePath, type Points, type Ranges } from './line-path.ts'
import type { LookName } from './looks.ts'
import { at, mark, text } from './mark.ts'
import type { Scale } from './scale.ts'

export interface Tick {
  value: number
  lines: readonly string[]
}

export interface AxisOptions {
  /** What the values are. */
  label?: string
  /** Others than those of the scale. */
  ticks?: readonly Tick[]
  format?: (value: number, digits: number) => string
  /** A line across the plane at each tick; without it the tick is a short line outside. */
  hasGrid?: boolean
}

/** Two scales, and the marks that take their places from them. */
export class Plane {
  readonly x: Scale
  readonly y: Scale

  constructor (x: Scale, y: Scale) {
    this.x = x
    this.y = y
  }

  xAxis ({ label, format = tickText, ticks = ticksOf(this.x, format), hasGrid = true }: AxisOptions = {}): Html {
    const { x, y } = this
    const end = hasGrid ? y.to : y.from + 4
    const lines = ticks.map(({ value }) => `M${at(x.place(value))} ${at(y.from)}V${at(end)}`)
    const labels = ticks.flatMap(({ value, lines }) =>
      lines.map((line, place) => text(x.place(value), y.from + 16 + 13 * place, line))
    )
    return html`${mark('path', { class: 'grid', d: lines.join('') })}
${
      mark('g', { class: 'soft', 'text-anchor': 'middle' }, labels,
        label === undefined ? null : text((x.from + x.to) / 2, y.from + 33, label))
    }
`
  }

  yAxis ({ label, format = tickText }: AxisOptions = {}): Html {
    const { x, y } = this
    const lines = y.ticks.map((value) => `M${at(x.from)} ${at(y.place(value))}H${at(x.to)}`)
    const labels = y.ticks.map((value) =>
      text(x.from - 4, y.place(value) + 4, format(value, y.digits), { anchor: 'end' })
    )
    const upwards = { transform: `translate(11 ${at((y.from + y.to) / 2)}) rotate(-90)`, 'text-anchor': 'middle' }
    return html`${mark('path', { class: 'grid', d: lines.join('') })}
${mark('g', { class: 'soft' }, labels, label === undefined ? null : mark('text', upwards, label))}
`
  }

  /** A line across the whole plane at a value of one axis. */
  rule (look: LookName, axis: 'x' | 'y', value: number): Html {
    const { x, y } = this
    const d = axis === 'x'
      ? `M${at(x.place(value))} ${at(y.from)}V${at(y.to)}`
      : `M${at(x.from)} ${at(y.place(value))}H${at(x.to)}`
    return mark('path', { class: look, d })
  }

  line (look: LookName, points: Points, alone?: number): Html {
    return mark('path', {
      class: look,
      d: linePath(points.map((point) => point && [this.x.place(point[0]), this.y.place(point[1])]), alone)
    })
  }

  /** What lies between two lines. */
  area (look: LookName, ranges: Ranges, alone?: number): Html {
    const placed = ranges.map((range) =>
      range && [this.x.place(range[0]), this.y.place(range[1]), this.y.place(range[2])] as const
    )
    return mark('path', { class: look, d: areaPath(placed, alone) })
  }

  dots (look: LookName, dots: ReadonlyArray<readonly [x: number, y: number, radius: number]>): Html {
    return mark('g', { class: look },
      dots.map(([x, y, r]) => mark('circle', { cx: this.x.place(x), cy: this.y.place(y), r })))
  }
}

function ticksOf ({ ticks, digits }: Scale, format: (value: number, digits: number) => string): Tick[] {
  return ticks.map((value) => ({ value, lines: [format(value, digits)] }))
}
