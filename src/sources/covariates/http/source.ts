import type { ProviderError } from '../provider-error.ts'
import type { Answered } from './answer-cache.ts'

export interface Question<T> {
  path: string
  parameters: Record<string, string>
  /** Content types that the documented answer may have. */
  accepts: readonly string[]
  ttlMs: number
  /**
   * Parses the body, in the same way for every question with the same address. Throws InvalidAnswer, or a ProviderError
   * if a body with a good status reports a failure.
   */
  read: (body: Buffer) => T
  /** Approximate size of the value in the cache; absent: the size of its body. */
  cachedBytes?: number
  /** The provider's meaning of an error status, if it says more than the status alone. */
  refusal?: (status: number, body: Buffer) => ProviderError | undefined
  /** Ignores cached answers, because the cached one could not be read. */
  fresh?: boolean
  /** Who asks, for a fair share of the quota. If several ask the same, the first one. Absent: the operator. */
  tenant?: string
  signal: AbortSignal
}

/** One address of one provider, wherever the requests are made. */
export interface Source {
  /** The provider's id. */
  readonly id: string
  /** Rejects with a ProviderError or the signal's reason. */
  get<T>(question: Question<T>): Promise<Answered<T>>
}
