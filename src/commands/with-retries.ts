import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from './service-error.ts'
import { defined } from '../platform/defined.ts'

export interface Retries {
  /** At least 1. */
  attempts: number
  signal?: AbortSignal
  /** Called before each pause. */
  onPause?: (error: Error, seconds: number) => void
}

const longestPauseSeconds = 10
const longestAskedSeconds = 60

/**
 * Repeats work that failed on the way or may succeed later. It pauses as long as the service asks for, otherwise half a
 * second, doubled each time up to 10 s. A random part of up to half is subtracted, so that clients do not come back
 * together. It never waits for more than a minute: when the service asks for more, it throws an error that says when to
 * try again.
 */
export async function withRetries<T> (work: () => Promise<T>, { attempts, signal, onPause }: Retries): Promise<T> {
  for (let attempt = 1;; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (signal?.aborted || attempt >= attempts || !mayPass(error)) throw error
      const asked = error instanceof ServiceError ? error.retryAfterSeconds : null
      if (asked !== null && asked > longestAskedSeconds) throw error
      const backoff = Math.min(longestPauseSeconds, 0.5 * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2)
      const seconds = asked === null ? backoff : asked + Math.random() / 4
      onPause?.(error as Error, seconds)
      await sleep(seconds * 1000, undefined, defined({ signal }))
    }
  }
}

const lostCodes = ['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN', 'EHOSTUNREACH',
  'ENETUNREACH', 'UND_ERR_SOCKET', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']

function mayPass (error: unknown): boolean {
  if (error instanceof ServiceError) return error.isPassing
  return lostCodes.includes(lostCode(error) ?? '')
}

/** The system's code for a failed connection, which fetch hides in the cause. */
export function lostCode (error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  return (error as NodeJS.ErrnoException).code ?? lostCode(error.cause)
}
