import { Type } from 'typebox'

/** An answer that consists of status and headers only. */
export function noBody (description: string) {
  return Type.Unsafe<undefined>({ description, type: 'null' })
}
