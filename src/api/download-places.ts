import { TabcastError } from '../platform/errors.ts'
import { countedFor, isVisitor } from '../services/keys/payer.ts'
import { sandboxTenant } from '../services/keys/scopes.ts'

/** So many tenants can have all of their places at the same time. Beyond that each has one. */
const fullTenants = 8
const maxWaitMs = 5000
const retryAfterSeconds = 10

/**
 * A visitor of the sandbox has this fraction of a tenant's places, and all visitors together have this multiple of
 * them. A visitor without a place gets an extra one, up to twice that multiple in all.
 */
const visitorShare = 4

/**
 * Limits the concurrent downloads of a tenant, because one thread sends all of them. Further downloads wait for some
 * seconds; as many may wait as there are places. A tenant without a download always gets a place, however many others
 * have.
 */
export class DownloadPlaces {
  readonly #perTenant: number
  readonly #waitMs: number
  readonly #underWay = new Map<string, number>()
  #total = 0
  /** Payer -> its waiting downloads in order of arrival. The payers are in order of their turns. */
  readonly #waiting = new Map<string, Set<() => void>>()

  constructor ({ perTenant, waitMs = maxWaitMs }: { perTenant: number, waitMs?: number }) {
    this.#perTenant = perTenant
    this.#waitMs = waitMs
  }

  /** Returns the function that frees the place, which may be called more than once. Rejects with rate_limited. */
  async take (payer: string): Promise<() => void> {
    if (!this.#mayBegin(payer)) await this.#turn(payer)
    else this.#count(payer, 1)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#end(payer)
    }
  }

  async #turn (payer: string): Promise<void> {
    const own = this.#waiting.get(payer) ?? new Set()
    if (own.size >= this.#mostOf(payer)) throw this.#refusal(payer)
    await new Promise<void>((resolve, reject) => {
      const start = (): void => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        this.#forget(payer, start)
        reject(this.#refusal(payer))
      }, this.#waitMs)
      this.#waiting.set(payer, own.add(start))
    })
  }

  #end (payer: string): void {
    this.#count(payer, -1)
    for (const [other, own] of [...this.#waiting]) {
      const [next] = own
      if (next === undefined || !this.#mayBegin(other)) continue
      this.#forget(other, next)
      // Moves the payer behind the others.
      if (this.#waiting.delete(other)) this.#waiting.set(other, own)
      this.#count(other, 1)
      next()
    }
  }

  #forget (payer: string, start: () => void): void {
    const own = this.#waiting.get(payer)
    own?.delete(start)
    if (own?.size === 0) this.#waiting.delete(payer)
  }

  #count (payer: string, by: 1 | -1): void {
    for (const name of countedFor(payer)) {
      const count = this.#underWayOf(name) + by
      if (count === 0) this.#underWay.delete(name)
      else this.#underWay.set(name, count)
    }
    this.#total += by
  }

  #underWayOf (name: string): number {
    return this.#underWay.get(name) ?? 0
  }

  #mostOf (payer: string): number {
    return isVisitor(payer) ? Math.ceil(this.#perTenant / visitorShare) : this.#perTenant
  }

  #mayBegin (payer: string): boolean {
    const own = this.#underWayOf(payer)
    // A caller with many addresses counts as many visitors, so all visitors together are limited too.
    const mostOfAll = this.#perTenant * visitorShare * (own === 0 ? 2 : 1)
    if (isVisitor(payer) && this.#underWayOf(sandboxTenant) >= mostOfAll) return false
    return own === 0 || (own < this.#mostOf(payer) && this.#total < this.#perTenant * fullTenants)
  }

  #refusal (payer: string): TabcastError {
    const text = `${this.#mostOf(payer)} downloads ${
      isVisitor(payer) ? 'to one address' : 'of this tenant'
    } are sent at a time, and none of them has ended.`
    return new TabcastError('rate_limited', text, {
      reason: 'downloads',
      suggestion: 'Wait until a download has ended; fewer at a time are no slower.',
      retryAfterSeconds
    })
  }
}
