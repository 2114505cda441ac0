import { errorOfAnswer, notWaitedFor, TabcastError } from './errors.ts'

export interface TransportOptions {
  baseUrl: string
  apiKey: string
  attempts: number
  /** For a call that sends no file, its repeats and the pauses before them included, milliseconds. */
  timeoutMs: number
}

export interface Call {
  method?: string
  /** A body that can be sent again. */
  body?: string | Blob | FormData
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
  /** Of `performance.now()`: when the caller has no more time, for a file either. */
  endMs?: number
  /** The answer is a file, which may take as long as it needs once it has begun. */
  isDownload?: boolean
}

const longestPauseMs = 10_000
const longestAskedMs = 60_000
/** A request that is made has so long at least, however close its end is. */
const leastTimeoutMs = 1000

/**
 * Requests of one key; what may succeed later is repeated, after what `Retry-After` says or after growing pauses with
 * jitter.
 */
export class Transport {
  readonly #options: TransportOptions

  constructor (options: TransportOptions) {
    // A variable of the environment that is not set gets past the types.
    if (typeof options.baseUrl !== 'string') {
      throw new TabcastError('validation_error',
        'baseUrl is missing: the address of the service, such as http://127.0.0.1:8080')
    }
    this.#options = { ...options, baseUrl: options.baseUrl.replace(/\/+$/, '') }
  }

  get timeoutMs (): number {
    return this.#options.timeoutMs
  }

  /**
   * `read` takes the answer of success, and is part of what is repeated. Throws TabcastError, or what the signal was
   * aborted with.
   */
  async call<T> (path: string, call: Call, read: (answer: Response) => Promise<T>): Promise<T> {
    // A file may take as long as it needs, unless the caller says how long.
    const ownEndMs = sendsFile(call) ? Infinity : performance.now() + this.#options.timeoutMs
    const endMs = Math.min(call.endMs ?? Infinity, ownEndMs)
    for (let attempt = 1;; attempt++) {
      try {
        return await this.#once(path, call, ownEndMs, read)
      } catch (error) {
        if (!(error instanceof TabcastError) || !error.retryable || attempt >= this.#options.attempts) throw error
        await pause(this.#pauseMs(error, attempt, endMs), call.signal)
      }
    }
  }

  /**
   * Until the next attempt. Throws the error when that is more than the caller has, or the service asks for more than
   * anybody waits for.
   */
  #pauseMs (error: TabcastError, attempt: number, endMs: number): number {
    const leftMs = endMs - performance.now()
    if (error.retryAfterSeconds === null) {
      const backoffMs = Math.min(longestPauseMs, 500 * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2)
      if (backoffMs >= leftMs) throw error
      return backoffMs
    }
    const mostMs = Math.min(longestAskedMs, this.#options.timeoutMs, leftMs)
    const askedMs = error.retryAfterSeconds * 1000
    if (askedMs > mostMs) throw notWaitedFor(error, mostMs)
    return askedMs + Math.random() * 250
  }

  async json<T> (path: string, call: Call = {}): Promise<T> {
    return await this.call(path, call, async (answer) => await answer.json() as T)
  }

  async #once<T> (path: string,
    { method = 'GET', body, headers = {}, signal, isDownload = false, endMs = Infinity }: Call, ownEndMs: number,
    read: (answer: Response) => Promise<T>): Promise<T> {
    const { baseUrl, apiKey } = this.#options
    const own = path.startsWith('/')
    const [callersEnd, ownEnd] = [new Deadline(endMs), new Deadline(ownEndMs)]
    const signals = [...signal === undefined ? [] : [signal], callersEnd.signal, ownEnd.signal]
    try {
      const answer = await fetch(own ? baseUrl + path : path, {
        method,
        headers: own ? { ...headers, authorization: `Bearer ${apiKey}` } : headers,
        ...body === undefined ? {} : { body },
        signal: AbortSignal.any(signals)
      })
      if (isDownload) ownEnd.clear()
      if (!answer.ok) throw errorOfAnswer(answer.status, await answer.text(), answer.headers)
      return await read(answer)
    } catch (error) {
      if (error instanceof TabcastError || signal?.aborted) throw error
      // fetch says TypeError for every broken connection.
      const isLate = callersEnd.signal.aborted
      if (!isLate && !ownEnd.signal.aborted && !(error instanceof TypeError)) throw error
      throw new TabcastError(isLate ? 'timeout' : 'connection_failed', `${baseUrl}: ${reason(error)}`, {
        retryable: true,
        cause: error
      })
    } finally {
      callersEnd.clear()
      ownEnd.clear()
    }
  }
}

/** A signal at a time of `performance.now()`, which may be Infinity, unless it is cleared before. */
class Deadline {
  readonly #controller = new AbortController()
  readonly #timer: ReturnType<typeof setTimeout> | undefined

  constructor (endMs: number) {
    const leftMs = Math.max(leastTimeoutMs, Math.ceil(endMs - performance.now()))
    // Timers take no more.
    if (leftMs < 2 ** 31) {
      this.#timer = setTimeout(
        () => this.#controller.abort(new DOMException('the time of the call is over', 'TimeoutError')),
        leftMs
      )
    }
  }

  get signal (): AbortSignal {
    return this.#controller.signal
  }

  clear (): void {
    clearTimeout(this.#timer)
  }
}

function sendsFile ({ body }: Call): boolean {
  return body !== undefined && typeof body !== 'string'
}

function reason (error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error ? `${message}: ${cause.message}` : message
}

export async function pause (ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done, { once: true })
  })
  signal?.throwIfAborted()
}
