import { html, type Html } from '../../html.ts'
import { plainName } from '../../metric-names.ts'
import { countOf, countText, numberText } from '../../number-text.ts'
import type { Section } from '../../section.ts'
import { baselineText, compareAll, differenceText, type Comparison } from '../comparison.ts'
import type { ForecastFacts, ForecastReport } from '../forecast-report.ts'
import { stepsText } from '../frequency-text.ts'

/** What was forecast and how good it is, in words. */
export function summarySection (report: ForecastReport, facts: ForecastFacts): Section {
  return {
    id: 'summary',
    title: 'In short',
    content: html`<p>${whatWasForecast(report, facts)}</p>
<p>${howItWasTested(report)}</p>
${verdict(report, facts)}`
  }
}

function whatWasForecast (report: ForecastReport,
  { series, quantileLevels: levels, reconciliation }: ForecastFacts): string {
  const { freq, prediction_length: steps, preset } = report
  const how = preset === 'fine_tuned' ? 'by a fine-tuned model' : `with the preset ${plainName(preset).toLowerCase()}`
  const quantiles = levels.length === 0 ? '' : ` and ${countOf(levels.length, 'quantile')} (${levelRange(levels)})`
  const sums = reconciliation === undefined
    ? ''
    : ` Their sums, ${countText(reconciliation.numSeries)} series in all, were forecast as well and made to add up.`
  return `${countOf(series, 'series', 'series')} ${series === 1 ? 'was' : 'were'} forecast ${
    stepsText(steps, freq)
  } ahead ${how}: a mean${quantiles} for each step.${sums}`
}

function levelRange (levels: readonly number[]): string {
  const [first = 0, last = first] = [levels[0], levels.at(-1)]
  return first === last ? numberText(first) : `${numberText(first)} to ${numberText(last)}`
}

function howItWasTested (report: ForecastReport): string {
  const tested = report.classes.filter(({ leaderboard }) => (leaderboard?.windows ?? 0) > 0)
  const windows = tested.reduce((total, { leaderboard }) => total + (leaderboard?.windows ?? 0), 0)
  if (windows > 0) return testsText(report, windows, tested.reduce((total, { series }) => total + series, 0))
  if (report.preset === 'fine_tuned') {
    return 'A fine-tuned model is tested once, when it is trained; the figures are with the model.'
  }
  if (report.preset === 'fast') return 'The preset fast tests nothing; balanced and best do.'
  return 'No history could be tested: all are too short to hold a part back, or so simple that a rule continues them.'
}

/** Of more series only a sample is tested. */
const mostTested = 2_000

function testsText ({ prediction_length: steps, freq }: ForecastReport, windows: number, series: number): string {
  const each = Math.ceil(windows / series)
  const of = series > mostTested ? '' : ` of ${countOf(series, 'series', 'series')}`
  const period = windows === 1 || series > mostTested
    ? ''
    : each === 1
    ? ', the last of its history'
    : ` and follows the one before it, so that they lie mostly in the last ${stepsText(each * steps, freq)}`
  return `For ${
    countOf(windows, 'test')
  }${of}, the end of a history was held back, forecast from what came before it, ` +
    `and compared with what happened. A test has at most ${stepsText(steps, freq)}${period}. ` +
    'Figures of another report can be compared with these only if it has the same tests; other presets have others.'
}

function verdict (report: ForecastReport, { meanError }: ForecastFacts): Html {
  const all = compareAll(report)
  if (all === undefined) {
    return html`<p class="verdict"><strong>Accuracy: not known.</strong> Nothing could be compared with ${
      baselineText(report)
    }.</p>`
  }
  return html`<p class="verdict"><strong>${verdicts[all.standing]} ${baselineText(report)}.</strong> ${inFigures(all)}${
    meanError === undefined ? '' : ` ${inUnits(meanError)}`
  }</p>`
}

const verdicts: Record<Comparison['standing'], string> = {
  better: 'Better than',
  alike: 'Not better than',
  worse: 'Worse than'
}

function inFigures (all: Comparison): string {
  const { ours, baseline, windows, oursBetter, baselineBetter } = all
  return `On average the errors were ${differenceText(all)} (scaled error ${numberText(ours)} against ${
    numberText(baseline)
  }). ` +
    (windows === 1
      ? `In the only test ${
        oursBetter === 1 ? 'this forecast' : baselineBetter === 1 ? 'the baseline' : 'neither'
      } was closer.`
      : `In ${countText(oursBetter)} of ${countOf(windows, 'test')} this forecast was closer, in ${
        countText(baselineBetter)
      } the baseline.`)
}

function inUnits ({ ours, baseline }: NonNullable<ForecastFacts['meanError']>): string {
  return `In the unit of the data, a step of a series was off by ${numberText(ours)} on average, and the baseline by ${
    numberText(baseline)
  }; there large series count more.`
}
