import type { ForecastReport, SeriesClass } from './forecast-report.ts'

/** Shares of the held-back values inside the central bands of the forecast, from 0 to 1. */
export interface Coverage {
  windows: number
  inner: number
  outer: number
}

/** undefined: nothing was held back. */
export function coverageOf ({ leaderboard }: SeriesClass): Coverage | undefined {
  const score = leaderboard?.scores.find(({ model }) => model === 'combination')
  if (score === undefined || score.coverage_80 === null || score.coverage_95 === null || score.windows === 0) {
    return undefined
  }
  return { windows: score.windows, inner: score.coverage_80, outer: score.coverage_95 }
}

/** Over all windows of the report. */
export function coverageOfAll ({ classes }: ForecastReport): Coverage | undefined {
  const all = classes.flatMap((one) => coverageOf(one) ?? [])
  const windows = all.reduce((total, one) => total + one.windows, 0)
  if (windows === 0) return undefined
  const mean = (value: (one: Coverage) => number) =>
    all.reduce((total, one) => total + value(one) * (one.windows / windows), 0)
  return { windows, inner: mean(({ inner }) => inner), outer: mean(({ outer }) => outer) }
}
