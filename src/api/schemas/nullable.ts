import { Type, type TSchema } from 'typebox'
import { defined } from '../../platform/defined.ts'

/** A field that is always there; null until it has a value. */
export function nullable<T extends TSchema> (schema: T, description?: string) {
  return Type.Union([schema, Type.Null()], defined({ description }))
}
