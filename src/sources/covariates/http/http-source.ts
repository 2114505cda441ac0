import { exchange, type Answer } from '../../../platform/network/exchange.ts'
import type { NetworkPolicy } from '../../../platform/network/network-policy.ts'
import { retry } from '../../../platform/time/retry.ts'
import { ProviderError } from '../provider-error.ts'
import type { AnswerCache, Answered } from './answer-cache.ts'
import type { DiskCache } from './disk-cache.ts'
import { failureOf, refusalOf } from './failures.ts'
import { InvalidAnswer } from './invalid-answer.ts'
import type { ProviderRequests } from './provider-requests.ts'
import type { RequestQuota } from './request-quota.ts'
import type { Question, Source } from './source.ts'
import { unlessAborted } from './unless-aborted.ts'

export interface HttpSettings {
  /** The provider's id. */
  id: string
  /** Its address, to which paths are appended. */
  baseUrl: string
  /** Parameters that are sent but are never part of the cache key. */
  secrets?: Record<string, string>
  policy: NetworkPolicy
  /** The time limit of a whole request. */
  timeoutMs: number
  /** The size limit of a body, inflated. */
  maxBytes: number
  quota: RequestQuota
  /** Counts requests; absent: they are not counted. */
  requests?: ProviderRequests
  cache: AnswerCache
  /** A second cache for bodies that outlive the process; absent: none. */
  diskCache?: DiskCache
  /** Pauses before the retries, in milliseconds; their number is that of the retries. */
  retryPausesMs: readonly number[]
  /** Longest pause that is waited for, including one that Retry-After asks for; a longer one fails at once. */
  maxWaitMs: number
  /** Longest wait for a turn within the quota, milliseconds. */
  maxTurnMs: number
}

/** A current request, shared by all who ask the same. */
interface Flight {
  answered: Promise<Answered<unknown>>
  callers: number
  end: AbortController
}

/**
 * GET requests to one address of one provider: cached, shared by simultaneous callers, within the quota, and with a
 * limited number of retries.
 */
export class HttpSource implements Source {
  readonly #settings: HttpSettings
  readonly #flights = new Map<string, Flight>()

  constructor (settings: HttpSettings) {
    this.#settings = settings
  }

  get id (): string {
    return this.#settings.id
  }

  /** Rejects with a ProviderError or the signal's reason. The shared request goes on until the last caller gives up. */
  async get<T> (question: Question<T>): Promise<Answered<T>> {
    const { signal } = question
    signal.throwIfAborted()
    const key = `${this.id} ${this.#address(question.path, question.parameters).href}`
    // The cast is safe: the address determines how the body is read, so the type is that of the question.
    const cached = question.fresh === true ? undefined : this.#settings.cache.get(key) as Answered<T> | undefined
    if (cached !== undefined) return cached
    const flight = this.#flights.get(key) ?? this.#begin(key, question)
    flight.callers++
    try {
      return await unlessAborted(flight.answered as Promise<Answered<T>>, signal)
    } finally {
      if (--flight.callers === 0) {
        this.#forget(key, flight)
        flight.end.abort(new Error('nobody waits for the answer any more'))
      }
    }
  }

  #begin (key: string, question: Question<unknown>): Flight {
    const end = new AbortController()
    const flight: Flight = {
      answered: this.#fetch(key, { ...question, signal: end.signal }).finally(() => this.#forget(key, flight)),
      callers: 0,
      end
    }
    this.#flights.set(key, flight)
    return flight
  }

  /** From now on, whoever asks the same starts another request. */
  #forget (key: string, flight: Flight): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key)
  }

  async #fetch<T> (key: string, question: Question<T>): Promise<Answered<T>> {
    const { id, retryPausesMs, maxWaitMs } = this.#settings
    const stored = question.fresh === true ? undefined : await this.#stored(key, question)
    if (stored !== undefined) return stored
    const ask = async (): Promise<Answered<T>> => {
      try {
        const { body } = await this.#counted(question)
        const answered = { value: question.read(body), fetchedAtMs: Date.now() }
        this.#settings.cache.set(key, answered, question.cachedBytes ?? body.length, question.ttlMs)
        await this.#settings.diskCache?.set(key, { body, fetchedAtMs: answered.fetchedAtMs }, question.ttlMs)
        return answered
      } catch (thrown) {
        question.signal.throwIfAborted()
        throw thrown instanceof ProviderError ? thrown : failureOf(id, thrown)
      }
    }
    return await retry(ask, {
      signal: question.signal,
      pausesMs: retryPausesMs,
      longestMs: maxWaitMs,
      isRetryable: (error) => error instanceof ProviderError && error.retryable && error.code !== 'QUOTA_REACHED',
      askedMs: (error) => (error as ProviderError).retryAfterMs ?? 0
    })
  }

  /** An answer that an earlier process got, parsed again, because a newer release may read more of a body. */
  async #stored<T> (key: string, question: Question<T>): Promise<Answered<T> | undefined> {
    const { cache, diskCache } = this.#settings
    const stored = await diskCache?.get(key)
    if (stored === undefined) return undefined
    let value: T
    try {
      value = question.read(stored.body)
    } catch (error) {
      if (error instanceof InvalidAnswer || error instanceof ProviderError) return undefined
      throw error
    }
    const answered = { value, fetchedAtMs: stored.fetchedAtMs }
    cache.set(key, answered, question.cachedBytes ?? stored.body.length, question.ttlMs)
    return answered
  }

  async #counted (question: Question<unknown>): Promise<Answer> {
    const { id, requests } = this.#settings
    try {
      const answer = await this.#ask(question)
      requests?.add(id, 'answered')
      return answer
    } catch (error) {
      // A request that the quota refused was never sent, and one that nobody waits for did not fail.
      if (!question.signal.aborted && !(error instanceof ProviderError && error.code === 'QUOTA_REACHED')) {
        requests?.add(id, 'failed')
      }
      throw error
    }
  }

  async #ask ({ path, parameters, accepts, refusal, tenant, signal }: Question<unknown>): Promise<Answer> {
    const { id, secrets = {}, policy, quota, timeoutMs, maxBytes, maxTurnMs } = this.#settings
    if (!await quota.take(tenant, maxTurnMs, signal)) throw new ProviderError(id, 'QUOTA_REACHED')
    const url = this.#address(path, { ...parameters, ...secrets })
    const headers = { accept: accepts.join(', '), 'user-agent': 'tabcast' }
    const answer = await exchange({ url, headers, agent: policy.agent(url.protocol), timeoutMs, maxBytes, signal })
    if (answer.status < 200 || answer.status > 299) throw refusal?.(answer.status, answer.body) ?? refusalOf(id, answer)
    if (!accepts.includes(answer.contentType)) {
      throw new ProviderError(id, 'INVALID_ANSWER', { detail: `it is not ${accepts.join(' or ')}` })
    }
    return answer
  }

  #address (path: string, parameters: Record<string, string>): URL {
    const url = new URL(this.#settings.baseUrl.replace(/\/$/, '') + path)
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    return url
  }
}
