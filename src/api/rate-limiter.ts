import type { FastifyReply } from 'fastify'
import { TabcastError } from '../platform/errors.ts'

export type LimitClass = 'read' | 'create' | 'upload' | 'agent' | 'auth-failure'

/** Of callers whose key everybody has: they are told apart by their address, and counted together in the last. */
export type SandboxClass = 'sandbox-read' | 'sandbox-post' | 'sandbox-posts'

export type Limit = ({ perMinute: number } | { perHour: number }) & {
  /** How many may come at once; default: the quota. */
  burst?: number
  /** The keys of a tenant together may send so many times what one of them may; default: one. */
  tenantFactor?: number
}

/** A key and its tenant. Without a tenant there is one bucket. */
export interface Caller {
  id: string
  tenant?: string
}

interface Bucket {
  tokens: number
  atMs: number
}

/** What one bucket takes. */
interface Rate {
  name: string
  quota: number
  windowSeconds: number
  capacity: number
  bucket: Bucket
}

/** Callers that are remembered; beyond it the ones that have been idle longest are forgotten, to their advantage. */
const maxBuckets = 100_000

/**
 * Token buckets by class and key, and by class and tenant, in this process: it is the only one that answers for its
 * data folder. A bucket fills evenly, so that nobody can send two minutes' quota around the turn of a window.
 */
export class RateLimiter<Class extends string = LimitClass> {
  readonly #limits: Record<Class, Limit>
  readonly #now: () => number
  /** In the order of their last use. */
  readonly #buckets = new Map<string, Bucket>()

  constructor (limits: Record<Class, Limit>, now: () => number = () => performance.now()) {
    this.#limits = limits
    this.#now = now
  }

  /**
   * Counts one request for the key and for its tenant, or for neither, and writes the headers: those of whichever has
   * less left. Returns the refusal when one of them has nothing left.
   */
  take (limitClass: Class, caller: Caller, reply: FastifyReply): TabcastError | undefined {
    return this.takeAll([[limitClass, caller]], reply)
  }

  /** The same of several classes: all of them are counted, or none. */
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

/** A request may count in several classes; both headers are lists. */
function append (reply: FastifyReply, name: string, item: string): void {
  const before = reply.getHeader(name)
  reply.header(name, before === undefined ? item : `${String(before)}, ${item}`)
}
