import type { FieldError } from '../../domain/error-codes.ts'
import type { ForecastIntent } from '../../domain/forecast-intent.ts'
import { TabcastError } from '../../platform/errors.ts'
import type { Refusal } from '../recommendations/recommendation.ts'

/** Where the caller stated a wish. */
export type WishSource = 'prompt' | 'intent'

type WishField = 'filters' | 'granularity' | 'grouping_dimensions' | 'anomaly_handling' | 'horizon'

/** For each code with which rows are refused, the wish that it is about. */
const wishOf: Readonly<Record<string, WishField>> = {
  invalid_filter: 'filters',
  no_rows_left: 'filters',
  step_too_fine: 'granularity',
  no_complete_period: 'granularity',
  gap_too_long: 'anomaly_handling',
  ambiguous_item_id: 'grouping_dimensions',
  missing_hierarchy_value: 'grouping_dimensions',
  too_many_points: 'horizon'
}

/**
 * Reports a refusal of rows at the wish that caused it, because the request has no field for what was made of the wish.
 */
export function wishRefusal ({ code, message, error }: Refusal, intent: ForecastIntent,
  source: WishSource): TabcastError {
  const field = wishOf[code]
  const words = field === undefined ? '' : wordsOf(field, intent)
  return words === ''
    ? error
    : new TabcastError('validation_error', undefined, {
      fields: [{ loc: locOf(source, field as WishField), msg: `${message} That is about "${words}".`, type: code }]
    })
}

/**
 * Moves errors of the derived forecast request to the intent or the prompt, if they are about fields that the caller
 * did not send.
 */
export function wishErrors (error: unknown, intent: ForecastIntent, source: WishSource): unknown {
  if (!(error instanceof TabcastError) || error.fields === undefined) return error
  const fields = error.fields.map((item): FieldError => {
    const field = wishOfPath(item.loc)
    return field === undefined
      ? item
      : { ...item, loc: locOf(source, field), msg: `${item.msg}, in "${wordsOf(field, intent)}"` }
  })
  return new TabcastError(error.code, undefined, { status: error.status, fields })
}

function wishOfPath ([, block, part]: FieldError['loc']): WishField | undefined {
  if (block !== 'preparation') return undefined
  return part === 'filters' ? 'filters' : part === 'series_columns' ? 'grouping_dimensions' : 'granularity'
}

function locOf (source: WishSource, field: WishField): FieldError['loc'] {
  return source === 'prompt' ? ['body', 'prompt'] : ['body', 'intent', field]
}

function wordsOf (field: WishField,
  { filters, granularity, grouping_dimensions: groups, anomaly_handling: anomalies, horizon }: ForecastIntent): string {
  switch (field) {
    case 'filters':
      return filters.map(({ column, op, value }) => `${column} ${op} ${value}`).join(', ')
    case 'granularity':
      return granularity ?? ''
    case 'grouping_dimensions':
      return groups.length === 0 ? '' : `by ${groups.join(' and ')}`
    case 'anomaly_handling':
      return anomalies === 'none' ? '' : `${anomalies} anomalies`
    case 'horizon':
      return horizon === null ? '' : `${horizon} steps`
  }
}
