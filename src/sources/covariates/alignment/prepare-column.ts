import { CovariateInputError } from '../covariate-input-error.ts'
import { coverageOf, firstGap, interpolateGaps, type Coverage } from './coverage.ts'
import { fillFuture, type FutureStrategy } from './future-strategy.ts'
import { instantText } from './instant-text.ts'

export interface ColumnRules {
  /** The field under `external_covariates`, for the message. */
  field: string
  variable: string
  /** How many of the first steps are history. */
  historySteps: number
  /** Beginning of each step, milliseconds UTC, for the message. */
  startsMs: ArrayLike<number>
  requireCoverage: boolean
  /** null: the kind has no such option. Its future values are known, or they are missing. */
  futureStrategy: FutureStrategy | null
  /** Steps of a season, for `seasonal_naive`. */
  seasonSteps: number
  /** Why existing values were not used, for the message; called if a step lacks a value. */
  heldBack: () => string | null
}

/** A `known_future` column has a value at each step of the horizon. Any other is `past_only`, which no model uses. */
export interface PreparedColumn {
  status: 'used' | 'partial' | 'skipped'
  reason: string | null
  role: 'known_future' | 'past_only'
  values: Float64Array
  /** After alignment, before anything was filled. */
  coverage: Coverage
}

const interpolatedSteps = 3
const leastHistory = 0.8
const requiredHistory = 0.99

/**
 * Decides whether an aligned variable is used, and fills its gaps. With `requireCoverage`, less than 99 % of the
 * history or a gap in the horizon is an error that names the gap. Without it, a variable with less than 80 % of the
 * history is skipped. Gaps of at most 3 steps are interpolated. Throws CovariateInputError.
 */
export function prepareColumn (aligned: Float64Array, rules: ColumnRules): PreparedColumn {
  const { historySteps, futureStrategy } = rules
  const coverage = coverageOf(aligned, historySteps)
  const values = fillFuture(interpolateGaps(aligned, interpolatedSteps), futureStrategy ?? 'none',
    Math.max(1, rules.seasonSteps))
  const isFutureKnown = coverageOf(values, historySteps).future === 1
  const why = () => {
    const text = rules.heldBack()
    return text === null ? '' : `; ${text}`
  }
  if (rules.requireCoverage && (coverage.history < requiredHistory || !isFutureKnown)) {
    const where = coverage.history < requiredHistory ? aligned.subarray(0, historySteps) : aligned
    throw new CovariateInputError(rules.field,
      `${rules.variable} is known for ${percent(coverage.history)} of the history and ${
        percent(coverage.future)
      } of the horizon; the first gap is ${gapText(where, rules.startsMs)}${why()}`)
  }
  if (futureStrategy === 'error' && !isFutureKnown) {
    throw new CovariateInputError(rules.field,
      `${rules.variable} is not known for the whole horizon (${
        gapText(values, rules.startsMs)
      }) and future_strategy is error${why()}`)
  }
  const column = { values, coverage, role: isFutureKnown ? 'known_future' : 'past_only' } as const
  if (coverage.history < leastHistory) {
    return {
      ...column,
      status: 'skipped',
      reason: `known for ${percent(coverage.history)} of the history; ${percent(leastHistory)} are needed${why()}`
    }
  }
  const isWhole = coverage.history === 1 && isFutureKnown
  return isWhole
    ? { ...column, status: 'used', reason: null }
    : { ...column, status: 'partial', reason: `${partialText(values, aligned, historySteps, isFutureKnown)}${why()}` }
}

function partialText (values: Float64Array, aligned: Float64Array, historySteps: number,
  isFutureKnown: boolean): string {
  const { history } = coverageOf(aligned, historySteps)
  const left = coverageOf(values, historySteps).history
  const reasons = [
    ...history < 1
      ? [`known for ${percent(history)} of the history${left > history ? `, ${percent(left)} after filling` : ''}`]
      : [],
    ...isFutureKnown
      ? []
      : ['not known for the whole horizon, so it is not used: models need to know it for the steps that are forecast']
  ]
  return reasons.join('; ')
}

/** Rounded down, so that a share below a limit is never shown as the limit. */
function percent (share: number): string {
  return `${Math.floor(share * 1000) / 10} %`
}

function gapText (values: Float64Array, startsMs: ArrayLike<number>): string {
  const gap = firstGap(values)
  if (gap === null) return 'none'
  const [from, to] = [gap.from, gap.to].map((step) => instantText(startsMs[step] as number))
  return from === to ? `at ${from}` : `from ${from} to ${to}`
}
