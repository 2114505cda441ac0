import { Type, type TObject } from 'typebox'
import type { FieldError } from '../errors.ts'

/** A block of a feature that this release does not have. */
export const laterBlock = <T extends TObject>(block: T) =>
  Type.Optional(Type.Union([block, Type.Null()], { description: 'Not available yet: refused when it is enabled.' }))

/** Blocks that are asked for all the same: refused by name, never silently ignored. */
export function notAvailable (wanted: Record<string, boolean>): FieldError[] {
  return Object.entries(wanted).filter(([, isWanted]) => isWanted).map(([field]) => ({
    loc: ['body', field], msg: `${field} is not available yet on this release; leave it out or disable it`, type: 'not_available'
  }))
}
