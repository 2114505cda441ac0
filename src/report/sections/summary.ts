import { compare, type Standing } from '../compare.ts'
import { html, type Html } from '../html.ts'
import { figureText, metricLabel, metricOf } from '../metric-names.ts'
import { countOf, countText } from '../number-text.ts'
import type { Section } from '../section.ts'
import { named } from '../shown-text.ts'
import type { ReportMetric, TabularReport } from '../tabular-report.ts'

/** What was predicted and how good it is, in words. */
export function summarySection (report: TabularReport, main: ReportMetric | undefined): Section {
  return {
    id: 'summary',
    title: 'In short',
    content: html`<p>${whatWasPredicted(report)}</p>
<p>${howItWasTested(report)}</p>
${
      main === undefined
        ? html`<p>No measure could be computed.</p>`
        : html`<p class="verdict">${howGood(report, main)}</p>`
    }`
  }
}

function whatWasPredicted ({ label, classes, columns, counts, inference_mode: mode }: TabularReport): Html {
  const features = columns.filter(({ role, name }) => name !== label && !unusedRoles.has(role)).length
  const kind = classes === null
    ? html`the value of <strong>${named(label)}</strong>`
    : html`which of the ${countOf(classes.length, 'class', 'classes')} of <strong>${
      named(label)
    }</strong> a row belongs to`
  const rows = mode === 'train_predict'
    ? html`${countOf(counts.predicted, 'row')} without a label ${counts.predicted === 1 ? 'was' : 'were'} predicted.`
    : html`${countOf(counts.predicted, 'row')} that had been put aside ${
      counts.predicted === 1 ? 'was' : 'were'
    } predicted.`
  return html`The model says ${kind}, from ${countOf(features, 'column')}. It learned from ${
    countOf(counts.training, 'row')
  }. ${rows}`
}

/** Columns that no prediction is made from. */
const unusedRoles: ReadonlySet<string> = new Set(['label', 'identifier', 'constant', 'empty', 'duplicate'])

function howItWasTested ({ evaluated_on: on, evaluated_rows: rows, split }: TabularReport): string {
  if (on === 'cross_validation') {
    if (split.folds === 1) {
      return `No labelled row was put aside for a test. All figures are measured on ${
        countOf(rows, 'row')
      } that the members had not learned from.`
    }
    return `No labelled row was put aside. All figures are cross-validated: each of ${
      countOf(rows, 'row')
    } was predicted by models that had not seen it (${countText(split.folds)} parts).`
  }
  const how = split.kind === 'time_ordered' ? 'the latest ones' : 'taken by chance'
  return `All figures are measured on ${countOf(rows, 'row')} that the model had not seen, ${how}.`
}

function howGood ({ problem_type: type, evaluated_rows: rows }: TabularReport, main: ReportMetric): Html {
  const text = (value: number | null) => figureText(main.name, value)
  const interval = main.low === null || main.high === null
    ? null
    : html` (95 % interval ${text(main.low)} to ${text(main.high)})`
  const guess = type === 'regression' || type === 'quantile'
    ? 'always saying the same value'
    : 'always saying the most frequent class'
  // In the unit of the label, the baseline's figure would read as the value that it always predicts.
  const figure = (value: number | null) => `${metricOf(main.name)?.better === 'lower' ? 'error of ' : ''}${text(value)}`
  return html`<strong>${metricLabel(main.name)}: ${text(main.value)}</strong>${interval}. ${
    against(compare(main, 'baseline', rows), guess, figure(main.baseline))
  } ${against(compare(main, 'linear', rows), 'a linear model', figure(main.linear))}`
}

const words: Record<Standing, string> = {
  better: 'clearly better than',
  alike: 'not clearly better than',
  worse: 'worse than'
}

function against (standing: Standing | undefined, name: string, figure: string): string {
  return standing === undefined ? '' : `That is ${words[standing]} ${name} (${figure}).`
}
