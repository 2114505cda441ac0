import { WaitingJobs } from './waiting-jobs.ts'

/** After this many jobs of others, the last tenant has a turn. */
const turnsBeforeLast = 20

/** A tenant that has a turn when no other can have one, or after many turns of others. */
export interface LastTenant {
  tenant: string
  mayHaveTurn: () => boolean
  /** True: it waits until no other tenant can have a turn. Default: false. */
  waitsForAll?: () => boolean
}

/**
 * The jobs of one size that wait to be published. The tenant that used least has the next turn; tenants that used the
 * same take turns. Within a tenant the oldest job goes first. So a tenant with a million jobs delays another by at most
 * one job per turn.
 */
export class FairBacklog {
  /** In the order of turns (insertion order); the first tenant is next. */
  readonly #tenants = new Map<string, WaitingJobs>()
  readonly #last: LastTenant | undefined
  readonly #used: (tenant: string, jobId: string) => number
  /** Turns of others while the last tenant waited. */
  #passed = 0
  #size = 0

  /** `used`: what a tenant used lately, with what its next job may use. */
  constructor (last?: LastTenant, used: (tenant: string, jobId: string) => number = () => 0) {
    this.#last = last
    this.#used = used
  }

  get size (): number {
    return this.#size
  }

  sizeOf (tenant: string): number {
    return this.#tenants.get(tenant)?.size ?? 0
  }

  /** `isAgain`: the job already had its turn, so it becomes the first of its tenant. */
  add (tenant: string, jobId: string, isAgain = false): void {
    const jobs = this.#tenants.get(tenant)
    if (jobs === undefined) {
      this.#tenants.set(tenant, new WaitingJobs(jobId))
    } else if (jobs.has(jobId)) {
      return
    } else if (isAgain) {
      jobs.addFirst(jobId)
    } else {
      jobs.add(jobId)
    }
    this.#size++
  }

  delete (tenant: string, jobId: string): boolean {
    const jobs = this.#tenants.get(tenant)
    if (jobs === undefined || !jobs.delete(jobId)) return false
    if (jobs.size === 0) this.#tenants.delete(tenant)
    this.#size--
    return true
  }

  /**
   * Takes the next job. The rules are tried in order; of the tenants that pass a rule, the one that used least has the
   * turn and goes to the end of the line. The last tenant has a rule of its own.
   */
  take (...rules: Array<(tenant: string) => boolean>): { tenant: string, jobId: string } | undefined {
    const last = this.#last !== undefined && this.#tenants.has(this.#last.tenant) ? this.#last : undefined
    if (last === undefined) this.#passed = 0
    else if (this.#passed >= this.#turnsBefore(last) && last.mayHaveTurn()) return this.#takeLast(last)
    for (const mayHaveTurn of rules.length === 0 ? [() => true] : rules) {
      const tenant = this.#leastUsed((tenant) => tenant !== last?.tenant && mayHaveTurn(tenant))
      if (tenant === undefined) continue
      if (last !== undefined) this.#passed++
      return this.#takeOf(tenant)
    }
    return last?.mayHaveTurn() === true ? this.#takeLast(last) : undefined
  }

  /** The first in line of those that used least. */
  #leastUsed (mayHaveTurn: (tenant: string) => boolean): string | undefined {
    let least = Infinity
    let found: string | undefined
    for (const [tenant, jobs] of this.#tenants) {
      const used = this.#used(tenant, jobs.first() ?? '')
      if (used >= least || !mayHaveTurn(tenant)) continue
      least = used
      found = tenant
      if (used === 0) break
    }
    return found
  }

  #turnsBefore ({ waitsForAll }: LastTenant): number {
    return waitsForAll?.() === true ? Infinity : turnsBeforeLast
  }

  #takeLast ({ tenant }: LastTenant): { tenant: string, jobId: string } | undefined {
    this.#passed = 0
    return this.#takeOf(tenant)
  }

  #takeOf (tenant: string): { tenant: string, jobId: string } | undefined {
    const jobs = this.#tenants.get(tenant)
    const jobId = jobs?.first()
    if (jobs === undefined || jobId === undefined) return undefined
    this.delete(tenant, jobId)
    if (jobs.size > 0) {
      this.#tenants.delete(tenant)
      this.#tenants.set(tenant, jobs)
    }
    return { tenant, jobId }
  }

  /**
   * The number of jobs that start before this one if no more are added and all tenants used the same; undefined when it
   * does not wait here. For the last tenant, whose turn depends on others, the largest possible number.
   */
  position (tenant: string, jobId: string): number | undefined {
    const own = this.#tenants.get(tenant)
    const rank = own?.rank(jobId)
    if (own === undefined || rank === undefined) return undefined
    if (tenant === this.#last?.tenant) {
      return rank + Math.min(this.#size - own.size, (rank + 1) * this.#turnsBefore(this.#last))
    }
    let ahead = rank
    let beforeOwnTurn = true
    for (const [other, jobs] of this.#tenants) {
      if (other === this.#last?.tenant) continue
      if (other === tenant) {
        beforeOwnTurn = false
      } else {
        ahead += Math.min(jobs.size, beforeOwnTurn ? rank + 1 : rank)
      }
    }
    return ahead
  }
}
