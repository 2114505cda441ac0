import { TabcastError } from '../../../platform/errors.ts'
import type { RecommendedConfig } from './recommendation.ts'
import type { Refusal } from './row-check.ts'

/** The maximum length of a column name in a request, in characters. */
export const maxColumnName = 200

/** Finds a column name that is too long for a request, because files may have longer ones; null: all names fit. */
export function nameTooLong (
  { target_column: target, timestamp_column: time, item_id_column: itemId, preparation }: RecommendedConfig
): Refusal | null {
  const named = [time, target, itemId, ...preparation?.series_columns ?? [],
    ...preparation?.filters.map(({ column }) => column) ?? []]
  const name = named.find(({ length }) => length > maxColumnName)
  if (name === undefined) return null
  const code = 'column_name_too_long'
  const message = `The name of the column "${
    name.slice(0, 40)
  }..." has ${name.length} characters, and a request takes ${maxColumnName}. Give the column a shorter name in the file.`
  return {
    code,
    message,
    column: name,
    error: new TabcastError('validation_error', undefined, {
      fields: [{ loc: ['body', 'file'], msg: message, type: code }]
    })
  }
}
