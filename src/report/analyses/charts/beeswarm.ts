import { at, type Chart } from '../../charts/chart.ts'
import { scaleOf, type Scale } from '../../charts/scale.ts'
import { html, type Html } from '../../html.ts'
import { countOf, numberText, tickText } from '../../number-text.ts'
import { named } from '../../shown-text.ts'
import type { Figure, Shap, ShapPoints } from '../analyses-document.ts'
import { isDrawable, signedText } from '../figure-text.ts'
import { labelText } from '../label-text.ts'
import { inQuotes } from '../quotes.ts'
import type { Subject } from '../subject.ts'

const width = 360
const plane = { left: 6, right: 354 }
const step = 52
/** Of a row: under its label, from the middle to the edge. */
const band = { middle: 33, half: 15 }
const mostPoints = 512
const classes = ['lowest', 'lower', 'middle', 'upper', 'highest'] as const

/**
 * A row of points a feature: where a point stands says its contribution, its colour how high the feature's value is among the rows. Points over the same
 * place are stacked in the order of the rows, so that equal points give equal drawings.
 */
export function beeswarm (shap: Shap, subject: Subject, mostFeatures: number): Chart {
  const drawn = shap.points.slice(0, mostFeatures)
  const values = drawn.flatMap((points) => points.values.slice(0, mostPoints).filter(isDrawable))
  const x = scaleOf({ low: values.reduce((low, value) => Math.min(low, value), 0), high: values.reduce((high, value) => Math.max(high, value), 0), from: plane.left + 12, to: plane.right - 12, count: 4 })
  const height = Math.max(1, drawn.length) * step
  return {
    id: 'beeswarm',
    title: 'How features contribute, row by row',
    description: describe(drawn, shap.points.length, subject),
    width,
    height: height + 38,
    marks: html`${renderAxis(x, height, subject.unit)}
${drawn.map((points, index) => renderRow(points, index * step, x.place))}`,
    table: {
      caption: `Contributions by feature, in units of ${subject.unit === subject.target ? 'the target' : subject.unit}`,
      head: ['Feature', 'Mean size', 'Mean', 'Deviation', '5 %', '25 %', 'Median', '75 %', '95 %', 'Mean at low values', 'Mean at high values'],
      rows: shap.summary.map((one) => {
        const { low, high } = endsOf(shap.points.find(({ feature }) => feature === one.feature))
        return [named(one.feature, 200), ...[one.mean_abs, one.mean, one.sd, one.p05, one.p25, one.p50, one.p75, one.p95, low, high].map((value) => numberText(value))]
      }),
      numbers: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    }
  }
}

function renderAxis (x: Scale, height: number, unit: string): Html {
  return html`<g class="grid">${x.ticks.map((value) => html`<path d="M${at(x.place(value))} 0V${height}"/>`)}</g>
<path class="zero" d="M${at(x.place(0))} 0V${height}"/>
<g class="ticks" aria-hidden="true">${x.ticks.map((value) => html`<text x="${at(x.place(value))}" y="${height + 14}" text-anchor="middle">${tickText(value, x.digits)}</text>`)}
<text x="${width / 2}" y="${height + 31}" text-anchor="middle">Contribution in units of ${labelText(unit, 160)}</text></g>`
}

function renderRow (points: ShapPoints, y: number, place: Scale['place']): Html {
  const { low, high } = endsOf(points)
  const paths = new Map<string, string>()
  for (const { x, shift, position } of stacked(points, place)) {
    const look = position === null ? 'missing' : classes[Math.min(4, Math.floor(Math.max(0, position) * 5))] ?? 'middle'
    // A line of no length with a round end is a point, in fewer bytes than a circle; whole units suffice across.
    const across = Math.round(band.middle + shift)
    paths.set(look, `${paths.get(look) ?? ''}M${at(x)} ${across}V${across}`)
  }
  return html`<g aria-hidden="true" transform="translate(0 ${y})"><text class="ink" x="0" y="12">${labelText(points.feature, 180)}</text><text class="ink" x="${width}" y="12" text-anchor="end">${low === null && high === null ? null : html`low ${signedText(low)}, high ${signedText(high)}`}</text>
${['missing', ...classes].map((look) => paths.has(look) ? html`<path class="dots ${look}" d="${paths.get(look)}"/>` : null)}</g>
`
}

/** Points of one place lie beside each other, in turn above and below the middle; a high stack is pressed into the band. */
function stacked ({ values, positions }: ShapPoints, place: Scale['place']) {
  const stacks = new Map<number, number>()
  const points = values.slice(0, mostPoints).flatMap((value, index) => {
    if (!isDrawable(value)) return []
    const x = place(value)
    const column = Math.round(x / 2)
    const count = stacks.get(column) ?? 0
    stacks.set(column, count + 1)
    return [{ x, steps: (count % 2 === 0 ? 1 : -1) * Math.ceil(count / 2), position: positions[index] ?? null }]
  })
  const highest = Math.max(1, ...points.map(({ steps }) => Math.abs(steps)))
  const unit = Math.min(3, band.half / highest)
  return points.map(({ x, steps, position }) => ({ x, shift: steps * unit, position }))
}

/** The mean contribution in the lowest and in the highest third of the feature's values. */
function endsOf (points: ShapPoints | undefined): { low: Figure, high: Figure } {
  const meanWhere = (isThere: (position: number) => boolean) => {
    const found = points?.values.filter((value, index): value is number => isDrawable(value) && isThere(points.positions[index] ?? NaN)) ?? []
    return found.length === 0 ? null : found.reduce((sum, value) => sum + value / found.length, 0)
  }
  return { low: meanWhere((position) => position < 1 / 3), high: meanWhere((position) => position > 2 / 3) }
}

function describe (drawn: readonly ShapPoints[], count: number, { result, isTable }: Subject): string {
  if (drawn.length === 0) return 'There is no feature.'
  const rest = count > drawn.length ? ` The first ${drawn.length} of ${countOf(count, 'feature')} are drawn.` : ''
  const first = drawn[0] as ShapPoints
  const { low, high } = endsOf(first)
  return `Each point is a row of the analysis: at the right of the line the feature adds to the ${result}, at the left it takes away. Blue points are rows with a low value of the feature, orange ones with a ` +
    `high value, small grey squares have ${isTable ? 'a level, or no value' : 'none'}. The figures at the right are the means where the value is in the lowest and in the highest third${low === null && high === null ? '' : `; of ${inQuotes(first.feature)} ${signedText(low)} and ${signedText(high)}`}.${rest}`
}
