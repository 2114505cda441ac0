import { compare } from './compare.ts'
import { classLabel } from './forecast/class-names.ts'
import { baselineText, compareAll, compareClass, differenceText } from './forecast/comparison.ts'
import { coverageOfAll } from './forecast/coverage.ts'
import type { ForecastFacts, ForecastReport } from './forecast/forecast-report.ts'
import { warningsAbout } from './forecast/warning-groups.ts'
import { html } from './html.ts'
import { metricLabel } from './metric-names.ts'
import { countOf, percentText } from './number-text.ts'
import type { Section } from './section.ts'
import { shownText } from './shown-text.ts'
import type { ReportMetric, TabularReport } from './tabular-report.ts'

/** What users of the result need to know, the most serious first. */
export function cautionSection (cautions: readonly string[]): Section | null {
  if (cautions.length === 0) return null
  return {
    id: 'cautions',
    title: 'What to be careful about',
    content: html`<ul>${cautions.map((text) => html`<li>${text}</li>`)}</ul>`
  }
}

/** `main` is the metric that the page talks about. */
export function tabularCautions (report: TabularReport, main: ReportMetric | undefined): string[] {
  const { evaluated_rows: rows, residuals } = report
  return [
    ...againstSimpleModels(main, rows),
    ...fromEngine(report),
    ...rows < fewRows
      ? [fewMeasured(countOf(rows, 'row'), 'other rows could give quite different ones; look at the intervals')]
      : [],
    ...aboutClasses(report),
    ...aboutProbabilities(report),
    ...residuals === null ? [] : aboutIntervals(residuals.coverage_80, 'rows'),
    ...aboutColumns(report),
    ...aboutImportance(report)
  ]
}

export function forecastCautions (report: ForecastReport, facts: ForecastFacts): string[] {
  const { windows, inner } = coverageOfAll(report) ?? { windows: 0, inner: 0 }
  return [
    ...againstBaseline(report),
    ...windows === 0 ? ['Nothing was tested, so that nothing is known about the accuracy of this forecast.'] : [],
    ...windows > 0 && windows < fewWindows
      ? [fewMeasured(countOf(windows, 'test'), 'other histories could give quite different ones')]
      : [],
    ...windows < fewestForIntervals ? [] : aboutIntervals(inner, 'values'),
    ...aboutTiny(report),
    ...warningsAbout(facts, 'models')
  ]
}

/** Below the first two, the figures themselves are uncertain; below the last, intervals cannot be judged. */
const [fewRows, fewWindows, fewestForIntervals] = [100, 30, 10]

function fewMeasured (count: string, others: string): string {
  return `All figures rest on ${count}, so that ${others}.`
}

/** How many values an 80 % interval may contain before it is called too narrow or too wide. */
const coverageBand = { low: 0.75, high: 0.85 }

function aboutIntervals (coverage: number, of: 'rows' | 'values'): string[] {
  if (coverage >= coverageBand.low && coverage <= coverageBand.high) return []
  const which = coverage < coverageBand.low ? 'narrow' : 'wide'
  return [`The 80 % intervals are too ${which}: they held ${percentText(coverage)} of the ${of}.`]
}

function againstSimpleModels (main: ReportMetric | undefined, rows: number): string[] {
  if (main === undefined) return []
  const name = metricLabel(main.name)
  const baseline = compare(main, 'baseline', rows)
  const guess = 'a guess that ignores all columns'
  return [
    ...baseline === 'worse' ? [`The model is worse than ${guess} (${name}). Do not use its predictions.`] : [],
    ...baseline === 'alike'
      ? [`The model is not clearly better than ${guess} (${name}): the columns may say little about the label.`]
      : [],
    ...compare(main, 'linear', rows) === 'worse'
      ? [`A linear model did better (${name}); with so few or so simple rows it may be the safer choice.`]
      : []
  ]
}

/** The noun that a warning counts, if its message does not say it. */
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

