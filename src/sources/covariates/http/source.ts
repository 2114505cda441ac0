import type { ProviderError } from '../provider-error.ts'
import type { Answered } from './answer-cache.ts'

export interface Question<T> {
  path: string
  parameters: Record<string, string>
  /** Content types that the documented answer may have. */
  accepts: readonly string[]
  ttlMs: number
  /**
   * Reads the body; the same for every question of the same address. Throws InvalidAnswer, or a ProviderError where a
   * good status carries a failure.
   */
  read: (body: Buffer) => T
  /** About what a value takes in the cache; as long as its body when this is left out. */
  cachedBytes?: number
  /** What a status that is no success means at this provider, where that is more than the status says. */
  refusal?: (status: number, body: Buffer) => ProviderError | undefined
  /** What is kept of an earlier answer is not taken: it could not be read. */
  fresh?: boolean
  signal: AbortSignal
}

/** One address of one provider, as a provider asks it, wherever the requests are made. */
export interface Source {
  /** The provider's. */
  readonly id: string
  /** Rejects with a ProviderError or the signal's reason. */
  get<T>(question: Question<T>): Promise<Answered<T>>
}
