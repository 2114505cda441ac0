import { at, type Chart } from '../../charts/chart.ts'
import { scaleOf, type Scale } from '../../charts/scale.ts'
import { html, type Content, type Html } from '../../html.ts'
import { numberText, tickText } from '../../number-text.ts'
import { shownText } from '../../shown-text.ts'
import type { Rolling, RollingFeature, RollingPoint, RollingSeries } from '../analyses-document.ts'
import { figureText, isDrawable, timeText } from '../figure-text.ts'
import { labelText } from '../label-text.ts'
import { inQuotes } from '../quotes.ts'

export const panelsWidth = 360
const plane = { left: 44, right: 354, top: 24, bottom: 92 }
export const panelHeight = 116
const mostRows = 200

/** A small panel a feature of one series, under each other: the coefficient over time with its interval, all on one scale. */
export function coefficientPanels ({ item_id: item, features }: RollingSeries, { features: names }: Rolling, index: number): Chart {
  const y = scaleOfAll(features)
  const nameOf = ({ feature }: RollingFeature) => names[feature] ?? ''
  const rows = tableRows(features)
  return {
    id: `series-${index + 1}`,
    title: shownText(item, 40),
    description: describe(features, nameOf),
    width: panelsWidth,
    height: Math.max(1, features.length) * panelHeight,
    marks: features.length === 0
      ? html`<text class="ticks" x="0" y="14">nothing to draw</text>`
      : html`${features.map((one, place) => html`<g transform="translate(0 ${place * panelHeight})">${renderPanel(one, nameOf(one), y)}</g>
`)}`,
    table: {
      caption: `Coefficients by window, series ${index + 1}${rows.length > mostRows ? `, the last ${mostRows} windows` : ''}`,
      head: ['Window from', 'To', ...features.map((one) => shownText(nameOf(one), 40))],
      rows: rows.slice(-mostRows),
      numbers: features.map((_, place) => place + 2)
    }
  }
}

/** Windows are the same for all features of a series. A weak one is marked by its word. */
function tableRows (features: readonly RollingFeature[]): Content[][] {
  const windows = features[0]?.points ?? []
  return windows.map(({ start, end }, index) => [timeText(start), timeText(end), ...features.map(({ points }) => cellText(points[index]))])
}

function cellText (point: RollingPoint | undefined): string {
  if (point === undefined || point.coefficient === null) return ''
  return `${numberText(point.coefficient)} (${numberText(point.ci_low)} to ${numberText(point.ci_high)})${point.weak ? ' weak' : ''}`
}

/** Wide intervals of weak windows are cut, so that they do not press the rest together. */
function scaleOfAll (features: readonly RollingFeature[]): Scale {
  const points = features.flatMap(({ points }) => points)
  const strong = points.filter(({ weak }) => !weak)
  const ends = (strong.length > 0 ? strong : points).flatMap(({ coefficient, ci_low: low, ci_high: high }) => [coefficient, low, high]).filter(isDrawable)
  return scaleOf({ low: ends.reduce((low, value) => Math.min(low, value), 0), high: ends.reduce((high, value) => Math.max(high, value), 0), from: plane.bottom, to: plane.top, count: 3 })
}

