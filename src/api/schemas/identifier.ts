import { Type } from 'typebox'
import { defined } from '../../platform/defined.ts'

/** Characters of a part of a path; of a longer one the router knows no address, which is a 404. */
export const maxPathPart = 256

/** A name in a path. What there is none of is a 404, whatever it looks like. */
export const identifier = (description?: string) => Type.String({ maxLength: maxPathPart, ...defined({ description }) })