/**
 * A class is rare below both: a share of the labelled rows, and a share of what a class would have if all were equal.
 */
const rare = { ofRows: 0.05, ofEven: 1 / 3 }

function aboutClasses ({ classes, split }: TabularReport): string[] {
  const labelled = (classes ?? []).reduce((total, one) => total + one.rows, 0)
  const fewest = Math.min(rare.ofRows, rare.ofEven / (classes?.length ?? 1)) * labelled
  const seldom = (classes ?? []).filter((one) => one.rows < fewest)
  const named = firstThree(seldom.map(({ label, rows }) => `“${shownText(label, 40)}” (${countOf(rows, 'row')})`))
  const which = seldom.length === 1 ? 'A class is' : `${seldom.length} classes are`
  return [
    ...seldom.length > 0
      ? [`${which} rare and seen seldom in training: ${named}. ` +
        'Accuracy says little about them; balanced accuracy does.']
      : [],
    ...split.kind === 'time_ordered'
      ? ['The model was tested on later rows than it learned from, as it will be in use.']
      : []
  ]
}

function firstThree (names: readonly string[]): string {
  return `${names.slice(0, 3).join(', ')}${names.length > 3 ? ' and others' : ''}`
}

const looseCalibration = 0.05

function aboutProbabilities ({ metrics }: TabularReport): string[] {
  const error = metrics.find(({ name }) => name === 'calibration_error')?.value ?? 0
  if (error <= looseCalibration) return []
  return [`Probabilities are off by ${percentText(error)} on average: use them to rank rows, not as they stand.`]
}

const mostMissing = 0.3

function aboutColumns ({ columns, counts, label }: TabularReport): string[] {
  const incomplete = columns.filter(
    ({ name, missing }) => name !== label && missing > mostMissing * counts.training && missing < counts.training
  )
  if (incomplete.length === 0) return []
  const named = firstThree(incomplete.map(({ name }) => `“${shownText(name, 40)}”`))
  const which = incomplete.length === 1 ? 'A column lacks' : `${incomplete.length} columns lack`
  return [`${which} more than ${100 * mostMissing} % of the values: ${named}.`]
}

const [looseFidelity, badFidelity] = [0.9, 0.5]

function aboutImportance ({ importance, explanation: { surrogate_fidelity: fidelity } }: TabularReport): string[] {
  if (importance.length === 0) return []
  const isBad = fidelity !== null && fidelity < badFidelity
  return [
    ...fidelity !== null && fidelity < looseFidelity
      ? [`The importance of columns is ${isBad ? 'uncertain' : 'a rough picture'}: ` +
        `the model of trees that explains this one follows ${isBad ? 'only ' : ''}` +
        `${percentText(Math.max(fidelity, 0))} of its variation.`]
      : [],
    'Importance says what the predictions depend on. It does not say what causes the label.'
  ]
}

function againstBaseline (report: ForecastReport): string[] {
  const all = compareAll(report)
  if (all === undefined) return []
  const simple = baselineText(report)
  const isWorse = `worse than ${simple}: its errors were`
  if (all.standing === 'worse') {
    return [`The forecast is ${isWorse} ${differenceText(all)}. Do not use it without a look at the series.`]
  }
  if (all.standing === 'alike') {
    return [`The forecast is not better than ${simple}, which costs nothing: ` +
      'the series may hold little that can be forecast.']
  }
  return report.classes.flatMap((one) => {
    const found = compareClass(one)
    if (found?.standing !== 'worse') return []
    return [`For series of the kind “${classLabel(one.class)}” the forecast is ${isWorse} ${differenceText(found)}.`]
  })
}

function aboutTiny ({ classes }: ForecastReport): string[] {
  const tiny = classes.find((one) => one.class === 'tiny')
  if (tiny === undefined) return []
  const were = tiny.series === 1 ? 'was' : 'were'
  return [`${countOf(tiny.series, 'series', 'series')} with two or three values ${were} continued by a rule; ` +
    'no model could learn from so few.']
}
