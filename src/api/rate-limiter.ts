import type { FastifyReply } from 'fastify'
import { TabcastError } from '../platform/errors.ts'

export type LimitClass = 'read' | 'create' | 'upload' | 'agent' | 'auth-failure'

/** Limits for the public sandbox key. The first two count by address, the last counts all callers together. */
export type SandboxClass = 'sandbox-read' | 'sandbox-post' | 'sandbox-posts'

export type Limit = ({ perMinute: number } | { perHour: number }) & {
  /** The largest burst; default: the quota. */
  burst?: number
  /** All keys of a tenant together may send this many times as much as one; default: 1. */
  tenantFactor?: number
}

/** A key and its tenant. Without a tenant there is only one bucket. */
export interface Caller {
  id: string
  tenant?: string
}

interface Bucket {
  tokens: number
  atMs: number
}

/** The rate of one bucket. */
interface Rate {
  name: string
  quota: number
  windowSeconds: number
  capacity: number
  bucket: Bucket
}

/** Callers that are remembered. Beyond it the ones that have been idle longest are forgotten, which only helps them. */
const maxBuckets = 100_000

/**
 * Token buckets by class and key, and by class and tenant. They are in memory, because only this process serves the
 * data folder. A bucket fills evenly, so nobody can send two minutes' quota around the end of a minute.
 */
export class RateLimiter<Class extends string = LimitClass> {
  readonly #limits: Record<Class, Limit>
  readonly #now: () => number
  /** In order of last use. */
  readonly #buckets = new Map<string, Bucket>()

  constructor (limits: Record<Class, Limit>, now: () => number = () => performance.now()) {
    this.#limits = limits
    this.#now = now
  }

  /**
   * Counts one request for the key and its tenant, or for neither, and writes the headers of the one with less left.
   * Returns the refusal when either has nothing left.
   */
  take (limitClass: Class, caller: Caller, reply: FastifyReply): TabcastError | undefined {
    return this.takeAll([[limitClass, caller]], reply)
  }

  /** Does the same for several classes: counts all of them, or none. */
  takeAll (wanted: ReadonlyArray<readonly [Class, Caller]>, reply: FastifyReply): TabcastError | undefined {
    const rates = wanted.flatMap(([limitClass, { id, tenant }]) => {
      const limit = this.#limits[limitClass]
      const own = this.#rate(limitClass, `key ${id}`, limit, 1)
      return tenant === undefined
        ? [own]
        : [own, this.#rate(`${limitClass}-tenant`, tenant, limit, limit.tenantFactor ?? 1)]
    })
    const isTaken = rates.every(({ bucket }) => bucket.tokens >= 1)
    if (isTaken) { for (const { bucket } of rates) bucket.tokens-- }
    const shown = rates.reduce((less, rate) => rate.bucket.tokens < less.bucket.tokens ? rate : less)
    append(reply, 'ratelimit-policy', `"${shown.name}";q=${shown.quota};w=${shown.windowSeconds}`)
    append(reply, 'ratelimit',
      `"${shown.name}";r=${Math.floor(shown.bucket.tokens)};t=${secondsUntil(shown, shown.capacity)}`)
    if (isTaken) return undefined
    return new TabcastError('rate_limited', undefined, {
      retryAfterSeconds: Math.max(1, ...rates.map((rate) => secondsUntil(rate, 1)))
    })
  }

  #rate (name: string, caller: string, limit: Limit, factor: number): Rate {
    const [one, windowSeconds] = 'perHour' in limit ? [limit.perHour, 3600] : [limit.perMinute, 60]
    const capacity = Math.min(limit.burst ?? one, one) * factor
    const quota = one * factor
    return {
      name,
      quota,
      windowSeconds,
      capacity,
      bucket: this.#bucket(`${name} ${caller}`, capacity, quota / (windowSeconds * 1000))
    }
  }

  #bucket (name: string, capacity: number, perMs: number): Bucket {
    const nowMs = this.#now()
    const known = this.#buckets.get(name)
    const bucket = known === undefined
      ? { tokens: capacity, atMs: nowMs }
      : { tokens: Math.min(capacity, known.tokens + (nowMs - known.atMs) * perMs), atMs: nowMs }
    this.#buckets.delete(name)
    if (this.#buckets.size >= maxBuckets) this.#forgetIdlest()
    this.#buckets.set(name, bucket)
    return bucket
  }

  #forgetIdlest (): void {
    const [idlest] = this.#buckets.keys()
    if (idlest !== undefined) this.#buckets.delete(idlest)
  }
}

function secondsUntil ({ quota, windowSeconds, bucket }: Rate, tokens: number): number {
  return Math.ceil((tokens - bucket.tokens) / quota * windowSeconds)
}

/** A request may count in several classes, so both headers are lists. */
function append (reply: FastifyReply, name: string, item: string): void {
  const before = reply.getHeader(name)
  reply.header(name, before === undefined ? item : `${String(before)}, ${item}`)
}
