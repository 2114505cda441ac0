import { Type } from 'typebox'
import { defined } from '../../platform/defined.ts'

/** The longest part of a path. The router finds no address for a longer one, which gives a 404. */
export const maxPathPart = 256

/** A name in a path. Any name that does not exist gives a 404, whatever its form. */
export const identifier = (description?: string) => Type.String({ maxLength: maxPathPart, ...defined({ description }) })
