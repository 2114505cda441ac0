import { decompose, type Parts } from './decompose.ts'
import { at, forecastability, independentShare, mean, median, signTest, sum } from './statistics.ts'

/** A series as it is in the file, and what was published about it. */
export interface RawSeries {
  item: string
  /**
   * Step of the calendar of the first value; values begin and end with an observation and are NaN where there is none.
   */
  start: number
  values: number[]
  mean: number[]
  /** The 0.1 and the 0.9 quantile of each step; a sum has none. */
  lower: number[]
  upper: number[]
  /** The latest window of the backtest, and of all windows of its class the share inside of the 80 % band. */
  backtest: { start: number, mean: number[], coverage: number } | null
}

export interface SeriesFacts {
  raw: RawSeries
  volume: number
  /** With straight lines where there is no observation. */
  values: number[]
  level: number
  /** Whether changes can be told as a share of the level. */
  hasBase: boolean
  parts: Parts
  intermittent: { interval: number, zeroShare: number, variation: number } | null
  missing: number
  shortHistory: boolean
  constant: number
  negatives: number
  /** Steps that have an observation. */
  observed: number
  stale: number
  band: { first: number, last: number, ratio: number, relative: number } | null
  accuracy: { error: number, naiveError: number, skill: number, coverage: number, steps: number } | null
  bias: number | null
  /** How far the coverage is from 80 %, where that is more than chance. */
  oddCoverage: number | null
  comparison: { previous: number, change: number, relative: number | null, steps: number, seasons: number | null,
    aboutSame: boolean } | null
  confidence: number
}

/** What is true of a series by the documented definitions; `newest` is the last step of any. */
export function factsOf (raw: RawSeries, season: number, newest: number): SeriesFacts {
  const values = withLines(raw.values)
  const size = mean(values.map(Math.abs))
  const level = Math.abs(median(values)) > 0.1 * size ? median(values) : mean(values)
  const hasBase = level > 0.1 * size
  const intermittent = intermittentOf(raw.values)
  const isPlain = intermittent === null && values.some((value) => value !== values[0])
  const parts = decompose(values, raw.values.map((value) => !Number.isNaN(value)), isPlain ? season : 1,
    hasBase ? level : size)
  const quiet: Parts = { ...parts, strength: 0, shift: null, outliers: [], bend: null }
  const found = {
    raw,
    values,
    level,
    hasBase,
    parts: isPlain ? parts : quiet,
    intermittent,
    accuracy: accuracyOf(raw, season)
  }
  const missing = raw.values.filter(Number.isNaN).length
  return {
    ...found,
    volume: mean(values.slice(-Math.max(12, season)).map(Math.abs)),
    missing,
    shortHistory: values.length < 30 || (season > 1 && values.length < 2 * season),
    constant: constantSteps(values, intermittent !== null),
    negatives: raw.values.filter((value) => value < 0).length,
    observed: raw.values.filter((value) => !Number.isNaN(value)).length,
    stale: newest - (raw.start + values.length - 1),
    band: bandOf(raw),
    bias: biasOf(raw, season, size),
    oddCoverage: oddCoverageOf(raw, season),
    comparison: comparisonOf(raw, season),
    confidence: confidenceOf(found, season, missing)
  }
}

/** Straight lines between observations. */
function withLines (values: readonly number[]): number[] {
  return values.map((value, index) => Number.isNaN(value) ? onLine(values, index, 1) ?? NaN : value)
}

/** On the line between the nearest observations at the same place of the season, else between the nearest. */
function withSeasons (values: readonly number[], season: number): number[] {
  return values.map((value, index) =>
    Number.isNaN(value) ? onLine(values, index, season) ?? onLine(values, index, 1) ?? NaN : value
  )
}

function onLine (values: readonly number[], index: number, stride: number): number | undefined {
  let [before, after] = [index - stride, index + stride]
  while (before >= 0 && Number.isNaN(at(values, before))) before -= stride
  while (after < values.length && Number.isNaN(at(values, after))) after += stride
  if (before < 0 || after >= values.length) return undefined
  const share = (index - before) / (after - before)
  return at(values, before) * (1 - share) + at(values, after) * share
}

/** A demand in 1.32 steps or more, of steps that were observed. */
function intermittentOf (values: readonly number[]): SeriesFacts['intermittent'] {
  const seen = values.filter((value) => !Number.isNaN(value))
  const demands = seen.filter((value) => value > 0)
  if (demands.length === 0 || seen.some((value) => value < 0) || seen.length / demands.length < 1.32) return null
  const centre = mean(demands)
  return {
    interval: seen.length / demands.length,
    zeroShare: 1 - demands.length / seen.length,
    variation: mean(demands.map((demand) => (demand / centre - 1) ** 2))
  }
}

/** Steps with the last value; 0 where they are few, or as many as rare demands usually take. */
function constantSteps (values: readonly number[], isIntermittent: boolean): number {
  const steps = values.length - 1 - values.findLastIndex((value) => value !== values.at(-1))
  const usual = isIntermittent ? 4.6 * values.length / values.filter((value) => value !== 0).length : 0
  return steps >= 5 && 5 * steps >= values.length && steps >= usual ? steps : 0
}