function renderPanel ({ points }: RollingFeature, name: string, scale: Scale): Html {
  const x = (index: number) => plane.left + (index + 0.5) / Math.max(1, points.length) * (plane.right - plane.left)
  const y = (value: number) => Math.min(plane.bottom, Math.max(plane.top, scale.place(value)))
  const half = (plane.right - plane.left) / Math.max(1, points.length) / 2
  const [first, last] = [points[0], points.at(-1)]
  const strong = stretchesOf(points, (index) => points[index]?.weak === false)
  const all = stretchesOf(points, () => true)
  return html`<text class="label" x="0" y="12" aria-hidden="true">${labelText(name, 340)}</text>
<g class="grid">${scale.ticks.map((value) => html`<path d="M${plane.left} ${at(scale.place(value))}H${plane.right}"/>`)}</g>
<path class="zero" d="M${plane.left} ${at(scale.place(0))}H${plane.right}"/>
<g class="ticks" aria-hidden="true">${endsOf(scale).map((value) => html`<text x="${plane.left - 4}" y="${at(scale.place(value) + 4)}" text-anchor="end">${tickText(value, scale.digits)}</text>`)}
<text x="${plane.left}" y="${plane.bottom + 14}">${labelText(timeText(first?.end ?? ''), 140)}</text>${points.length > 1 ? html`<text x="${plane.right}" y="${plane.bottom + 14}" text-anchor="end">${labelText(timeText(last?.end ?? ''), 140)}</text>` : null}</g>
${points.map(({ weak }, index) => weak ? html`<rect class="weak" x="${at(x(index) - half)}" y="${plane.top}" width="${at(2 * half)}" height="${plane.bottom - plane.top}"/>` : null)}
${strong.map((indices) => html`<path class="interval" d="${bandPath(indices, points, x, y, half)}"/>`)}
<path class="weak-line" d="${all.map((indices) => linePath(indices, points, x, y, half)).join('')}"/>
<path class="coefficient" d="${strong.map((indices) => linePath(indices, points, x, y, half)).join('')}"/>`
}

/** Indices of windows with figures that follow each other. */
function stretchesOf (points: readonly RollingPoint[], wanted: (index: number) => boolean): number[][] {
  const stretches: number[][] = []
  let open: number[] | null = null
  for (const [index, { coefficient, ci_low: low, ci_high: high }] of points.entries()) {
    if (![coefficient, low, high].every(isDrawable) || !wanted(index)) open = null
    else if (open === null) stretches.push(open = [index])
    else open.push(index)
  }
  return stretches
}

type Place = (value: number) => number

/** A window alone is a dash. */
function linePath (indices: readonly number[], points: readonly RollingPoint[], x: Place, y: Place, half: number): string {
  const spots = indices.map((index) => ({ x: x(index), y: y(points[index]?.coefficient ?? 0) }))
  const ends = spots.length > 1 ? spots : spots.flatMap((spot) => [{ ...spot, x: spot.x - Math.min(4, half) }, { ...spot, x: spot.x + Math.min(4, half) }])
  return `M${ends.map((spot) => `${at(spot.x)} ${at(spot.y)}`).join('L')}`
}

function bandPath (indices: readonly number[], points: readonly RollingPoint[], x: Place, y: Place, half: number): string {
  const edge = (key: 'ci_low' | 'ci_high') => indices.flatMap((index) => {
    const value = at(y(points[index]?.[key] ?? 0))
    return indices.length > 1 ? [`${at(x(index))} ${value}`] : [`${at(x(index) - Math.min(4, half))} ${value}`, `${at(x(index) + Math.min(4, half))} ${value}`]
  })
  return `M${[...edge('ci_high'), ...edge('ci_low').reverse()].join('L')}`
}

/** The ends of a scale and zero: a small panel has no room for more. */
function endsOf ({ ticks }: Scale): number[] {
  return [...new Set([ticks[0] ?? 0, 0, ticks.at(-1) ?? 0])]
}

function describe (features: readonly RollingFeature[], nameOf: (feature: RollingFeature) => string): string {
  if (features.length === 0) return 'There is no feature.'
  const texts = features.map((one) => {
    const strong = one.points.filter(({ weak }) => !weak).map(({ coefficient }) => coefficient).filter(isDrawable)
    const range = strong.length === 0 ? 'weak in all windows' : `from ${figureText(Math.min(...strong))} to ${figureText(Math.max(...strong))}`
    return `${inQuotes(nameOf(one))} ${range}${one.sign_change ? ', changes its sign' : ''}${one.separate_intervals ? ', with intervals that do not meet' : ''}`
  })
  return `Coefficients over time, per standard deviation, with their 95 % interval: ${texts.join('; ')}. Windows with a grey ground and a dotted line are weak.`
}
