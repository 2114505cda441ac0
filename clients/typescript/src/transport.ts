import { errorOfAnswer, TabcastError } from './errors.ts'

export interface TransportOptions {
  baseUrl: string
  apiKey: string
  attempts: number
  /** For a request without an answer, milliseconds. */
  timeoutMs: number
}

export interface Call {
  method?: string
  /** A body that can be sent again. */
  body?: string | Blob | FormData
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
}

const longestPauseSeconds = 10
const longestAskedSeconds = 120

/** Requests of one key; what may succeed later is repeated, after what `Retry-After` says or after growing pauses with jitter. */
export class Transport {
  readonly #options: TransportOptions

  constructor (options: TransportOptions) {
    // A variable of the environment that is not set gets past the types.
    if (typeof options.baseUrl !== 'string') throw new TabcastError('validation_error', 'baseUrl is missing: the address of the service, such as http://127.0.0.1:8080')
    this.#options = { ...options, baseUrl: options.baseUrl.replace(/\/+$/, '') }
  }

  /** `read` takes the answer of success, and is part of what is repeated. Throws TabcastError, or what the signal was aborted with. */
  async call<T> (path: string, call: Call, read: (answer: Response) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#once(path, call, read)
      } catch (error) {
        if (!(error instanceof TabcastError) || !error.retryable || attempt >= this.#options.attempts) throw error
        const backoff = Math.min(longestPauseSeconds, 0.5 * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2)
        const asked = error.retryAfterSeconds
        await pause((asked === null ? backoff : Math.min(longestAskedSeconds, asked) + Math.random() / 4) * 1000, call.signal)
      }
    }
  }

  async json<T> (path: string, call: Call = {}): Promise<T> {
    return await this.call(path, call, async (answer) => await answer.json() as T)
  }

  async #once<T> (path: string, { method = 'GET', body, headers = {}, signal }: Call, read: (answer: Response) => Promise<T>): Promise<T> {
    const { baseUrl, apiKey, timeoutMs } = this.#options
    const own = path.startsWith('/')
    const late = AbortSignal.timeout(timeoutMs)
    // A file may take as long as it needs; only the service's silence about a small request is bounded.
    const signals = [...signal === undefined ? [] : [signal], ...body === undefined || typeof body === 'string' ? [late] : []]
    try {
      const answer = await fetch(own ? baseUrl + path : path, {
        method,
        headers: own ? { ...headers, authorization: `Bearer ${apiKey}` } : headers,
        ...body === undefined ? {} : { body },
        ...signals.length === 0 ? {} : { signal: AbortSignal.any(signals) }
      })
      if (!answer.ok) throw errorOfAnswer(answer.status, await answer.text(), answer.headers.get('retry-after'))
      return await read(answer)
    } catch (error) {
      if (error instanceof TabcastError || signal?.aborted) throw error
      // fetch says TypeError for every broken connection.
      if (error instanceof TypeError || late.aborted) throw new TabcastError('connection_failed', `${baseUrl}: ${reason(error)}`, { retryable: true, cause: error })
      throw error
    }
  }
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
