import type { FieldError } from '../../domain/error-codes.ts'
import { TabcastError } from '../../platform/errors.ts'

export interface CheckLimits {
  /** Concurrent checks. */
  width: number
  /** A check that cannot start within this time is not made, because the caller waits for all of them. */
  startWithinMs: number
}

/**
 * Checks all parts of one request, in order. Wrong fields are collected, so that the caller sees all of them at once;
 * any other error ends the request.
 */
export async function checkAll<T, R> (parts: readonly T[], { width, startWithinMs }: CheckLimits,
  check: (part: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const wrong: FieldError[][] = []
  const startByMs = performance.now() + startWithinMs
  const waiting = parts.entries()
  let isOver = false
  const lane = async (): Promise<void> => {
    for (const [at, part] of waiting) {
      if (isOver) return
      if (performance.now() > startByMs) {
        throw new TabcastError('server_overloaded',
          `The checks of this request had no turn within ${startWithinMs / 1000} s; nothing was stored.`)
      }
      try {
        results[at] = await check(part)
      } catch (error) {
        if (!(error instanceof TabcastError) || error.fields === undefined) throw error
        wrong[at] = error.fields
      }
    }
  }
  const lanes = Array.from({ length: Math.min(width, parts.length) }, () =>
    lane().catch((error: unknown) => {
      isOver = true
      throw error
    }))
  const ends = await Promise.allSettled(lanes)
  const refused = ends.find((end) => end.status === 'rejected')
  if (refused !== undefined) throw refused.reason
  if (wrong.length > 0) throw new TabcastError('validation_error', undefined, { fields: wrong.flat() })
  return results
}
