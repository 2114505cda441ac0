import type { Chart } from '../../chart/chart.ts'
import { isDrawable } from '../../chart/drawable.ts'
import { labelText } from '../../chart/label-text.ts'
import { row, rowsOnAxis, type Drawing } from '../../chart/layout.ts'
import type { LookName } from '../../chart/looks.ts'
import { at, mark } from '../../chart/mark.ts'
import { linearScale, type Scale } from '../../chart/scale.ts'
import { countOf, numberText } from '../../number-text.ts'
import { named } from '../../shown-text.ts'
import type { Figure, Shap, ShapPoints } from '../analyses-document.ts'
import { signedText } from '../figure-text.ts'
import { inQuotes } from '../quotes.ts'
import type { Subject } from '../subject.ts'

/** A row's points are below its label, around the middle and up to the edge. */
const band = { height: 52, middle: 33, half: 15 }
const mostPoints = 512
const levels = ['lowest', 'lower', 'middle', 'upper', 'highest'] as const

/**
 * One row of points per feature. A point's position is its contribution; its colour shows the rank of the feature's
 * value among the rows. Points at the same position are stacked in the order of the rows, so that equal points give
 * equal drawings.
 */
export function beeswarm (shap: Shap, { result, isTable, unit, target }: Subject, mostFeatures: number): Chart {
  const drawn = shap.points.slice(0, mostFeatures)
  const values = drawn.flatMap((points) => points.values.slice(0, mostPoints).filter(isDrawable))
  const [low, high] = [
    values.reduce((least, value) => Math.min(least, value), 0),
    values.reduce((most, value) => Math.max(most, value), 0)
  ]
  const x = linearScale({ low, high, from: 18, to: 342, count: 4 })
  const label = `Contribution in units of ${labelText(unit, 160)}`
  return {
    id: 'beeswarm',
    title: 'How features contribute, row by row',
    description: describe(drawn, shap.points.length, result, isTable),
    ...rowsOnAxis(drawn.map((points) => featureRow(points, x)), x, { label, rules: new Map([[0, 'zero'] as const]) }),
    table: {
      caption: `Contributions by feature, in units of ${unit === target ? 'the target' : unit}`,
      head: [
        'Feature',
        'Mean size',
        'Mean',
        'Deviation',
        '5 %',
        '25 %',
        'Median',
        '75 %',
        '95 %',
        'Mean at low values',
        'Mean at high values'
      ],
      rows: shap.summary.map((one) => {
        const ends = endsOf(shap.points.find(({ feature }) => feature === one.feature))
        const figures = [
          one.mean_abs,
          one.mean,
          one.sd,
          one.p05,
          one.p25,
          one.p50,
          one.p75,
          one.p95,
          ends.low,
          ends.high
        ]
        return [named(one.feature, 200), ...figures.map((value) => numberText(value))]
      }),
      numbers: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    }
  }
}

function featureRow (points: ShapPoints, x: Scale): Drawing {
  const { low, high } = endsOf(points)
  const paths = new Map<LookName, string>([['missing', ''], ...levels.map((level) => [level, ''] as const)])
  for (const { place, shift, position } of stacked(points, x)) {
    const level = position === null ? 'missing' : levels[Math.min(4, Math.floor(Math.max(0, position) * 5))] ?? 'middle'
    // A line without length and with round ends is a point, in fewer bytes than a circle. Whole units are precise
    // enough across the row.
    const across = Math.round(band.middle + shift)
    paths.set(level, `${paths.get(level)}M${at(place)} ${across}V${across}`)
  }
  return row({
    label: labelText(points.feature, 180),
    figure: low === null && high === null ? '' : `low ${signedText(low)}, high ${signedText(high)}`,
    height: band.height,
    marks: [...paths].map(([level, d]) => d === '' ? null : mark('path', { class: level, d }))
  })
}

/**
 * Points at one position lie beside each other, in turn above and below the middle. A high stack is compressed into the
 * band.
 */
function stacked ({ values, positions }: ShapPoints, x: Scale) {
  const stacks = new Map<number, number>()
  const points = values.slice(0, mostPoints).flatMap((value, index) => {
    if (!isDrawable(value)) return []
    const place = x.place(value)
    const column = Math.round(place / 2)
    const count = stacks.get(column) ?? 0
    stacks.set(column, count + 1)
    return [{ place, steps: (count % 2 === 0 ? 1 : -1) * Math.ceil(count / 2), position: positions[index] ?? null }]
  })
  const highest = Math.max(1, ...points.map(({ steps }) => Math.abs(steps)))
  const unit = Math.min(3, band.half / highest)
  return points.map(({ steps, ...point }) => ({ ...point, shift: steps * unit }))
}

/** The mean contribution in the lowest and in the highest third of the feature's values. */
function endsOf (points: ShapPoints | undefined): { low: Figure, high: Figure } {
  const meanWhere = (isThere: (position: number) => boolean) => {
    const found = points?.values.filter(
      (value, index): value is number => isDrawable(value) && isThere(points.positions[index] ?? NaN)
    ) ?? []
    return found.length === 0 ? null : found.reduce((sum, value) => sum + value / found.length, 0)
  }
  return { low: meanWhere((position) => position < 1 / 3), high: meanWhere((position) => position > 2 / 3) }
}

function describe (drawn: readonly ShapPoints[], count: number, result: string, isTable: boolean): string {
  const [first] = drawn
  if (first === undefined) return 'There is no feature.'
  const { low, high } = endsOf(first)
  const example = low === null && high === null
    ? ''
    : `; of ${inQuotes(first.feature)} ${signedText(low)} and ${signedText(high)}`
  const rest = count > drawn.length ? ` The first ${drawn.length} of ${countOf(count, 'feature')} are drawn.` : ''
  return `Each point is a row of the analysis: at the right of the line the feature adds to the ${result}, ` +
    'at the left it takes away. ' +
    'Blue points are rows with a low value of the feature, orange ones with a high value, ' +
    `small grey squares have ${isTable ? 'a level, or no value' : 'none'}. ` +
    `The figures at the right are the means where the value is in the lowest and in the highest third${example}.${rest}`
}
