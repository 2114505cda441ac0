import { compare } from './compare.ts'
import { measureLabel } from './metric-names.ts'
import { countOf, percentText } from './number-text.ts'
import { shownText } from './shown-text.ts'
import type { ReportMetric, TabularReport } from './tabular-report.ts'

/** Below these the figures themselves are uncertain. */
const fewRows = 100
/** Of the labelled rows, and of the share that a class would have if all were alike. */
const rare = { ofRows: 0.05, ofEven: 1 / 3 }
/** Said in words below. */
const mostMissing = 0.3
const looseFidelity = 0.9
const badFidelity = 0.5
const looseCalibration = 0.05
/** What an interval for 80 % of the rows may hold before it is called too narrow or too wide. */
const coverageBand = { low: 0.75, high: 0.85 }

/**
 * What somebody who uses the predictions has to know, the gravest first; `main` is the measure that the page speaks of.
 */
export function cautionsOf (report: TabularReport, main: ReportMetric | undefined): string[] {
  return [
    ...againstSimpleModels(main, report.evaluated_rows),
    ...fromEngine(report),
    ...aboutRows(report),
    ...aboutProbabilities(report),
    ...aboutIntervals(report),
    ...aboutColumns(report),
    ...aboutImportance(report)
  ]
}

function againstSimpleModels (main: ReportMetric | undefined, rows: number): string[] {
  if (main === undefined) return []
  const name = measureLabel(main.name)
  const baseline = compare(main, 'baseline', rows)
  const linear = compare(main, 'linear', rows)
  return [
    ...baseline === 'worse'
      ? [`The model is worse than a guess that ignores all columns (${name}). Do not use its predictions.`]
      : [],
    ...baseline === 'alike'
      ? [
        `The model is not clearly better than a guess that ignores all columns (${name}): the columns may say little ` +
        'about the label.'
      ]
      : [],
    ...linear === 'worse'
      ? [`A linear model did better (${name}); with so few or so simple rows it may be the safer choice.`]
      : []
  ]
}

/** What a warning counts, where its message does not say it all. */
const counted: Record<string, [one: string, many: string]> = {
  dropped_columns: ['column', 'columns'],
  suspected_leak: ['column', 'columns'],
  unreadable_columns: ['column', 'columns'],
  rare_classes: ['class', 'classes'],
  unlabeled_rows: ['row', 'rows'],
  non_numeric_label: ['row', 'rows']
}

function fromEngine ({ warnings }: TabularReport): string[] {
  return warnings.map(({ code, message, count }) => {
    const unit = Object.hasOwn(counted, code) ? counted[code] : undefined
    return `${shownText(message, 400)}${unit === undefined || count < 2 ? '' : ` (${countOf(count, ...unit)})`}`
  })
}

function aboutRows ({ evaluated_rows: rows, classes, split }: TabularReport): string[] {
  const labelled = (classes ?? []).reduce((total, one) => total + one.rows, 0)
  const fewest = Math.min(rare.ofRows, rare.ofEven / (classes?.length ?? 1)) * labelled
  const seldom = (classes ?? []).filter((one) => one.rows < fewest)
  const named = seldom.slice(0, 3).map(({ label, rows }) => `“${shownText(label, 40)}” (${countOf(rows, 'row')})`).join(
    ', '
  )
  return [
    ...rows < fewRows
      ? [
        `All figures rest on ${
          countOf(rows, 'row')
        }, so that other rows could give quite different ones; look at the intervals.`
      ]
      : [],
    ...seldom.length > 0
      ? [
        `${
          seldom.length === 1 ? 'A class is' : `${seldom.length} classes are`
        } rare and seen seldom in training: ${named}${
          seldom.length > 3 ? ' and others' : ''
        }. Accuracy says little about them; balanced accuracy does.`
      ]
      : [],
    ...split.kind === 'time_ordered'
      ? ['The model was tested on later rows than it learned from, as it will be in use.']
      : []
  ]
}

function aboutProbabilities ({ metrics }: TabularReport): string[] {
  const error = metrics.find(({ name }) => name === 'calibration_error')?.value ?? 0
  return error > looseCalibration
    ? [`Probabilities are off by ${percentText(error)} on average: use them to rank rows, not as they stand.`]
    : []
}

function aboutIntervals ({ residuals }: TabularReport): string[] {
  if (residuals === null) return []
  const { coverage_80: coverage } = residuals
  if (coverage < coverageBand.low) {
    return [`The 80 % intervals are too narrow: they held ${percentText(coverage)} of the rows.`]
  }
  return coverage > coverageBand.high
    ? [`The 80 % intervals are too wide: they held ${percentText(coverage)} of the rows.`]
    : []
}

function aboutColumns ({ columns, counts, label }: TabularReport): string[] {
  const holey = columns.filter(({ name, missing }) =>
    name !== label && missing > mostMissing * counts.training && missing < counts.training
  )
  if (holey.length === 0) return []
  const named = holey.slice(0, 3).map(({ name }) => `“${shownText(name, 40)}”`).join(', ')
  return [
    `${holey.length === 1 ? 'A column lacks' : `${holey.length} columns lack`} more than 30 % of the values: ${named}${
      holey.length > 3 ? ' and others' : ''
    }.`
  ]
}

function aboutImportance ({ importance, explanation: { surrogate_fidelity: fidelity } }: TabularReport): string[] {
  if (importance.length === 0) return []
  return [
    ...fidelity !== null && fidelity < looseFidelity
      ? [
        `The importance of columns is ${
          fidelity < badFidelity ? 'uncertain' : 'a rough picture'
        }: the model of trees that explains this one follows ${fidelity < badFidelity ? 'only ' : ''}${
          percentText(Math.max(fidelity, 0))
        } of its variation.`
      ]
      : [],
    'Importance says what the predictions depend on. It does not say what causes the label.'
  ]
}
