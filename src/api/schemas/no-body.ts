import { Type } from 'typebox'

/** An answer that is complete with its status and headers. */
export function noBody (description: string) {
  return Type.Unsafe<undefined>({ description, type: 'null' })
}
