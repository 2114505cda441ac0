import type { Figure, PlotSeries } from '../forecast-plot.ts'
import { html, type Html } from '../html.ts'
import { tickText } from '../number-text.ts'
import { isolatedOf, layersOf, lengthOf, reachOf, type Layer, type LayerKind } from '../plot/layers.ts'
import { TimeTicks } from '../plot/time-ticks.ts'
import { at } from './chart.ts'
import { scaleOf } from './scale.ts'

export const forecastChartSize = { width: 480, height: 270 }
const plane = { left: 48, top: 20, right: 468, bottom: 232 }

/** Colours of the light scheme, as attributes: a style sheet goes before them, and where none is let in they stay. */
const looks: Record<LayerKind, { fill?: string, opacity?: number, stroke?: string, width?: number, dash?: string }> = {
  band: { fill: '#0072b2', opacity: 0.2 },
  'backtest-band': { fill: '#b34700', opacity: 0.14 },
  history: { stroke: '#1b1f24', width: 1.2 },
  quantile: { stroke: '#0072b2', width: 1, dash: '1 3' },
  median: { stroke: '#0072b2', width: 1.2, dash: '2 2' },
  mean: { stroke: '#0072b2', width: 2 },
  backtest: { stroke: '#b34700', width: 1.4, dash: '5 3' }
}

/** The marks of a drawing of one series: history, fan, backtest, and where the forecast starts. Null where there is no figure. */
export function forecastMarks (series: PlotSeries, times: readonly number[], levels: readonly number[]): Html | null {
  const length = lengthOf(series)
  const layers = layersOf(series, levels)
  const reach = reachOf(layers, 0, length - 1)
  if (reach === null) return null
  const y = scaleOf({ ...reach, from: plane.bottom, to: plane.top })
  const x = (index: number) => plane.left + (index + 0.5) / length * (plane.right - plane.left)
  const ticks = new TimeTicks(times.slice(series.from, series.from + length)).within(0, length - 1, 6)
  const start = plane.left + series.history.length / length * (plane.right - plane.left)
  const isLeft = start > (plane.left + plane.right) / 2
  return html`<g class="grid" fill="none" stroke="#d0d7de" stroke-width="0.7">
${y.ticks.map((value) => html`<path d="M${at(plane.left)} ${at(y.place(value))}H${at(plane.right)}"/>`)}
${ticks.map(({ index }) => html`<path d="M${at(x(index))} ${at(plane.bottom)}v4"/>`)}
</g>
<g class="ticks" aria-hidden="true" fill="#57606a">
${y.ticks.map((value) => html`<text x="${at(plane.left - 5)}" y="${at(y.place(value) + 4)}" text-anchor="end">${tickText(value, y.digits)}</text>`)}
${ticks.map(({ index, label, context }) => html`<text x="${at(x(index))}" y="${at(plane.bottom + 16)}" text-anchor="middle">${label}</text>${context === '' ? null : html`<text x="${at(x(index))}" y="${at(plane.bottom + 29)}" text-anchor="middle">${context}</text>`}`)}
</g>
${layers.map((layer) => renderLayer(layer, x, y.place))}
${series.mean.length === 0
? null
: html`<path class="start" fill="none" stroke="#57606a" stroke-dasharray="4 3" d="M${at(start)} ${at(plane.top - 8)}V${at(plane.bottom)}"/>
<text class="ticks" aria-hidden="true" fill="#57606a" x="${at(start + (isLeft ? -5 : 5))}" y="${at(plane.top - 7)}" text-anchor="${isLeft ? 'end' : 'start'}">forecast starts</text>`}`
}

type Place = (value: number) => number

function renderLayer ({ kind, lines }: Layer, x: Place, y: Place): Html {
  const { fill = 'none', opacity = 1, stroke = 'none', width = 0, dash = 'none' } = looks[kind]
  const [first = [], second] = lines
  const path = second === undefined ? linePath(first, x, y) : bandPath(first, second, x, y)
  return html`<path class="${kind}" fill="${fill}" fill-opacity="${opacity}" stroke="${stroke}" stroke-width="${width}" stroke-dasharray="${dash}" stroke-linejoin="round" d="${path}"/>`
}

/** A figure alone is a short dash, as a line needs two. */
function linePath (figures: readonly Figure[], x: Place, y: Place): string {
  const alone = isolatedOf(figures).map((index) => `M${at(x(index) - 1.5)} ${at(y(figures[index] ?? 0))}h3`)
  const pieces = stretchesOf(figures).filter(({ length }) => length > 1)
  return [...pieces.map((indices) => `M${thinned(indices, figures, x).map((index) => `${at(x(index))} ${at(y(figures[index] ?? 0))}`).join('L')}`), ...alone].join('')
}

function bandPath (low: readonly Figure[], high: readonly Figure[], x: Place, y: Place): string {
  const both = low.map((figure, index) => figure === null ? null : high[index] ?? null)
  return stretchesOf(both).map((indices) => {
    const corners = (figures: readonly Figure[], shift: number) => indices.length === 1
      ? `${at(x(indices[0] ?? 0) + shift)} ${at(y(figures[indices[0] ?? 0] ?? 0))}L${at(x(indices[0] ?? 0) - shift)} ${at(y(figures[indices[0] ?? 0] ?? 0))}`
      : (shift > 0 ? indices : indices.toReversed()).map((index) => `${at(x(index))} ${at(y(figures[index] ?? 0))}`).join('L')
    return `M${corners(high, 4)}L${corners(low, -4)}Z`
  }).join('')
}

/** Indices of figures that follow each other without a gap. */
function stretchesOf (figures: readonly Figure[]): number[][] {
  const stretches: number[][] = []
  for (const [index, figure] of figures.entries()) {
    if (figure === null) continue
    if (index === 0 || figures[index - 1] === null) stretches.push([])
    stretches.at(-1)?.push(index)
  }
  return stretches
}

/** Of the figures over one unit of the drawing the first, the least, the largest and the last: the line looks the same. */
function thinned (indices: readonly number[], figures: readonly Figure[], x: Place): number[] {
  if (indices.length < 2 * forecastChartSize.width) return [...indices]
  const columns = new Map<number, number[]>()
  for (const index of indices) {
    const column = Math.floor(x(index))
    const kept = columns.get(column)
    if (kept === undefined) columns.set(column, [index, index, index, index])
    else {
      const value = figures[index] ?? 0
      if (value < (figures[kept[1] ?? 0] ?? 0)) kept[1] = index
      if (value > (figures[kept[2] ?? 0] ?? 0)) kept[2] = index
      kept[3] = index
    }
  }
  return [...columns.values()].flatMap((kept) => [...new Set(kept)].sort((a, b) => a - b))
}