function bandOf ({ mean: means, lower, upper }: RawSeries): SeriesFacts['band'] {
  if (lower.length === 0) return null
  const widths = upper.map((value, step) => Math.max(0, value - at(lower, step)))
  const [first, last] = [at(widths, 0), at(widths, widths.length - 1)]
  return { first, last, ratio: last / first, relative: sum(widths) / sum(means.map(Math.abs)) }
}

interface Errors {
  errors: number[]
  naiveErrors: number[]
  coverage: number
}

/**
 * Forecast minus actual value; a value of a season before where that is known, else the last one, is the naive
 * forecast.
 */
function errorsOf ({ values, start, backtest }: RawSeries, season: number): Errors | null {
  if (backtest === null) return null
  const all = withSeasons(values, season)
  const first = backtest.start - start
  const back = Math.min(season, first)
  const naive = (step: number) => at(all, first - back + step % back)
  const errors = backtest.mean.map((value, step) => value - at(all, first + step))
  return {
    errors,
    naiveErrors: errors.map((_, step) => naive(step) - at(all, first + step)),
    coverage: backtest.coverage
  }
}

function accuracyOf (raw: RawSeries, season: number): SeriesFacts['accuracy'] {
  const found = errorsOf(raw, season)
  if (found === null) return null
  const [error, naiveError] = [found.errors, found.naiveErrors].map((errors) => mean(errors.map(Math.abs))) as [number,
    number]
  return { error, naiveError, skill: skillOf(error, naiveError), coverage: found.coverage, steps: found.errors.length }
}

export function skillOf (error: number, naiveError: number): number {
  return naiveError > 0 ? Math.max(-99, 1 - error / naiveError) : error > 0 ? -99 : 0
}

function biasOf (raw: RawSeries, season: number, size: number): number | null {
  const errors = errorsOf(raw, season)?.errors
  if (errors === undefined) return null
  const relative = mean(errors) / size
  const share = Math.min(1, independentShare(errors))
  const count = (of: (error: number) => boolean) => Math.round(errors.filter(of).length * share)
  const [over, under] = [count((error) => error > 0), count((error) => error < 0)]
  const fewer = relative > 0 ? under : over
  return Math.abs(relative) > 0.05 && 2 * fewer < over + under && signTest(fewer, over + under) < 0.05 ? relative : null
}

function oddCoverageOf (raw: RawSeries, season: number): number | null {
  const found = errorsOf(raw, season)
  if (found === null) return null
  const apart = found.coverage - 0.8
  const chance = 1.96 * Math.sqrt(0.8 * 0.2 / Math.max(1, found.errors.length * independentShare(found.errors)))
  return (found.coverage < 0.7 || found.coverage > 0.9) && Math.abs(apart) > chance ? apart : null
}

/**
 * Against the same part of the season before, or as many last steps; what was not observed is left out of both sums.
 */
function comparisonOf ({ values, mean: means }: RawSeries, season: number): SeriesFacts['comparison'] {
  const horizon = means.length
  const wanted = season > 1 ? Math.ceil(horizon / season) * season : horizon
  const [lag, steps] = wanted <= values.length ? [wanted, horizon] : [season, Math.min(horizon, season)]
  if (lag > values.length) return null
  const known = Array.from({ length: steps }, (_, step) => step).filter((step) =>
    !Number.isNaN(at(values, values.length - lag + step))
  )
  if (2 * known.length < steps) return null
  const before = known.map((step) => at(values, values.length - lag + step))
  const [forecast, previous, size] = [sum(known.map((step) => at(means, step))), sum(before), sum(before.map(Math.abs))]
  const change = forecast - previous
  const relative = previous > 0.1 * size ? change / previous : null
  const aboutSame = relative === null ? Math.abs(change) < 0.03 * size : Math.abs(relative) < 0.03
  return { previous, change, relative, steps, seasons: season > 1 ? lag / season : null, aboutSame }
}

/**
 * Score and share of the series that were forecast better than by the season before: the table of `reliability.rs`,
 * which no data here could give.
 */
const knots = [[0.375, 0.533], [0.4, 0.613], [0.437, 0.637], [0.601, 0.667], [0.642, 0.674], [0.682, 0.766], [0.73,
  0.785], [0.776, 0.789], [0.8, 0.796], [0.844, 0.814], [0.936, 0.917]] as const

const within = (value: number) => Math.min(1, Math.max(0, value))

function confidenceOf ({ values, parts, accuracy }: Pick<SeriesFacts, 'values' | 'parts' | 'accuracy'>, season: number,
  missing: number): number {
  const skill = accuracy === null ? 0 : within(accuracy.skill + 0.5)
  const coverage = accuracy === null ? 0 : within(1 - Math.abs(accuracy.coverage - 0.8) / 0.3)
  const depth = within(values.length / (4 * season))
  const quality = within(1 - 3 * missing / values.length - parts.outliers.length / values.length)
  const score = 0.35 * skill + 0.2 * coverage + 0.15 * (depth + forecastability(values) + quality)
  const most = accuracy === null ? 0.3 : accuracy.skill < 0 ? 0.4 : 1
  return reliabilityOf(Math.min(score, most))
}

function reliabilityOf (score: number): number {
  const after = knots.findIndex(([x]) => x >= score)
  if (after <= 0) return at(knots, after === 0 ? 0 : knots.length - 1)[1]
  const [[x0, y0], [x1, y1]] = [at(knots, after - 1), at(knots, after)]
  return y0 + (y1 - y0) * (score - x0) / (x1 - x0)
}
