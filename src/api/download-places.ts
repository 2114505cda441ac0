import { TabcastError } from '../platform/errors.ts'

/** So many tenants have all their places at a time; beyond that each has one. */
const fullTenants = 8
const maxWaitMs = 5000
const retryAfterSeconds = 10

/**
 * How many downloads of one tenant are sent side by side: one thread sends those of everybody. What is beyond waits for
 * some seconds, and as many may wait as there are places. Whoever has none gets one, however many others have.
 */
export class DownloadPlaces {
  readonly #perTenant: number
  readonly #waitMs: number
  readonly #underWay = new Map<string, number>()
  #total = 0
  /** Tenant -> who waits, in the order they came; the tenants in the order of their turns. */
  readonly #waiting = new Map<string, Set<() => void>>()

  constructor ({ perTenant, waitMs = maxWaitMs }: { perTenant: number, waitMs?: number }) {
    this.#perTenant = perTenant
    this.#waitMs = waitMs
  }

  /** Gives what gives the place back, more than one call included. Rejects with rate_limited. */
  async take (tenant: string): Promise<() => void> {
    if (!this.#mayBegin(tenant)) await this.#turn(tenant)
    else this.#begin(tenant)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#end(tenant)
    }
  }

  async #turn (tenant: string): Promise<void> {
    const own = this.#waiting.get(tenant) ?? new Set()
    if (own.size >= this.#perTenant) throw this.#refusal()
    await new Promise<void>((resolve, reject) => {
      const start = (): void => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        this.#forget(tenant, start)
        reject(this.#refusal())
      }, this.#waitMs)
      this.#waiting.set(tenant, own.add(start))
    })
  }

  #end (tenant: string): void {
    const left = (this.#underWay.get(tenant) ?? 0) - 1
    if (left > 0) this.#underWay.set(tenant, left)
    else this.#underWay.delete(tenant)
    this.#total--
    for (const [other, own] of [...this.#waiting]) {
      const [next] = own
      if (next === undefined || !this.#mayBegin(other)) continue
      this.#forget(other, next)
      // Behind the others: its next turn comes after theirs.
      if (this.#waiting.delete(other)) this.#waiting.set(other, own)
      this.#begin(other)
      next()
    }
  }

  #forget (tenant: string, start: () => void): void {
    const own = this.#waiting.get(tenant)
    own?.delete(start)
    if (own?.size === 0) this.#waiting.delete(tenant)
  }

  #begin (tenant: string): void {
    this.#underWay.set(tenant, (this.#underWay.get(tenant) ?? 0) + 1)
    this.#total++
  }

  #mayBegin (tenant: string): boolean {
    const own = this.#underWay.get(tenant) ?? 0
    return own === 0 || (own < this.#perTenant && this.#total < this.#perTenant * fullTenants)
  }

  #refusal (): TabcastError {
    const text = `${this.#perTenant} downloads of this tenant are sent at a time, and none of them has ended.`
    return new TabcastError('rate_limited', text, {
      reason: 'downloads', suggestion: 'Wait until a download has ended; fewer at a time are no slower.', retryAfterSeconds
    })
  }
}
