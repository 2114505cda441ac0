import { setTimeout as sleep } from 'node:timers/promises'
import { defined } from '../defined.ts'

export interface RetryOptions {
  /** Absent: the retries cannot be aborted. */
  signal?: AbortSignal
  /**
   * Pauses before each further attempt; after the last of them, the last failure is thrown. Absent: from a tenth of a
   * second up to five, without end.
   */
  pausesMs?: Iterable<number>
  /** If a longer pause is needed, retrying stops. */
  longestMs?: number
  /** Monotonic time (performance.now) after which no further attempt is made. */
  deadlineMs?: number
  isRetryable: (error: unknown) => boolean
  /** The least pause that the failed party asks for. */
  askedMs?: (error: unknown) => number
  onRetry?: (error: unknown, attempt: number, pauseMs: number) => void
}

/**
 * Tries again while that may help. Random jitter keeps many callers from coming back to a recovering server in step.
 */
export async function retry<T> (work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const {
    signal,
    pausesMs = doubling(),
    longestMs = Infinity,
    deadlineMs = Infinity,
    isRetryable,
    askedMs = () => 0,
    onRetry = () => undefined
  } = options
  const pauses = pausesMs[Symbol.iterator]()
  for (let attempt = 1;; attempt++) {
    signal?.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      const next = isRetryable(error) ? pauses.next() : undefined
      if (next === undefined || next.done === true) throw error
      const pauseMs = Math.max(askedMs(error), next.value * (0.5 + Math.random()))
      if (pauseMs > longestMs || performance.now() + pauseMs > deadlineMs) throw error
      onRetry(error, attempt, Math.round(pauseMs))
      await sleep(pauseMs, undefined, defined({ signal }))
    }
  }
}

function* doubling (): Generator<number> {
  for (let pauseMs = 100;; pauseMs = Math.min(5_000, 2 * pauseMs)) yield pauseMs
}
