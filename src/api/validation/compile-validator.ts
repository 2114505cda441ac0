import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Settings } from 'typebox/system'
import Value from 'typebox/value'
import { TabcastError } from '../../platform/errors.ts'
import { atFirstUse } from '../first-uses.ts'
import { textCoercion } from './coerce-text.ts'
import { listCutter } from './cut-lists.ts'
import { fieldErrors } from './field-errors.ts'

// The default of 8 hides faults. An unknown field counts twice, by itself and with its object, and a body may have a
// thousand.
Settings.Set({ maxErrors: 2_500 })

export type Validator<T = unknown> = (input: unknown) => { value: T } | { error: TabcastError }

/**
 * Validates with TypeBox's compiler: defaults (also inside nullable blocks, which Ajv does not fill), then the check,
 * then the error list. `isText` is for parts that carry only text.
 */
export function compileValidator (schema: TSchema, part: string, isText: boolean): Validator {
  const check = atFirstUse(() => Compile(schema))
  const cut = listCutter(schema)
  const coerce = isText ? textCoercion(schema) : undefined
  // Filling in defaults clones and walks the value, so parts without defaults are only checked.
  const hasDefaults = JSON.stringify(schema).includes('"default":')
  return (input) => {
    const compiled = check()
    let value = input
    cut(value)
    if (coerce !== undefined && isRecord(value)) value = coerce(value)
    if (hasDefaults) value = Value.Default(schema, value)
    if (compiled.Check(value)) return { value }
    return {
      error: new TabcastError('validation_error', undefined, {
        fields: fieldErrors(part, value, compiled.Errors(value), schema)
      })
    }
  }
}

const parts: Record<string, string> = { body: 'body', querystring: 'query', params: 'path', headers: 'header' }

/** For all routes: JSON bodies are used as they are, everything else is text. */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart = 'body' }) =>
  compileValidator(schema, parts[httpPart] ?? httpPart, httpPart !== 'body')

/** For routes whose body is a form. */
export const formValidatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart = 'body' }) =>
  compileValidator(schema, parts[httpPart] ?? httpPart, true)

function isRecord (value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
