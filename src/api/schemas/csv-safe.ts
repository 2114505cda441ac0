import { Type } from 'typebox'
import { TabcastError } from '../../platform/errors.ts'

export const csvSafeField = Type.Boolean({
  default: false,
  description: 'Whether CSV files, alone or in a zip, get an apostrophe before text that a spreadsheet could take ' +
    'for a formula.'
})

/** `what`: the results that can be made safe for spreadsheets, in words. */
export function cannotBeSafe (what: string): TabcastError {
  const error = `only ${what} can be made safe for spreadsheets`
  return new TabcastError('validation_error', undefined, {
    fields: [{ loc: ['query', 'csv_safe'], msg: error, type: 'value_error', input: true, ctx: { error } }]
  })
}
