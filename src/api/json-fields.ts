import type { FieldError } from '../domain/error-codes.ts'
import { TabcastError } from '../platform/errors.ts'
import { jsonFields } from '../services/forecasts/forecast-request.ts'
import { checkJsonBounds, JsonRefusal, parseBoundedJson } from './validation/bounded-json.ts'

/**
 * Parses the fields that hold JSON text; the others stay text. A client may declare any part as JSON, which then
 * arrives parsed: it is checked against the same limits, and a text field becomes text again. Throws validation_error.
 */
export function readJsonFields (fields: Record<string, unknown>): Record<string, unknown> {
  const refused: FieldError[] = []
  const read: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    try {
      read[name] = readField(name, value)
    } catch (error) {
      if (!(error instanceof JsonRefusal)) throw error
      // A form with far too much JSON is refused as a whole. For merely wrong JSON the error names the field.
      if (error.reason === 'depth' || error.reason === 'keys') {
        throw new TabcastError('validation_error', `The field ${name} is refused: ${error.message}.`, { status: 400 })
      }
      refused.push({
        loc: ['body', name],
        msg: `Invalid JSON: ${error.message}`,
        type: 'json_invalid',
        ctx: { error: error.message }
      })
    }
  }
  if (refused.length > 0) throw new TabcastError('validation_error', undefined, { fields: refused })
  return read
}

function readField (name: string, value: unknown): unknown {
  if (typeof value === 'string') return jsonFields.has(name) ? parseBoundedJson(value) : value
  checkJsonBounds(value)
  return jsonFields.has(name) ? value : JSON.stringify(value)
}
