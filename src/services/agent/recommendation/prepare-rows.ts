import type { DataProfile } from '../../../domain/data-profile.ts'
import type { ForecastIntent, IntentFilter } from '../../../domain/forecast-intent.ts'
import type { PreparationBlock } from '../../forecasts/blocks/preparation.ts'
import { filterValues } from '../filter-values.ts'
import type { CombinedSteps } from './combined-steps.ts'
import type { SeriesNames } from './series-names.ts'

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
