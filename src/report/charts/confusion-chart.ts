import { html, type Html } from '../html.ts'
import { countOf, countText, percentText, tickText } from '../number-text.ts'
import { shownText } from '../shown-text.ts'
import type { ReportConfusion } from '../tabular-report.ts'
import { at, renderChart } from './chart.ts'

const left = 112
const top = 34
const side = 240
/** More classes than this leave no room for a count in a cell. */
const mostCounted = 8
/** A column that is narrower has the number of its class; others its name, whose letters are as wide as this. */
const [leastNamed, letter] = [48, 7]

/** What was true against what was predicted; a cell is as strong as its share of its row. */
export function confusionChart ({ labels: given, counts }: ReportConfusion): Html {
  const labels = given.map(classLabel)
  const cell = side / Math.max(labels.length, 1)
  const height = top + side + 8
  const cells = counts.flatMap((row, actual) => row.map((count, predicted) => ({ count, share: count / (sum(row) || 1), actual, predicted })))
  const marks = html`<g class="ticks" aria-hidden="true">
<text x="${left + side / 2}" y="12" text-anchor="middle">Predicted</text>
<text x="4" y="12">Actual</text>
${labels.map((label, index) => html`<text x="${at(left + (index + 0.5) * cell)}" y="28" text-anchor="middle">${cell < leastNamed ? index + 1 : shownText(label, Math.floor(cell / letter))}</text>`)}
${labels.map((label, index) => html`<text x="${left - 6}" y="${at(top + (index + 0.5) * cell + 4)}" text-anchor="end">${index + 1}: ${shownText(label, 12)}</text>`)}
</g>
${cells.map(({ share, actual, predicted }) => html`<rect class="${actual === predicted ? 'right' : 'wrong'}" x="${at(left + predicted * cell)}" y="${at(top + actual * cell)}" width="${at(cell)}" height="${at(cell)}" fill-opacity="${(0.05 + 0.95 * share).toFixed(2)}"/>`)}
${labels.length > mostCounted ? null : cells.map(renderCount)}`

  function renderCount ({ count, actual, predicted }: typeof cells[number]): Html {
    const [x, y] = [at(left + (predicted + 0.5) * cell), at(top + (actual + 0.5) * cell + 4)]
    return html`<text class="count" x="${x}" y="${y}" text-anchor="middle" aria-hidden="true">${tickText(count)}</text>`
  }

  return renderChart({
    id: 'confusion',
    title: 'Which classes are taken for which?',
    description: describe(labels, cells),
    width: 360,
    height,
    marks,
    table: {
      caption: 'Rows by actual class (down) and predicted class (across)',
      head: ['Actual', ...labels.map((label, index) => `${index + 1}: ${label}`)],
      rows: counts.map((row, index) => [html`${index + 1}: <bdi>${labels[index]}</bdi>`, ...row.map(countText)]),
      numbers: labels.map((_, index) => index + 1)
    }
  })
}

function describe (labels: readonly string[], cells: ReadonlyArray<{ count: number, actual: number, predicted: number }>): string {
  const all = sum(cells.map(({ count }) => count))
  const right = sum(cells.filter(({ actual, predicted }) => actual === predicted).map(({ count }) => count))
  const worst = cells.filter(({ actual, predicted, count }) => actual !== predicted && count > 0).sort((a, b) => b.count - a.count)[0]
  const start = `Each row of the square is an actual class, each column a predicted one, in the same order; ${percentText(right / (all || 1))} of ${countOf(all, 'row')} lie on the diagonal and are right.`
  if (worst === undefined) return start
  return `${start} The most frequent mistake: ${countOf(worst.count, 'row')} of ${quoted(labels[worst.actual])} taken for ${quoted(labels[worst.predicted])}.`
}

function classLabel (label: string): string {
  return label === '__other__' ? 'all other classes' : shownText(label, 40)
}

function quoted (label = ''): string {
  return `“${label}”`
}

function sum (values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
