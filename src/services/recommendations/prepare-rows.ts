import type { DataProfile } from '../../domain/data-profile.ts'
import type { ForecastIntent, IntentFilter } from '../../domain/forecast-intent.ts'
import type { PreparationBlock } from '../forecasts/blocks/preparation.ts'
import { filterValues } from './filter-values.ts'
import type { CombinedSteps } from './combined-steps.ts'
import type { SeriesNames } from './recommendation.ts'

/** Above this share of steps without a value, a wrong timestamp is likelier than gaps to fill. */
export const mostlyMissing = 0.9

/** The preparation of the rows that the intent requires; null: none. */
export function prepareRows (intent: ForecastIntent, { series }: DataProfile,
  { step, rows: { aggregate, across } }: CombinedSteps, names: SeriesNames): PreparationBlock | null {
  const isComplete = series !== null && series.missingness === 0 && step === null && !('columns' in names)
  const block: PreparationBlock = {
    filters: intent.filters.map(rowFilter),
    ...('columns' in names ? { series_columns: names.columns } : {}),
    ...(step === null ? {} : { step }),
    aggregate,
    ...(across === null ? {} : { across }),
    missing: (isComplete && intent.anomaly_handling !== 'remove') || (series?.missingness ?? 0) > mostlyMissing
      ? 'none'
      : intent.missing_data_handling,
    anomalies: intent.anomaly_handling
  }
  const isIdle = block.filters.length === 0 && !('columns' in names) && step === null && block.missing === 'none' &&
    block.anomalies === 'none'
  return isIdle ? null : block
}

function rowFilter ({ column, op, value }: IntentFilter): PreparationBlock['filters'][number] {
  const isList = op === 'in' || op === 'not_in' || op === 'between'
  return { column, op, values: isList ? filterValues(value) : [value] }
}

/** Filters that remove rows within series: filters on neither whole series nor the time. */
export function rowFilters ({ filters, time_column: time }: ForecastIntent, { columns }: DataProfile): IntentFilter[] {
  return filters.filter(({ column }) =>
    column !== time && !columns.some(({ name, isStatic }) => name === column && isStatic)
  )
}

/** The effects of such filters on the series, one sentence each. */
export function takenOutOfSeries (intent: ForecastIntent, data: DataProfile): string[] {
  return rowFilters(intent, data).map(({ column, op, value }) =>
    `The filter "${column} ${op} ${value}" takes rows out of the middle of series: they get gaps, and may end at ` +
    'different times.'
  )
}

const words: Record<IntentFilter['op'], string> = {
  eq: 'is',
  ne: 'is not',
  in: 'is one of',
  not_in: 'is none of',
  gt: 'is above',
  gte: 'is at least',
  lt: 'is below',
  lte: 'is at most',
  contains: 'contains',
  between: 'is between'
}

/** The rows that the forecast uses, one sentence per filter. */
export function filterReasons ({ filters }: ForecastIntent): string[] {
  return filters.map(({ column, op, value }) =>
    `Only rows are used where ${column} ${words[op]} ${value.split(',').join(', ')}.`
  )
}
