import { countOf, percentText } from '../number-text.ts'
import { classLabel } from './class-names.ts'
import { baselineText, compareAll, compareClass, differenceText } from './comparison.ts'
import { coverageOfAll } from './coverage.ts'
import type { ForecastFacts, ForecastReport } from './forecast-report.ts'
import { warningsAbout } from './warning-groups.ts'

/** Fewer windows than this prove little, and fewer than the second one nothing about intervals. */
const [fewWindows, tooFewForIntervals] = [30, 10]
/** What intervals for 80 % of the values may hold before they are called too narrow or too wide. */
const coverageBand = { low: 0.75, high: 0.85 }

/** What somebody who uses the forecast has to know, the gravest first. */
export function forecastCautions (report: ForecastReport, facts: ForecastFacts): string[] {
  return [...againstBaseline(report), ...aboutTest(report), ...aboutIntervals(report), ...aboutTiny(report),
    ...warningsAbout(facts, 'models')]
}

function againstBaseline (report: ForecastReport): string[] {
  const all = compareAll(report)
  if (all === undefined) return []
  const simple = baselineText(report)
  if (all.standing === 'worse') {
    return [
      `The forecast is worse than ${simple}: its errors were ${
        differenceText(all)
      }. Do not use it without a look at the series.`
    ]
  }
  if (all.standing === 'alike') {
    return [
      `The forecast is not better than ${simple}, which costs nothing: the series may hold little that can be forecast.`
    ]
  }
  return report.classes.flatMap((one) => {
    const found = compareClass(one)
    return found?.standing === 'worse'
      ? [
        `For series of the kind “${classLabel(one.class)}” the forecast is worse than ${simple}: its errors were ${
          differenceText(found)
        }.`
      ]
      : []
  })
}

function aboutTest (report: ForecastReport): string[] {
  const windows = coverageOfAll(report)?.windows ?? 0
  if (windows === 0) return ['Nothing was tested, so that nothing is known about the accuracy of this forecast.']
  return windows < fewWindows
    ? [`All figures rest on ${countOf(windows, 'test')}, so that other histories could give quite different ones.`]
    : []
}

function aboutIntervals (report: ForecastReport): string[] {
  const coverage = coverageOfAll(report)
  if (coverage === undefined || coverage.windows < tooFewForIntervals) return []
  if (coverage.inner < coverageBand.low) {
    return [`The 80 % intervals are too narrow: they held ${percentText(coverage.inner)} of the values.`]
  }
  return coverage.inner > coverageBand.high
    ? [`The 80 % intervals are too wide: they held ${percentText(coverage.inner)} of the values.`]
    : []
}

function aboutTiny ({ classes }: ForecastReport): string[] {
  const tiny = classes.find((one) => one.class === 'tiny')
  return tiny === undefined
    ? []
    : [
      `${countOf(tiny.series, 'series', 'series')} with two or three values ${
        tiny.series === 1 ? 'was' : 'were'
      } continued by a rule; no model could learn from so few.`
    ]
}
