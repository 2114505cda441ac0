import type { Chart } from '../chart/chart.ts'
import { headed } from '../chart/layout.ts'
import { matrix } from '../chart/matrix.ts'
import { html } from '../html.ts'
import { countOf, countText, percentText, tickText } from '../number-text.ts'
import { shownText } from '../shown-text.ts'
import type { ReportConfusion } from '../tabular-report.ts'

/** With more classes than this, a cell has no space for a count. */
const mostCounted = 8

/** Actual class against predicted class. The darker a cell, the larger its share of its row. */
export function confusionChart ({ labels: given, counts }: ReportConfusion): Chart {
  const labels = given.map((label) => label === '__other__' ? 'all other classes' : shownText(label, 40))
  const cells = counts.flatMap(
    (row, actual) => row.map((count, predicted) => ({ count, share: count / (sum(row) || 1), actual, predicted }))
  )
  const numbered = labels.map((label, index) => `${index + 1}: ${label}`)
  return {
    id: 'confusion',
    title: 'Which classes are taken for which?',
    description: describe(labels, cells),
    ...headed('Actual ↓ predicted →', matrix({
      names: labels,
      left: 112,
      side: 246,
      cells: cells.map(({ count, share, actual, predicted }) => ({
        row: actual,
        column: predicted,
        look: actual === predicted ? 'accent' : 'wrong',
        strength: share,
        text: labels.length > mostCounted ? undefined : tickText(count)
      }))
    })),
    table: {
      caption: 'Rows by actual class (down) and predicted class (across)',
      head: ['Actual', ...numbered],
      rows: counts.map((row, index) => [html`${index + 1}: <bdi>${labels[index]}</bdi>`, ...row.map(countText)]),
      numbers: labels.map((_, index) => index + 1)
    }
  }
}

type Cell = Readonly<Record<'count' | 'actual' | 'predicted', number>>

function describe (labels: readonly string[], cells: readonly Cell[]): string {
  const all = sum(cells.map(({ count }) => count))
  const right = sum(cells.filter(({ actual, predicted }) => actual === predicted).map(({ count }) => count))
  const wrong = cells.filter(({ actual, predicted, count }) => actual !== predicted && count > 0)
  const [worst] = wrong.sort((a, b) => b.count - a.count)
  const start = 'Each row of the square is an actual class, each column a predicted one, in the same order; ' +
    `${percentText(right / (all || 1))} of ${countOf(all, 'row')} lie on the diagonal and are right.`
  if (worst === undefined) return start
  const [actual, predicted] = [labels[worst.actual], labels[worst.predicted]]
  return `${start} The most frequent mistake: ${countOf(worst.count, 'row')} of “${actual}” taken for “${predicted}”.`
}

function sum (values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
