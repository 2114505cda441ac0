import type { FutureStrategy } from '../../../domain/external-covariates-spec.ts'

export type { FutureStrategy }

/**
 * Fills the steps after the last known one, at the end of the history (figures that are not published yet) as well as
 * in the horizon. `seasonal_naive` repeats the last known season, or the last value if that season has a gap. `none`
 * and `error` change nothing. `seasonSteps` is at least 1.
 */
export function fillFuture (values: Float64Array, strategy: FutureStrategy, seasonSteps: number): Float64Array {
  const filled = values.slice()
  if (strategy === 'none' || strategy === 'error') return filled
  const last = values.findLastIndex((value) => !Number.isNaN(value))
  if (last < 0) return filled
  const latest = values[last] as number
  for (let step = last + 1; step < filled.length; step++) {
    // The value of the same season position in the season that ends with the last known step.
    const seasonal = values[last - seasonSteps + 1 + (step - last - 1) % seasonSteps]
    filled[step] = strategy === 'seasonal_naive' && seasonal !== undefined && !Number.isNaN(seasonal)
      ? seasonal
      : latest
  }
  return filled
}
