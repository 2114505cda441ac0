import type { Chart } from '../../chart/chart.ts'
import { isDrawable } from '../../chart/drawable.ts'
import { labelText } from '../../chart/label-text.ts'
import { arranged, phoneWidth, type Drawing } from '../../chart/layout.ts'
import { bar, text } from '../../chart/mark.ts'
import { Plane } from '../../chart/plane.ts'
import { linearScale, stepScale, type Scale } from '../../chart/scale.ts'
import { html, type Content } from '../../html.ts'
import { numberText } from '../../number-text.ts'
import { shownText } from '../../shown-text.ts'
import type { Rolling, RollingFeature, RollingPoint, RollingSeries } from '../analyses-document.ts'
import { figureText, timeText } from '../figure-text.ts'
import { inQuotes } from '../quotes.ts'

/** Of a panel: its plane has room for a name above, for times below, and for figures at the left. */
const plane = { left: 44, right: 354, top: 24, bottom: 92 }
const panelHeight = 116
const mostRows = 200

/**
 * A small panel a feature of one series, under each other: the coefficient over time with its interval, all on one
 * scale.
 */
export function coefficientPanels ({ item_id: item, features }: RollingSeries, { features: names }: Rolling,
  index: number): Chart {
  const y = scaleOfAll(features)
  const nameOf = ({ feature }: RollingFeature) => names[feature] ?? ''
  const rows = tableRows(features)
  return {
    id: `series-${index + 1}`,
    title: shownText(item, 40),
    description: describe(features, nameOf),
    ...arranged(features.map((one) => panelOf(one.points, nameOf(one), y))),
    table: {
      caption: `Coefficients by window, series ${index + 1}${
        rows.length > mostRows ? `, the last ${mostRows} windows` : ''
      }`,
      head: ['Window from', 'To', ...features.map((one) => shownText(nameOf(one), 40))],
      rows: rows.slice(-mostRows),
      numbers: features.map((_, place) => place + 2)
    }
  }
}

/** Windows are the same for all features of a series. A weak one is marked by its word. */
function tableRows (features: readonly RollingFeature[]): Content[][] {
  const windows = features[0]?.points ?? []
  return windows.map(({ start, end },
    index) => [timeText(start), timeText(end), ...features.map(({ points }) => cellText(points[index]))]
  )
}

function cellText (point: RollingPoint | undefined): string {
  if (point === undefined || point.coefficient === null) return ''
  return `${numberText(point.coefficient)} (${numberText(point.ci_low)} to ${numberText(point.ci_high)})${
    point.weak ? ' weak' : ''
  }`
}

/** Wide intervals of weak windows are cut, so that they do not press the rest together. */
function scaleOfAll (features: readonly RollingFeature[]): Scale {
  const points = features.flatMap(({ points }) => points)
  const strong = points.filter(({ weak }) => !weak)
  const ends = (strong.length > 0 ? strong : points).flatMap((
    { coefficient, ci_low: low, ci_high: high }
  ) => [coefficient, low, high]).filter(isDrawable)
  const [low, high] = [ends.reduce((least, value) => Math.min(least, value), 0),
    ends.reduce((most, value) => Math.max(most, value), 0)]
  const scale = linearScale({ low, high, from: plane.bottom, to: plane.top, count: 3 })
  return { ...scale, place: (value) => Math.min(plane.bottom, Math.max(plane.top, scale.place(value))) }
}

function panelOf (points: readonly RollingPoint[], name: string, y: Scale): Drawing {
  const x = stepScale(points.length, plane.left, plane.right)
  const half = (x.to - x.from) / Math.max(1, points.length) / 2
  const alone = Math.min(4, half)
  const { bottom, left, right } = plane
  const drawn = new Plane(x, y)
  const all = points.map(({ coefficient, ci_low: low, ci_high: high }, index) => {
    return isDrawable(coefficient) && isDrawable(low) && isDrawable(high)
      ? [index, coefficient, low, high] as const
      : null
  })
  const strong = all.map((point, index) => points[index]?.weak === false ? point : null)
  const coefficients = (some: typeof all) => some.map((point) => point && [point[0], point[1]] as const)
  const weak = points.flatMap(({ weak }, index) =>
    weak ? bar('weak', [x.place(index) - half, x.place(index) + half], [y.from, y.to]) : []
  )
  const times = [points[0], points.at(-1)].map((point) => labelText(timeText(point?.end ?? ''), 140))
  return {
    width: phoneWidth,
    height: panelHeight,
    marks: html`${text(0, 12, labelText(name, 340))}${drawn.yAxis()}${drawn.rule('zero', 'y', 0)}${weak}
${text(left, bottom + 14, times[0], { look: 'soft' })}${
      points.length > 1 ? text(right, bottom + 14, times[1], { look: 'soft', anchor: 'end' }) : null
    }
${drawn.area('interval', strong.map((point) => point && [point[0], point[2], point[3]] as const), alone)}
${drawn.line('weak-line', coefficients(all), alone)}${drawn.line('line', coefficients(strong), alone)}`
  }
}

function describe (features: readonly RollingFeature[], nameOf: (feature: RollingFeature) => string): string {
  if (features.length === 0) return 'There is no feature.'
  const texts = features.map((one) => {
    const strong = one.points.filter(({ weak }) => !weak).map(({ coefficient }) => coefficient).filter(isDrawable)
    const range = strong.length === 0
      ? 'weak in all windows'
      : `from ${figureText(Math.min(...strong))} to ${figureText(Math.max(...strong))}`
    return `${inQuotes(nameOf(one))} ${range}${one.sign_change ? ', changes its sign' : ''}${
      one.separate_intervals ? ', with intervals that do not meet' : ''
    }`
  })
  return `Coefficients over time, per standard deviation, with their 95 % interval: ${
    texts.join('; ')
  }. Windows with a grey ground and a dotted line are weak.`
}
