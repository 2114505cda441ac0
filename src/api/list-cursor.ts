import { createHmac, timingSafeEqual } from 'node:crypto'
import { TabcastError } from '../platform/errors.ts'

const signatureBytes = 16

/**
 * The start of the next page of a list. Signed together with tenant and filter, so that nobody can make one up or use
 * it for another tenant or filter.
 */
export function writeCursor (key: Uint8Array, binding: readonly unknown[], position: string): string {
  return Buffer.concat([sign(key, binding, position), Buffer.from(position)]).toString('base64url')
}

/** undefined when the cursor does not belong to this binding. */
export function readCursor (key: Uint8Array, binding: readonly unknown[], cursor: string): string | undefined {
  const bytes = Buffer.from(cursor, 'base64url')
  if (bytes.length <= signatureBytes) return undefined
  const position = bytes.subarray(signatureBytes).toString()
  return timingSafeEqual(bytes.subarray(0, signatureBytes), sign(key, binding, position)) ? position : undefined
}

/** Where the page starts; null: at the beginning. Throws a 422 for a cursor of another list. */
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
