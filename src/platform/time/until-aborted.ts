import { once } from 'node:events'

/** Waits for work that may never settle, or may be slow to notice a signal, but not beyond the signal. */
export async function untilAborted<T> (work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  const settled = new AbortController()
  const aborted = once(signal, 'abort', { signal: settled.signal }).then((): never => {
    signal.throwIfAborted()
    throw new Error('the signal was not aborted')
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    settled.abort()
  }
}
