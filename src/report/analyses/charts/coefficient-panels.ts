import type { Chart } from '../../chart/chart.ts'
import { isDrawable } from '../../chart/drawable.ts'
import { labelText } from '../../chart/label-text.ts'
import { arranged, phoneWidth, type Drawing } from '../../chart/layout.ts'
import { bar, text } from '../../chart/mark.ts'
import { Plane } from '../../chart/plane.ts'
import { linearScale, plainScale, type Scale } from '../../chart/scale.ts'
import type { Content } from '../../html.ts'
import { numberText } from '../../number-text.ts'
import { shownText } from '../../shown-text.ts'
import type { Rolling, RollingFeature, RollingPoint, RollingSeries } from '../analyses-document.ts'
import { figureText, timeText } from '../figure-text.ts'
import { inQuotes } from '../quotes.ts'

/** The plane of a panel; around it there is space for a name above, times below, and figures at the left. */
const plane = { left: 44, right: 354, top: 24, bottom: 92 }
const panelHeight = 116
const mostRows = 200

/** One small panel per feature of a series: the coefficient over time with its interval, all on one scale. */
export function coefficientPanels (
  { item_id: item, features }: RollingSeries,
  { features: names }: Rolling,
  index: number
): Chart {
  const y = scaleOfAll(features)
  const nameOf = ({ feature }: RollingFeature) => names[feature] ?? ''
  const rows = tableRows(features)
  const part = rows.length > mostRows ? `, the last ${mostRows} windows` : ''
  return {
    id: `series-${index + 1}`,
    title: shownText(item, 40),
    description: describe(features, nameOf),
    ...arranged(features.map((one) => panelOf(one.points, nameOf(one), y))),
    table: {
      caption: `Coefficients by window, series ${index + 1}${part}`,
      head: ['Window from', 'To', ...features.map((one) => shownText(nameOf(one), 40))],
      rows: rows.slice(-mostRows),
      numbers: features.map((_, place) => place + 2)
    }
  }
}

/** All features of a series have the same windows. A weak window is marked with a word. */
function tableRows (features: readonly RollingFeature[]): Content[][] {
  const windows = features[0]?.points ?? []
  return windows.map(
    ({ start, end }, index) => [
      timeText(start),
      timeText(end),
      ...features.map(({ points }) => cellText(points[index]))
    ]
  )
}

function cellText (point: RollingPoint | undefined): string {
  if (point === undefined || point.coefficient === null) return ''
  const [value, low, high] = [point.coefficient, point.ci_low, point.ci_high].map((figure) => numberText(figure))
  return `${value} (${low} to ${high})${point.weak ? ' weak' : ''}`
}

/** The scale leaves out the wide intervals of weak windows, which would compress everything else. */
function scaleOfAll (features: readonly RollingFeature[]): Scale {
  const points = features.flatMap(({ points }) => points)
  const strong = points.filter(({ weak }) => !weak)
  const ends = (strong.length > 0 ? strong : points).flatMap(
    ({ coefficient, ci_low: low, ci_high: high }) => [coefficient, low, high]
  ).filter(isDrawable)
  const [low, high] = [
    ends.reduce((least, value) => Math.min(least, value), 0),
    ends.reduce((most, value) => Math.max(most, value), 0)
  ]
  const scale = linearScale({ low, high, from: plane.bottom, to: plane.top, count: 3 })
  return { ...scale, place: (value) => Math.min(plane.bottom, Math.max(plane.top, scale.place(value))) }
}

function panelOf (points: readonly RollingPoint[], name: string, y: Scale): Drawing {
  const { left, right, bottom } = plane
  const x = plainScale({ low: -0.5, high: points.length - 0.5, from: left, to: right })
  const drawn = new Plane(x, y)
  const isThere = (point: RollingPoint) => [point.coefficient, point.ci_low, point.ci_high].every(isDrawable)
  const coefficients = (isWanted: (point: RollingPoint) => boolean) =>
    points.map((point, index) => {
      return [index, isThere(point) && isWanted(point) ? point.coefficient : null] as const
    })
  const intervals = points.map((point, index) => {
    return [
      index,
      ...isThere(point) && !point.weak ? [point.ci_low, point.ci_high] as const : [null, null] as const
    ] as const
  })
  const alone = Math.min(4, x.place(0) - left)
  const weak = points.flatMap(({ weak }, index) => {
    return weak ? bar('weak', [x.place(index - 0.5), x.place(index + 0.5)], [y.from, y.to]) : []
  })
  const time = (point: RollingPoint | undefined) => labelText(timeText(point?.end ?? ''), 140)
  return {
    width: phoneWidth,
    height: panelHeight,
    marks: [
      text(0, 12, labelText(name, 340)),
      drawn.yAxis(),
      drawn.rule('zero', 'y', 0),
      weak,
      text(left, bottom + 14, time(points[0]), { look: 'soft' }),
      points.length > 1 ? text(right, bottom + 14, time(points.at(-1)), { look: 'soft', anchor: 'end' }) : null,
      drawn.area('interval', intervals, alone),
      drawn.line('weak-line', coefficients(() => true), alone),
      drawn.line('line', coefficients(({ weak }) => !weak), alone)
    ]
  }
}

function describe (features: readonly RollingFeature[], nameOf: (feature: RollingFeature) => string): string {
  if (features.length === 0) return 'There is no feature.'
  const texts = features.map((one) => {
    const strong = one.points.filter(({ weak }) => !weak).map(({ coefficient }) => coefficient).filter(isDrawable)
    const range = strong.length === 0
      ? 'weak in all windows'
      : `from ${figureText(Math.min(...strong))} to ${figureText(Math.max(...strong))}`
    const apart = one.separate_intervals ? ', with intervals that do not meet' : ''
    return `${inQuotes(nameOf(one))} ${range}${one.sign_change ? ', changes its sign' : ''}${apart}`
  })
  return `Coefficients over time, per standard deviation, with their 95 % interval: ${texts.join('; ')}. ` +
    'Windows with a grey ground and a dotted line are weak.'
}
