import type { FastifyReply } from 'fastify'
import { TabcastError } from '../errors.ts'

export type LimitClass = 'read' | 'create' | 'upload' | 'agent' | 'auth-failure'

export interface Limit {
  perMinute: number
  /** How many may come at once; default: the minute's quota. */
  burst?: number
}

interface Bucket { tokens: number, atMs: number }

/** Callers that are remembered; beyond it the ones that have been idle longest are forgotten, to their advantage. */
const maxBuckets = 100_000

/**
 * Token buckets by class and caller, in this process: it is the only one that answers for its data folder. A bucket fills
 * evenly, so that nobody can send two minutes' quota around the turn of a window.
 */
export class RateLimiter {
  readonly #limits: Record<LimitClass, Limit>
  readonly #now: () => number
  readonly #buckets = new Map<string, Bucket>()

  constructor (limits: Record<LimitClass, Limit>, now: () => number = () => performance.now()) {
    this.#limits = limits
    this.#now = now
  }

  /** Counts one request and writes the headers; returns the refusal when there is nothing left. */
  take (limitClass: LimitClass, caller: string, reply: FastifyReply): TabcastError | undefined {
    const limit = this.#limits[limitClass]
    const capacity = Math.min(limit.burst ?? limit.perMinute, limit.perMinute)
    const perMs = limit.perMinute / 60_000
    const bucket = this.#bucket(`${limitClass} ${caller}`, capacity, perMs)
    const isTaken = bucket.tokens >= 1
    if (isTaken) bucket.tokens--
    const fullInSeconds = Math.ceil((capacity - bucket.tokens) / perMs / 1000)
    append(reply, 'ratelimit-policy', `"${limitClass}";q=${limit.perMinute};w=60`)
    append(reply, 'ratelimit', `"${limitClass}";r=${Math.floor(bucket.tokens)};t=${fullInSeconds}`)
    if (isTaken) return undefined
    const retryAfterSeconds = Math.max(1, Math.ceil((1 - bucket.tokens) / perMs / 1000))
    return new TabcastError('rate_limited', undefined, { retryAfterSeconds })
  }

  #bucket (name: string, capacity: number, perMs: number): Bucket {
    const nowMs = this.#now()
    const known = this.#buckets.get(name)
    if (known !== undefined) {
      known.tokens = Math.min(capacity, known.tokens + (nowMs - known.atMs) * perMs)
      known.atMs = nowMs
      return known
    }
    if (this.#buckets.size >= maxBuckets) this.#forgetIdlest()
    const bucket = { tokens: capacity, atMs: nowMs }
    this.#buckets.set(name, bucket)
    return bucket
  }

  #forgetIdlest (): void {
    const byIdleness = [...this.#buckets].sort(([, a], [, b]) => a.atMs - b.atMs)
    for (const [name] of byIdleness.slice(0, maxBuckets / 10)) this.#buckets.delete(name)
  }
}

/** A request may count in several classes; both headers are lists. */
function append (reply: FastifyReply, name: string, item: string): void {
  const before = reply.getHeader(name)
  reply.header(name, before === undefined ? item : `${String(before)}, ${item}`)
}
