import { Type } from 'typebox'
import { anomalyHandlings, filterOperators, missingDataHandlings } from '../../domain/intent-values.ts'
import { aggregates } from '../../domain/preparation-spec.ts'
import { nullable } from './nullable.ts'

const rowFilter = { column: Type.String(), op: Type.Enum(filterOperators), values: Type.Array(Type.String()) }

/** The changes to the rows of a dataset before its forecast. */
export const preparationStatus = Type.Object({
  rows_read: Type.Integer(),
  rows_used: Type.Integer({ description: 'Rows for which all filters hold.' }),
  filtered: Type.Array(
    Type.Object({
      ...rowFilter,
      rows: Type.Integer({ description: 'Rows for which it is the first filter that does not hold.' })
    })
  ),
  series_before: Type.Integer({ description: 'Series that the rows of the dataset belong to.' }),
  series_after: Type.Integer({ description: 'Series that are forecast.' }),
  rows_combined: Type.Integer({
    description: 'Used rows that became one with an earlier row of their series and step.'
  }),
  rows_combined_across: nullable(Type.Integer(),
    'Of these, the rows with the same time as an earlier one, which were combined by across. null: of a job before ' +
      'there was such a count.'),
  incomplete_periods_dropped: Type.Integer({
    description:
      'Periods at the beginning and the end, 0 to 2, that the data do not cover wholly, so that sums of them would ' +
      'be too small, and largest and least values may be missing.'
  }),
  steps_filled: Type.Integer({ description: 'Steps without a value that were given one.' }),
  steps_dropped: Type.Integer({ description: 'Steps without a value that were left out.' }),
  anomalies: Type.Object({
    found: Type.Integer(),
    changed: Type.Integer({ description: 'Those that were given another value, or none.' }),
    examples: Type.Array(Type.Object({
      item_id: Type.String({ description: 'The series; of a longer id the first 200 characters and an ellipsis.' }),
      timestamp: Type.String(),
      value: Type.Number(),
      used_instead: nullable(Type.Number(), 'null: it was not changed, or was removed and not filled.')
    }), { description: 'The first 20, by series and time.' })
  })
}, { additionalProperties: true })

/** The requested preparation. */
export const preparationConfig = Type.Object({
  filters: Type.Array(Type.Object(rowFilter)),
  series_columns: nullable(Type.Array(Type.String()),
    'Columns whose values together name a series; empty: all rows are one. null: the item id column names it.'),
  step: nullable(Type.String(),
    'Frequency alias of the steps that rows were combined into; null: rows kept their times.'),
  aggregate: Type.Enum(aggregates, { description: 'How the rows of a step became one.' }),
  across: nullable(Type.Enum(aggregates), 'How rows with the same time became one before that; null: as aggregate.'),
  missing: Type.Enum(missingDataHandlings),
  anomalies: Type.Enum(anomalyHandlings)
})
