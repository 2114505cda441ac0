import { html, type Html } from '../html.ts'
import { at } from './chart.ts'

/** From values to coordinates of a drawing. */
export interface Scale {
  place (value: number): number
  ticks: number[]
  /** Significant digits that tell its ticks apart. */
  digits: number
}

export interface AxisOptions { low: number, high: number, from: number, to: number, count?: number }

/** A linear scale that begins and ends at a tick; ticks are 1, 2 or 5 times a power of ten apart. */
export function scaleOf ({ low, high, from, to, count = 5 }: AxisOptions): Scale {
  const size = Math.max(Math.abs(low), Math.abs(high))
  // Values that are equal, or nearly so beside their size, get room around them.
  const span = high - low > size * 1e-9 ? high - low : size / 2
  const step = niceStep(span > least ? span / count : 1)
  const first = Math.floor(low / step)
  const last = Math.max(Math.ceil(high / step), first + 1)
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)))
  const place = (value: number) => from + (value / step - first) / (last - first) * (to - from)
  return { ticks, place, digits: Math.min(12, Math.max(2, Math.ceil(Math.log10(size / step || 1)) + 1)) }
}

/** Below it numbers lose their digits. */
const least = 1e-300

function niceStep (rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough))
  const factor = [1, 2, 5].find((nice) => nice * power >= rough * (1 - 1e-9)) ?? 10
  return factor * power
}

/** Where the plane of a chart lies: the rest is for its labels. */
export interface Plane { left: number, top: number, right: number, bottom: number }

export interface Axes {
  plane: Plane
  x: Scale
  y: Scale
  xLabel: string
  yLabel: string
  tick: (value: number, digits: number) => string
}

/** Lines of a grid with their values, and what the values are. */
export function renderAxes ({ plane: { left, top, right, bottom }, x, y, xLabel, yLabel, tick }: Axes): Html {
  const middle = (top + bottom) / 2
  return html`<g class="grid">
${x.ticks.map((value) => html`<path d="M${at(x.place(value))} ${at(top)}V${at(bottom)}"/>`)}
${y.ticks.map((value) => html`<path d="M${at(left)} ${at(y.place(value))}H${at(right)}"/>`)}
</g>
<g class="ticks" aria-hidden="true">
${x.ticks.map((value) => html`<text x="${at(x.place(value))}" y="${at(bottom + 16)}" text-anchor="middle">${tick(value, x.digits)}</text>`)}
${y.ticks.map((value) => html`<text x="${at(left - 4)}" y="${at(y.place(value) + 4)}" text-anchor="end">${tick(value, y.digits)}</text>`)}
<text x="${at((left + right) / 2)}" y="${at(bottom + 33)}" text-anchor="middle">${xLabel}</text>
<text transform="translate(11 ${at(middle)}) rotate(-90)" text-anchor="middle">${yLabel}</text>
</g>`
}
