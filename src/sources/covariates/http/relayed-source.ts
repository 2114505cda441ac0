import { readFile, rm } from 'node:fs/promises'
import { ProviderError, type ProviderCode } from '../provider-error.ts'
import { AnswerCache, type Answered } from './answer-cache.ts'
import { failureOf } from './failures.ts'
import type { Question, Source } from './source.ts'
import { unlessAborted } from './unless-aborted.ts'

/** One GET that another process makes; that process has the address, the key and the cached answers. */
export interface RelayedQuestion extends Pick<Question<unknown>, 'path' | 'parameters' | 'accepts' | 'ttlMs'> {
  id: string
  baseUrl: string
  fresh: boolean
}

/** Bodies are in files, which the reader removes. */
export type RelayedAnswer =
  | { ok: true, path: string, fetchedAtMs: number }
  | { ok: false, code: ProviderCode, detail?: string, retryAfterMs?: number,
    refusal?: { status: number, path: string } }

/** Rejects if the answer cannot be handed over. */
export type Relay = (question: RelayedQuestion) => Promise<RelayedAnswer>

interface RelayedSourceOptions {
  id: string
  baseUrl: string
  relay: Relay
  /** Caches parsed bodies. */
  cache: AnswerCache
}

/** Asks a provider through another process, and parses the answer in this one. */
export class RelayedSource implements Source {
  readonly id: string
  readonly #baseUrl: string
  readonly #relay: Relay
  readonly #cache: AnswerCache

  constructor ({ id, baseUrl, relay, cache }: RelayedSourceOptions) {
    this.id = id
    this.#baseUrl = baseUrl
    this.#relay = relay
    this.#cache = cache
  }

  async get<T> (question: Question<T>): Promise<Answered<T>> {
    const { path, parameters, ttlMs, signal } = question
    signal.throwIfAborted()
    const key = JSON.stringify([this.id, this.#baseUrl, path, parameters])
    // The cast is safe: the address determines how the body is read, so the type is that of the question.
    const cached = this.#cache.get(key) as Answered<T> | undefined
    if (cached !== undefined) return cached
    const askedAtMs = Date.now()
    let read = await this.#ask(question, false)
    // A cached body may come from an earlier release and be unreadable for this one, so it is requested again.
    if (!read.ok && read.fetchedAtMs < askedAtMs) read = await this.#ask(question, true)
    if (!read.ok) throw read.error
    this.#cache.set(key, read.answered, question.cachedBytes ?? read.bytes, ttlMs)
    return read.answered
  }

  async #ask<T> (question: Question<T>, fresh: boolean): Promise<
    { ok: true, answered: Answered<T>, bytes: number } | { ok: false, error: ProviderError, fetchedAtMs: number }
  > {
    const { path, parameters, accepts, ttlMs, signal } = question
    const { id } = this
    const answer = await unlessAborted(
      this.#relay({ id, baseUrl: this.#baseUrl, path, parameters, accepts, ttlMs, fresh }),
      signal
    )
    if (!answer.ok) {
      const { code, refusal, ...details } = answer
      const said = refusal === undefined ? undefined : question.refusal?.(refusal.status, await take(refusal.path))
      throw said ?? new ProviderError(id, code, details)
    }
    const { fetchedAtMs } = answer
    const body = await take(answer.path)
    try {
      return { ok: true, answered: { value: question.read(body), fetchedAtMs }, bytes: body.length }
    } catch (thrown) {
      return { ok: false, error: thrown instanceof ProviderError ? thrown : failureOf(id, thrown), fetchedAtMs }
    }
  }
}

async function take (path: string): Promise<Buffer> {
  const body = await readFile(path)
  await rm(path)
  return body
}
