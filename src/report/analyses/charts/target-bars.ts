import type { Chart } from '../../chart/chart.ts'
import { isDrawable } from '../../chart/drawable.ts'
import { labelText } from '../../chart/label-text.ts'
import { phoneWidth, row, rowsOnAxis, type Drawing } from '../../chart/layout.ts'
import { bar, text } from '../../chart/mark.ts'
import { linearScale } from '../../chart/scale.ts'
import type { Content } from '../../html.ts'
import { countOf, numberText } from '../../number-text.ts'
import { named } from '../../shown-text.ts'
import type { FeatureTargetRow, Figure } from '../analyses-document.ts'
import { figureText, signedText } from '../figure-text.ts'
import { methodNames, transformNames } from '../method-names.ts'
import { inQuotes } from '../quotes.ts'
import type { Subject } from '../subject.ts'
import type { TargetAssociation } from '../target-associations.ts'

const x = linearScale({ low: -1, high: 1, from: 92, to: 310, count: 2 })

/** A group of bars per feature, from -1 to 1: differences beside levels. */
export function targetBars (
  all: readonly TargetAssociation[],
  rows: readonly FeatureTargetRow[],
  subject: Subject,
  mostFeatures: number
): Chart {
  const drawn = all.slice(0, mostFeatures)
  const format = (value: number) => signedText(value).replace('.00', '')
  return {
    id: 'measures',
    title: 'How features go with the target',
    description: describe(drawn, all.length, subject),
    ...rowsOnAxis(
      drawn.flatMap((one) => groupOf(one, subject.isTable)),
      x,
      { format, rules: new Map([[0, 'zero'] as const]) }
    ),
    table: {
      caption: 'Measures of association with the target',
      ...subject.isTable ? measuresOfRows(rows) : measuresOfSeries(rows)
    }
  }
}

function measuresOfSeries (rows: readonly FeatureTargetRow[]) {
  return {
    head: ['Feature', 'Of', 'Measure', 'Value', 'Rows', 'p', 'p, adjusted', 'Best lag', 'Value there'],
    rows: rows.map((row) => [
      named(row.feature, 200),
      transformNames[row.transform],
      ...measureCells(row),
      row.best_lag === null ? '' : numberText(row.best_lag),
      row.best_lag === null ? '' : numberText(row.value_at_best_lag)
    ]),
    numbers: [3, 4, 5, 6, 7, 8]
  }
}

/** Rows of a table have no order, so there are no differences or lags. */
function measuresOfRows (rows: readonly FeatureTargetRow[]) {
  return {
    head: ['Feature', 'Measure', 'Value', 'Rows', 'p', 'p, adjusted'],
    rows: rows.map((row) => [named(row.feature, 200), ...measureCells(row)]),
    numbers: [2, 3, 4, 5]
  }
}

function measureCells ({ method, value, n, p_value: p, p_adjusted: adjusted }: FeatureTargetRow): Content[] {
  return [methodNames[method], numberText(value), n, numberText(p), numberText(adjusted)]
}

/** A feature's name above its bars. */
function groupOf ({ feature, rows, leading }: TargetAssociation, isTable: boolean): Drawing[] {
  const { best_lag: lag, value_at_best_lag: there } = leading
  const figure = lag === null ? '' : `lag ${signedText(lag).replace(/\.0+$/, '')}: ${signedText(there)}`
  return [
    row({ label: labelText(feature, lag === null ? 340 : 230), figure, height: 18 }),
    ...rows.map((one) => barOf(one, isTable ? shortNames[one.method] : transformText(one.transform))),
    { width: phoneWidth, height: 10, marks: null }
  ]
}

const shortNames: Record<FeatureTargetRow['method'], string> = { ...methodNames, correlation_ratio: 'corr. ratio' }

function transformText (transform: FeatureTargetRow['transform']): string {
  return transform === 'seasonal_differences' ? 'seasonal diff.' : transformNames[transform]
}

function barOf ({ value }: FeatureTargetRow, name: string): Drawing {
  const end = isDrawable(value) ? Math.min(1, Math.max(-1, value)) : 0
  return {
    width: phoneWidth,
    height: 14,
    marks: [
      text(0, 10, name, { look: 'soft' }),
      bar('track', [x.from, x.to], [2, 11]),
      bar(end < 0 ? 'accent' : 'warm', [x.place(0), x.place(end)], [2, 11]),
      text(phoneWidth, 10, fixedText(value), { anchor: 'end' })
    ]
  }
}

/** Three digits after the point, so that figures align. */
function fixedText (value: Figure): string {
  if (!isDrawable(value) || Math.abs(value) > 1) return signedText(value)
  return `${value > 0 ? '+' : ''}${value.toFixed(3).replace('-', '−')}`
}

function describe (drawn: readonly TargetAssociation[], count: number, { target, isTable }: Subject): string {
  const first = drawn[0]
  if (first === undefined) return 'There is no feature.'
  const rest = count > drawn.length ? ` The first ${drawn.length} of ${countOf(count, 'feature')} are drawn.` : ''
  return 'From −1 at the left to +1 at the right; Cramér’s V and the correlation ratio, of categories, have no sign. ' +
    `${isTable ? '' : 'Features are ranked by their differences where there are any: '}${inQuotes(first.feature)} ` +
    `goes most with ${inQuotes(target)} (${figureText(first.leading.value)}).` +
    `${isTable ? '' : ' A positive lag: the feature runs ahead by so many rows.'}${rest}`
}
