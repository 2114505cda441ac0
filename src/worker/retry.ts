import { setTimeout as sleep } from 'node:timers/promises'

export interface RetryOptions {
  signal: AbortSignal
  /** Monotonic time (performance.now) after which no further attempt is made; none: until the signal. */
  deadlineMs?: number
  isRetryable: (error: unknown) => boolean
  onRetry: (error: unknown, attempt: number, pauseMs: number) => void
}

const firstPauseMs = 100
const longestPauseMs = 5_000

/** Tries again with doubling pauses; the jitter keeps many workers from coming back to a recovering server in step. */
export async function retry<T> (work: () => Promise<T>, { signal, deadlineMs = Infinity, isRetryable, onRetry }: RetryOptions): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2)
      if (!isRetryable(error) || performance.now() + pauseMs > deadlineMs) throw error
      onRetry(error, attempt, Math.round(pauseMs))
      await sleep(pauseMs, undefined, { signal })
    }
  }
}
