import { createHmac, timingSafeEqual } from 'node:crypto'
import { TabcastError } from '../platform/errors.ts'

const signatureBytes = 16

/**
 * Where the next page of a list starts. Signed together with the tenant and the filter, so that a cursor cannot be made
 * up and does not work for another tenant or another filter than the one it came from.
 */
export function writeCursor (key: Uint8Array, binding: readonly unknown[], position: string): string {
  return Buffer.concat([sign(key, binding, position), Buffer.from(position)]).toString('base64url')
}

/** undefined: not a cursor of this binding. */
export function readCursor (key: Uint8Array, binding: readonly unknown[], cursor: string): string | undefined {
  const bytes = Buffer.from(cursor, 'base64url')
  if (bytes.length <= signatureBytes) return undefined
  const position = bytes.subarray(signatureBytes).toString()
  return timingSafeEqual(bytes.subarray(0, signatureBytes), sign(key, binding, position)) ? position : undefined
}

/** Where the page starts; null: from the beginning. Throws a 422 for a cursor that is not of this list. */
export function positionOf (key: Uint8Array, binding: readonly unknown[], cursor: string | undefined): string | null {
  if (cursor === undefined) return null
  const position = readCursor(key, binding, cursor)
  if (position !== undefined) return position
  throw new TabcastError('validation_error', undefined, {
    fields: [{
      loc: ['query', 'cursor'],
      msg: 'not a cursor of this list',
      type: 'value_error',
      input: cursor.slice(0, 200),
      ctx: { error: 'not a cursor of this list' }
    }]
  })
}

function sign (key: Uint8Array, binding: readonly unknown[], position: string): Buffer {
  return createHmac('sha256', key).update(JSON.stringify([...binding, position])).digest().subarray(0, signatureBytes)
}
