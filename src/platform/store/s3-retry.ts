import { retry } from '../time/retry.ts'
import { isTransient } from './s3-errors.ts'

/**
 * Repeats a request that can be repeated, for faults that pass in a moment. Longer ones are left to the caller, who
 * knows how long it may wait.
 */
export async function retryTransient<T> (request: () => Promise<T>): Promise<T> {
  return await retry(request, { pausesMs: [100, 200, 400], isRetryable: isTransient })
}
