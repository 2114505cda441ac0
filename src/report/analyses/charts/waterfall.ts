import type { Chart } from '../../chart/chart.ts'
import { isDrawable } from '../../chart/drawable.ts'
import { labelText } from '../../chart/label-text.ts'
import { arranged, barInTrack, phoneWidth, row as rowOf, type Drawing } from '../../chart/layout.ts'
import { at, mark } from '../../chart/mark.ts'
import { linearScale, type Scale } from '../../chart/scale.ts'
import { numberText } from '../../number-text.ts'
import { named, shownText } from '../../shown-text.ts'
import type { DetailedRow, Figure } from '../analyses-document.ts'
import { signedText } from '../figure-text.ts'
import { inQuotes } from '../quotes.ts'
import { rowCells, type Subject } from '../subject.ts'

const step = 30
/** How many contributions are drawn one by one. */
const mostBars = 8

const told: Record<DetailedRow['told'], (result: string) => string> = {
  highest: (result) => `A highest ${result}`,
  lowest: (result) => `A lowest ${result}`,
  largest_error: (result) => `A largest error of the ${result}`
}

interface Bar {
  label: string
  text: string
  from: number
  to: number
  isTotal: boolean
}

/**
 * From the base to the surrogate's prediction for one row: one bar per contribution, each starting where the previous
 * one ended.
 */
export function waterfall (row: DetailedRow, subject: Subject, index: number): Chart {
  const bars = barsOf(row)
  const ends = bars.flatMap(({ from, to, isTotal }) => isTotal ? [to] : [from, to])
  // Totals are ticks and not bars from zero, beside which contributions would be too short.
  const x = linearScale({ low: Math.min(...ends), high: Math.max(...ends), from: 4, to: phoneWidth - 4, count: 8 })
  const name = rowCells(row).map((cell) => shownText(cell, 30)).join(', ')
  return {
    id: `row-${index + 1}`,
    title: `${told[row.told](subject.result)}: ${subject.isTable ? 'row ' : ''}${name}`,
    description: describe(row, subject),
    ...arranged(bars.map((one, place) => barRow(one, x, place < bars.length - 1))),
    table: {
      caption: `Contributions in row ${index + 1} of those told in detail`,
      head: ['Feature', 'Its value', 'Contribution'],
      rows: [
        ['Base', '', numberText(row.base)],
        ...row.contributions.map(
          ({ feature, value, shap }) => [named(feature, 200), valueText(value), numberText(shap)]
        ),
        ...row.others === 0 ? [] : [['All other features', '', numberText(row.others)]],
        ['Surrogate', '', numberText(row.reproduced)],
        [subject.title, '', numberText(row.prediction)]
      ],
      numbers: [1, 2]
    }
  }
}

function barsOf ({ base, contributions, others, reproduced }: DetailedRow): Bar[] {
  const sorted = contributions.toSorted((a, b) => sizeOf(b.shap) - sizeOf(a.shap))
  const rest = sorted.slice(mostBars)
  const sum = rest.reduce((total, { shap }) => total + numberOf(shap), numberOf(others))
  let end = numberOf(base)
  const bars: Bar[] = [{ label: 'Base', text: numberText(base), from: end, to: end, isTotal: true }]
  const add = (label: string, shap: Figure) => {
    const from = end
    end = numberOf(from + numberOf(shap))
    bars.push({ label, text: signedText(shap), from, to: end, isTotal: false })
  }
  for (const { feature, value, shap } of sorted.slice(0, mostBars)) {
    add(
      `${labelText(feature, 170)} = ${labelText(valueText(value), 60)}`,
      shap
    )
  }
  if (rest.length > 0 || others !== 0) add('All other features', rest.length === 0 ? others : sum)
  const last = numberOf(reproduced)
  bars.push({ label: 'Surrogate', text: numberText(reproduced), from: last, to: last, isTotal: true })
  return bars
}

function barRow ({ label, text, from, to, isTotal }: Bar, x: Scale, hasNext: boolean): Drawing {
  const [start, end] = [x.place(Math.min(from, to)), x.place(Math.max(from, to))]
  const look = isTotal ? 'soft' : to < from ? 'accent' : 'warm'
  const link = mark('path', { class: 'link', d: `M${at(x.place(to))} 27V${step + 18}` })
  const bar = isTotal ? barInTrack(look, end - 2, end + 2) : barInTrack(look, start, Math.max(start + 1, end))
  return rowOf({ label, figure: text, height: step, marks: [bar, hasNext ? link : null] })
}

function describe (row: DetailedRow, { result }: Subject): string {
  const { base, prediction, reproduced, contributions } = row
  const first = contributions.toSorted((a, b) => sizeOf(b.shap) - sizeOf(a.shap))[0]
  const largest = first === undefined
    ? ''
    : ` The largest contribution is that of ${inQuotes(first.feature)}, ${signedText(first.shap)}.`
  const place = 'row_index' in row ? `Row ${row.row_index}` : `Step ${row.step}`
  return `${place}: from the base ${numberText(base)} to ${numberText(reproduced)} by the surrogate; ` +
    `the ${result} is ${numberText(prediction)}.${largest}`
}

/** Whole numbers of four digits may be years, so they get no separator. */
function valueText (value: Figure | string): string {
  if (typeof value === 'string') return shownText(value, 40)
  if (value === null) return 'missing'
  const mayBeYear = Number.isInteger(value) && Math.abs(value) >= 1000 && Math.abs(value) < 10_000
  return mayBeYear ? String(value).replace('-', '−') : numberText(value)
}

function numberOf (value: Figure): number {
  return isDrawable(value) ? value : 0
}

function sizeOf (value: Figure): number {
  return Math.abs(numberOf(value))
}
