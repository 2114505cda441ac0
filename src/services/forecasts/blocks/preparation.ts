import { Type, type Static } from 'typebox'
import { anomalyHandlings, filterOperators, missingDataHandlings } from '../../../domain/intent-values.ts'
import { aggregates } from '../../../domain/preparation-spec.ts'
import { closedObject } from '../../../platform/closed-object.ts'

const columnName = Type.String({ minLength: 1, maxLength: 200 })

const rowFilter = closedObject({
  column: columnName,
  op: Type.Enum(filterOperators, {
    description: 'gt, gte, lt, lte and between compare numbers or times. A date without a time means the whole day.'
  }),
  values: Type.Array(Type.String({ maxLength: 1000 }), {
    minItems: 1,
    maxItems: 1000,
    description: 'One value. For in and not_in any number of values, for between the smallest and the largest.'
  })
})

/** Changes to the rows before the forecast. */
export const preparation = closedObject({
  filters: Type.Array(rowFilter, {
    default: [],
    maxItems: 50,
    description:
      'Only rows that match all filters are used. A filter is an object with column, op (eq, ne, in, not_in, gt, ' +
      'gte, lt, lte, contains, between) and values, a list of texts.'
  }),
  series_columns: Type.Optional(Type.Union([Type.Array(columnName, { maxItems: 20, uniqueItems: true }), Type.Null()], {
    description: 'Columns whose values together name a series, instead of the item id column. Rows of a series ' +
      'with the same time are combined. An empty list: all rows are one series. null or left out: the ' +
      'item id column names the series.'
  })),
  step: Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 20 }), Type.Null()], {
    description:
      'Combines rows into steps of this length, a pandas alias such as W or MS. If the data cover only a part of the ' +
      'first or last step, that step is left out, except with mean. null or left out: rows keep their times.'
  })),
  aggregate: Type.Enum(aggregates, {
    default: 'sum',
    description:
      'How to combine the targets of a series within one step: sum, mean, max or min. Rows with the same time are ' +
      'combined before that, by across.'
  }),
  across: Type.Optional(Type.Union([Type.Enum(aggregates), Type.Null()], {
    description: 'How to combine rows of a series that have the same time: sum, mean, max or min. With ' +
      'series_columns, these are the rows of the series that become one. Example: sum adds up the load ' +
      'of all substations, and aggregate mean then takes its mean of each day. null or left out: as ' +
      'aggregate, which then treats all rows of a step alike.'
  })),
  missing: Type.Enum(missingDataHandlings, {
    default: 'none',
    description: 'How to fill steps without a value. ffill: the previous value. bfill: the next value. ' +
      'interpolate: a straight line. zero: 0, for steps in which nothing happened, such as days that are closed. ' +
      'mean: the mean of the series. drop: leave such rows out. none: the forecast fills them from the same place in ' +
      'the seasons around them, or on a straight line.'
  }),
  anomalies: Type.Enum(anomalyHandlings, {
    default: 'none',
    description:
      'What to do with outliers. clip: move them to the edge of the usual range. interpolate: replace them from ' +
      'their neighbours. remove: treat them as missing. flag: only report them. none: keep them.'
  })
}, {
  description: 'Filters and combines rows, and repairs values, before the forecast. `preparation` of the job says ' +
    'what was done.'
})

export type PreparationBlock = Static<typeof preparation>
