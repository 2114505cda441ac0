import { StoreError } from '../platform/store/store-error.ts'

const lasting: ReadonlySet<StoreError['code']> = new Set(['not_found', 'invalid_key', 'invalid_range', 'exists',
  'too_large'])

/** True if the same call may succeed later: the store is away or full, or the disk failed for a moment. */
export function isPassing (error: unknown): boolean {
  return !(error instanceof StoreError && lasting.has(error.code))
}

/** True if the store answers and does not have the object. */
export function isGone (error: unknown): boolean {
  return error instanceof StoreError && error.code === 'not_found'
}
