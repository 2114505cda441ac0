import { Type } from 'typebox'
import { anomalyHandlings, filterOperators, missingDataHandlings } from '../../domain/intent-values.ts'
import { aggregates } from '../../domain/preparation-spec.ts'
import { nullable } from './nullable.ts'

const rowFilter = { column: Type.String(), op: Type.Enum(filterOperators), values: Type.Array(Type.String()) }

/** The changes to the rows of a dataset before its forecast. */
export const preparationStatus = Type.Object({
  rows_read: Type.Integer(),
  rows_used: Type.Integer({ description: 'Rows that match all filters.' }),
  filtered: Type.Array(
    Type.Object({
      ...rowFilter,
      rows: Type.Integer({ description: 'Rows that match all filters before this one, but not this one.' })
    })
  ),
  series_before: Type.Integer({ description: 'Series that the rows of the dataset belong to.' }),
  series_after: Type.Integer({ description: 'Series that are forecast.' }),
  rows_combined: Type.Integer({
    description: 'Used rows that were combined with an earlier row of the same series and step.'
  }),
  rows_combined_across: nullable(Type.Integer(),
    'How many of these have the same time as an earlier row and were combined by across; null: the job ' +
      'is older than this count.'),
  incomplete_periods_dropped: Type.Integer({
    description:
      'First and last periods that were dropped, 0 to 2, because the data cover only a part of them. Their sums ' +
      'would be too small, and their largest or smallest value may be missing.'
  }),
  steps_filled: Type.Integer({ description: 'Steps without a value that were filled.' }),
  steps_dropped: Type.Integer({ description: 'Steps without a value that were left out.' }),
  anomalies: Type.Object({
    found: Type.Integer(),
    changed: Type.Integer({ description: 'How many of them were changed or removed.' }),
    examples: Type.Array(Type.Object({
      item_id: Type.String({ description: 'The series; a longer id ends after 200 characters, with an ellipsis.' }),
      timestamp: Type.String(),
      value: Type.Number(),
      used_instead: nullable(Type.Number(),
        'The value used instead; null: it was not changed, or was removed and not filled.')
    }), { description: 'The first 20, by series and time.' })
  })
}, { additionalProperties: true })

/** The requested preparation. */
export const preparationConfig = Type.Object({
  filters: Type.Array(Type.Object(rowFilter)),
  series_columns: nullable(Type.Array(Type.String()),
    'Columns whose values together name a series; empty: all rows are one series; null: the item id ' +
      'column names the series.'),
  step: nullable(Type.String(), 'Frequency of the steps that rows were combined into; null: rows kept their times.'),
  aggregate: Type.Enum(aggregates, { description: 'How the rows of a step were combined.' }),
  across: nullable(Type.Enum(aggregates), 'How rows with the same time were combined before that; null: as aggregate.'),
  missing: Type.Enum(missingDataHandlings),
  anomalies: Type.Enum(anomalyHandlings)
})
