/** Resolves like the promise; rejects with the signal's reason if that comes first. */
export async function unlessAborted<T> (promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const over = new AbortController()
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: over.signal })
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    over.abort()
  }
}
