import type { DataProfile } from '../../domain/data-profile.ts'
import type { ForecastIntent } from '../../domain/forecast-intent.ts'
import { isCombiningWish } from './combined-rows.ts'

const executed = /^(?:reconciliation|non_negative$)/
const leftOut = 'without '

/** The wishes of an intent that the forecast does not follow, in words. */
export function withoutEffect (intent: ForecastIntent, { columns, series }: DataProfile): string[] {
  const {
    evaluation_metric: metric,
    backtest_strategy: strategy,
    deployment_target: target,
    granularity,
    user_constraints: constraints
  } = intent
  const notes: string[] = []
  if (metric !== 'MAPE') {
    notes.push(
      `evaluation_metric ${metric}: models are chosen by their own measure, whatever the intent names; backtests in ` +
        'the report show several.'
    )
  }
  if (strategy !== 'holdout') notes.push(`backtest_strategy ${strategy}: backtests are those of the preset.`)
  if (target !== 'one_off') {
    notes.push(
      `deployment_target ${target}: this is one forecast; send it again on a schedule of yours, or through a data ` +
        'connection to have it written back.'
    )
  }
  if (granularity === 'business_daily') notes.push('granularity business_daily: days are used as they are in the data.')
  for (const constraint of constraints) {
    if (constraint.startsWith('Not used: ')) notes.push(constraint)
    else if (constraint === 'non_negative' && series?.hasNegatives === true) {
      notes.push('non_negative: the data have negative values, so the forecast may have some too.')
    } // A column that is left out is not used.
    else if (constraint.startsWith(leftOut) && columns.some(({ name }) => constraint === `${leftOut}${name}`)) continue
    else if (!executed.test(constraint) && !isCombiningWish(constraint)) {
      notes.push(`${constraint}: is noted in the intent and changes nothing in the forecast.`)
    }
  }
  return notes
}
