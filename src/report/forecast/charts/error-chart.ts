import type { Chart } from '../../chart/chart.ts'
import { shareBars } from '../../chart/layout.ts'
import { numberText, percentText } from '../../number-text.ts'
import { classLabel } from '../class-names.ts'
import { baselineText, compareClass } from '../comparison.ts'
import type { ForecastReport } from '../forecast-report.ts'

/**
 * The range of the full width, as shares of the baseline's error, so that the baseline's line has space to its right.
 */
const [least, longest] = [1.05, 3]

/**
 * Errors of the forecast as shares of the baseline's, one bar per kind of series; null if there is nothing to compare.
 */
export function errorChart (report: ForecastReport): Chart | null {
  const rows = report.classes.flatMap((one) => {
    const found = compareClass(one)
    return found === undefined ? [] : [{ label: classLabel(one.class), ratio: ratioOf(found), ...found }]
  })
  if (rows.length === 0) return null
  const width = Math.min(longest, Math.max(least, ...rows.map(({ ratio }) => ratio)))
  const bars = rows.map(({ label, ratio }) => ({ label, value: shareText(ratio), share: ratio / width }))
  return {
    id: 'errors',
    title: `Errors beside ${baselineText(report)}`,
    description: describe(rows, baselineText(report)),
    ...shareBars(bars, 1 / width),
    table: {
      caption: 'Mean scaled errors by kind of series',
      head: ['Kind of series', 'This forecast', 'Baseline', 'Share'],
      rows: rows.map(
        ({ label, ours, baseline, ratio }) => [label, numberText(ours), numberText(baseline), shareText(ratio)]
      ),
      numbers: [1, 2, 3]
    }
  }
}

/** 1 if neither has an error. */
function ratioOf ({ ours, baseline }: { ours: number, baseline: number }): number {
  return ours === baseline ? 1 : ours / baseline
}

function shareText (ratio: number): string {
  return ratio < 10
    ? percentText(ratio)
    : Number.isFinite(ratio)
    ? `${numberText(ratio)} times`
    : 'no error to compare with'
}

function describe (rows: ReadonlyArray<{ label: string, ratio: number }>, simple: string): string {
  const named = rows.map(({ label, ratio }) => `${label}: ${shareText(ratio)}`).join('; ')
  return `Error of this forecast as a share of the error of ${simple}, which is the upright line: ` +
    `shorter is better. ${named}.`
}
