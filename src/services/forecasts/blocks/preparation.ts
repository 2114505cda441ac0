import { Type, type Static } from 'typebox'
import { anomalyHandlings, filterOperators, missingDataHandlings } from '../../../domain/intent-values.ts'
import { aggregates } from '../../../domain/preparation-spec.ts'
import { closedObject } from '../../../platform/closed-object.ts'

const columnName = Type.String({ minLength: 1, maxLength: 200 })

const rowFilter = closedObject({
  column: columnName,
  op: Type.Enum(filterOperators, {
    description: 'gt, gte, lt, lte and between compare numbers or times; a day without a time of day is the whole day.'
  }),
  values: Type.Array(Type.String({ maxLength: 1000 }), {
    minItems: 1,
    maxItems: 1000,
    description: 'One; of in and not_in any number; of between the least and the most.'
  })
})

/** Changes to the rows before the forecast. */
export const preparation = closedObject({
  filters: Type.Array(rowFilter, {
    default: [],
    maxItems: 50,
    description:
      'Rows are used for which all of them hold: objects of column, op (eq, ne, in, not_in, gt, gte, lt, lte, ' +
      'contains, between) and values, a list of texts.'
  }),
  series_columns: Type.Optional(Type.Union([Type.Array(columnName, { maxItems: 20, uniqueItems: true }), Type.Null()], {
    description:
      'Columns whose values together name a series, in place of the item id column; an empty list: all rows are one ' +
      'series. Rows of a series with the same time are combined. null or left out: the item id column names the ' +
      'series.'
  })),
  step: Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 20 }), Type.Null()], {
    description:
      'Length of the steps that rows are combined into, as a pandas alias such as W or MS; null or left out: rows ' +
      'keep their times. With any aggregate but mean a first or last step that the data do not cover wholly is ' +
      'left out.'
  })),
  aggregate: Type.Enum(aggregates, {
    default: 'sum',
    description:
      'How the targets of a series that fall into one step become one: sum, mean, max or min. Rows of several series ' +
      'with the same time become one before that, by across.'
  }),
  across: Type.Optional(Type.Union([Type.Enum(aggregates), Type.Null()], {
    description:
      'How targets of several rows of a series with the same time become one, by the same names: with series_columns ' +
      'those of the series that are combined, such as a sum for the load of all substations, of which aggregate ' +
      'then takes the mean of a day. null or left out: as aggregate, which then counts all rows of a step alike.'
  })),
  missing: Type.Enum(missingDataHandlings, {
    default: 'none',
    description:
      'What steps without a value get: ffill the value before, bfill the one behind, interpolate a straight line, ' +
      'zero, mean that of the series; drop leaves such rows out; none: the models fill them as they see fit.'
  }),
  anomalies: Type.Enum(anomalyHandlings, {
    default: 'none',
    description:
      'What happens to values far from what the series would have there: clip to what would be ordinary, interpolate ' +
      'between their neighbours, remove; flag reports them only.'
  })
}, {
  description:
    "Filters, groups and combines rows and repairs values before the forecast; the job's `preparation` says what it " +
    'did.'
})

export type PreparationBlock = Static<typeof preparation>
