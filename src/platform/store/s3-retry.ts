import { setTimeout as sleep } from 'node:timers/promises'
import { isTransient } from './s3-errors.ts'

const attempts = 4
const firstPauseMs = 100

/**
 * Repeats a request that can be repeated, for faults that are over in a moment; longer ones are the caller's, who knows how
 * long it may wait. The jitter keeps many requests from coming back in step.
 */
export async function retryTransient<T> (request: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await request()
    } catch (error) {
      if (attempt === attempts || !isTransient(error)) throw error
      await sleep(firstPauseMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2))
    }
  }
}
