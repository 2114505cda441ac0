import { at, type Chart } from '../../charts/chart.ts'
import { scaleOf } from '../../charts/scale.ts'
import { html, type Html } from '../../html.ts'
import { numberText } from '../../number-text.ts'
import { named, shownText } from '../../shown-text.ts'
import type { DetailedRow, Figure } from '../analyses-document.ts'
import { isDrawable, signedText } from '../figure-text.ts'
import { labelText } from '../label-text.ts'
import { inQuotes } from '../quotes.ts'
import { rowCells, type Subject } from '../subject.ts'

const width = 360
const step = 30
/** Contributions that are drawn one by one. */
const mostBars = 8

const told: Record<DetailedRow['told'], (result: string) => string> = {
  highest: (result) => `A highest ${result}`, lowest: (result) => `A lowest ${result}`, largest_error: (result) => `A largest error of the ${result}`
}

interface Bar { label: string, text: string, from: number, to: number, isTotal: boolean }

/** From the base to what the surrogate says of one row: a bar a contribution, each where the one before it ended. */
export function waterfall (row: DetailedRow, subject: Subject, index: number): Chart {
  const bars = barsOf(row)
  const ends = bars.flatMap(({ from, to, isTotal }) => isTotal ? [to] : [from, to])
  // Totals are ticks, not bars from zero: contributions would be too short beside them.
  const x = scaleOf({ low: Math.min(...ends), high: Math.max(...ends), from: 4, to: width - 4, count: 8 })
  return {
    id: `row-${index + 1}`,
    title: `${told[row.told](subject.result)}: ${subject.isTable ? 'row ' : ''}${rowCells(row).map((cell) => shownText(cell, 30)).join(', ')}`,
    description: describe(row, subject),
    width,
    height: bars.length * step + 4,
    marks: html`${bars.map((bar, place) => renderBar(bar, place * step, x.place, place < bars.length - 1))}`,
    table: {
      caption: `Contributions in row ${index + 1} of those told in detail`,
      head: ['Feature', 'Its value', 'Contribution'],
      rows: [
        ['Base', '', numberText(row.base)],
        ...row.contributions.map(({ feature, value, shap }) => [named(feature, 200), valueText(value), numberText(shap)]),
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
  for (const { feature, value, shap } of sorted.slice(0, mostBars)) add(`${labelText(feature, 170)} = ${labelText(valueText(value), 60)}`, shap)
  if (rest.length > 0 || others !== 0) add('All other features', rest.length === 0 ? others : sum)
  bars.push({ label: 'Surrogate', text: numberText(reproduced), from: numberOf(reproduced), to: numberOf(reproduced), isTotal: true })
  return bars
}

function renderBar ({ label, text, from, to, isTotal }: Bar, y: number, place: (value: number) => number, hasNext: boolean): Html {
  const [start, end] = [Math.min(place(from), place(to)), Math.max(place(from), place(to))]
  const mark = isTotal
    ? html`<rect class="plain" x="${at(Math.max(0, end - 2))}" y="${y + 17}" width="4" height="10"/>`
    : html`<rect class="${to < from ? 'down' : 'up'}" x="${at(start)}" y="${y + 17}" width="${at(Math.max(1, end - start))}" height="10"/>`
  return html`<g aria-hidden="true"><rect class="track" x="0" y="${y + 17}" width="${width}" height="10"/>${mark}
${hasNext ? html`<path class="link" d="M${at(place(to))} ${y + 27}V${y + step + 17}"/>` : null}<text class="ink" x="0" y="${y + 13}">${label}</text><text class="ink" x="${width}" y="${y + 13}" text-anchor="end">${text}</text></g>
`
}

function describe (row: DetailedRow, { result }: Subject): string {
  const { base, prediction, reproduced, contributions } = row
  const first = contributions.toSorted((a, b) => sizeOf(b.shap) - sizeOf(a.shap))[0]
  const largest = first === undefined ? '' : ` The largest contribution is that of ${inQuotes(first.feature)}, ${signedText(first.shap)}.`
  const place = 'row_index' in row ? `Row ${row.row_index}` : `Step ${row.step}`
  return `${place}: from the base ${numberText(base)} to ${numberText(reproduced)} by the surrogate; the ${result} is ${numberText(prediction)}.${largest}`
}

/** Whole numbers of four digits may be years, and have no separator. */
function valueText (value: Figure | string): string {
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) >= 1000 && Math.abs(value) < 10_000) return String(value).replace('-', '−')
  return typeof value === 'string' ? shownText(value, 40) : value === null ? 'missing' : numberText(value)
}

function numberOf (value: Figure): number {
  return isDrawable(value) ? value : 0
}

function sizeOf (value: Figure): number {
  return Math.abs(numberOf(value))
}
