import type { DataProfile } from '../../../domain/data-profile.ts'
import type { ForecastIntent, IntentFilter } from '../../../domain/forecast-intent.ts'

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
