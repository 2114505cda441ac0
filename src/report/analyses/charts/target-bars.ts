import { at, type Chart } from '../../charts/chart.ts'
import { html, type Html } from '../../html.ts'
import { countOf, numberText } from '../../number-text.ts'
import { named } from '../../shown-text.ts'
import type { FeatureTargetRow, Figure } from '../analyses-document.ts'
import { figureText, isDrawable, signedText } from '../figure-text.ts'
import { labelText } from '../label-text.ts'
import { methodNames, transformNames } from '../method-names.ts'
import { inQuotes } from '../quotes.ts'
import type { Subject } from '../subject.ts'
import type { TargetAssociation } from '../target-associations.ts'

const width = 360
const plane = { left: 92, right: 310 }
const middle = (plane.left + plane.right) / 2
const label = 18
const bar = 14
const gap = 10

/** Differences beside levels, each from -1 to 1, a group of bars a feature. */
export function targetBars (all: readonly TargetAssociation[], rows: readonly FeatureTargetRow[], subject: Subject, mostFeatures: number): Chart {
  const drawn = all.slice(0, mostFeatures)
  let y = 0
  const groups = drawn.map((association) => {
    const group = renderGroup(association, y, subject.isTable)
    y += label + association.rows.length * bar + gap
    return group
  })
  return {
    id: 'associations',
    title: 'How features go with the target',
    description: describe(drawn, all.length, subject),
    width,
    height: y + 20,
    marks: html`${groups}
<g class="ticks" aria-hidden="true">${[-1, 0, 1].map((value) => html`<text x="${at(xOf(value))}" y="${y + 12}" text-anchor="middle">${signedText(value).replace('.00', '')}</text>`)}</g>`,
    table: { caption: 'Measures of association with the target', ...subject.isTable ? measuresOfRows(rows) : measuresOfSeries(rows) }
  }
}

function measuresOfSeries (rows: readonly FeatureTargetRow[]) {
  return {
    head: ['Feature', 'Of', 'Measure', 'Value', 'Rows', 'p', 'p, adjusted', 'Best lag', 'Value there'],
    rows: rows.map((row) => [
      named(row.feature, 200), transformNames[row.transform], methodNames[row.method], numberText(row.value), row.n, numberText(row.p_value), numberText(row.p_adjusted),
      row.best_lag === null ? '' : numberText(row.best_lag), row.best_lag === null ? '' : numberText(row.value_at_best_lag)
    ]),
    numbers: [3, 4, 5, 6, 7, 8]
  }
}

/** Rows that do not follow each other have neither differences nor lags. */
function measuresOfRows (rows: readonly FeatureTargetRow[]) {
  return {
    head: ['Feature', 'Measure', 'Value', 'Rows', 'p', 'p, adjusted'],
    rows: rows.map((row) => [named(row.feature, 200), methodNames[row.method], numberText(row.value), row.n, numberText(row.p_value), numberText(row.p_adjusted)]),
    numbers: [2, 3, 4, 5]
  }
}

function xOf (value: number): number {
  return middle + Math.min(1, Math.max(-1, value)) * (plane.right - middle)
}

function renderGroup ({ feature, rows, leading }: TargetAssociation, y: number, isTable: boolean): Html {
  const { best_lag: lag, value_at_best_lag: there } = leading
  return html`<g aria-hidden="true"><text class="label" x="0" y="${y + 12}">${labelText(feature, lag === null ? 340 : 230)}</text>${lag === null ? null : html`<text class="soft" x="${width}" y="${y + 12}" text-anchor="end">lag ${signedText(lag).replace(/\.0+$/, '')}: ${signedText(there)}</text>`}
${rows.map((row, index) => renderBar(row, isTable ? shortNames[row.method] : transformText(row.transform), y + label + index * bar))}
<path class="zero" d="M${at(middle)} ${y + label}V${y + label + rows.length * bar}"/></g>
`
}

const shortNames: Record<FeatureTargetRow['method'], string> = { ...methodNames, correlation_ratio: 'corr. ratio' }

function transformText (transform: FeatureTargetRow['transform']): string {
  return transform === 'seasonal_differences' ? 'seasonal diff.' : transformNames[transform]
}

function renderBar ({ value }: FeatureTargetRow, text: string, y: number): Html {
  const end = xOf(isDrawable(value) ? value : 0)
  const [from, to] = [Math.min(middle, end), Math.max(middle, end)]
  return html`<text class="soft" x="0" y="${y + 10}">${text}</text><rect class="track" x="${plane.left}" y="${y + 2}" width="${plane.right - plane.left}" height="9"/><rect class="${end < middle ? 'down' : 'up'}" x="${at(from)}" y="${y + 2}" width="${at(to - from)}" height="9"/><text class="label" x="${width}" y="${y + 10}" text-anchor="end">${fixedText(value)}</text>
`
}

/** Three places, so that figures stand under each other. */
function fixedText (value: Figure): string {
  return isDrawable(value) && Math.abs(value) <= 1 ? `${value > 0 ? '+' : ''}${value.toFixed(3).replace('-', '−')}` : signedText(value)
}

function describe (drawn: readonly TargetAssociation[], count: number, { target, isTable }: Subject): string {
  const first = drawn[0]
  if (first === undefined) return 'There is no feature.'
  const rest = count > drawn.length ? ` The first ${drawn.length} of ${countOf(count, 'feature')} are drawn.` : ''
  return `From −1 at the left to +1 at the right; Cramér’s V and the correlation ratio, of categories, have no sign. ${isTable ? '' : 'Features are ranked by their differences where there are any: '}${inQuotes(first.feature)} ` +
    `goes most with ${inQuotes(target)} (${figureText(first.leading.value)}).${isTable ? '' : ' A positive lag: the feature runs ahead by so many rows.'}${rest}`
}
