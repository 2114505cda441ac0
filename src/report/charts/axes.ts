import { html, type Html } from '../html.ts'
import { at } from './chart.ts'
import type { Scale } from './scale.ts'

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
