/**
 * The jobs of one size that wait to be published. Tenants take turns; within a tenant the oldest goes first, so one
 * tenant with a million jobs delays another one by at most one job per turn.
 */
export class FairBacklog {
  /** Insertion order is the order of turns: the tenant at the front is next. */
  readonly #tenants = new Map<string, Set<string>>()
  #size = 0

  get size (): number { return this.#size }

  sizeOf (tenant: string): number { return this.#tenants.get(tenant)?.size ?? 0 }

  /** `isAgain`: it had its turn before, and is the next of its tenant. */
  add (tenant: string, jobId: string, isAgain = false): void {
    const jobs = this.#tenants.get(tenant)
    if (jobs === undefined) {
      this.#tenants.set(tenant, new Set([jobId]))
    } else if (jobs.has(jobId)) {
      return
    } else if (isAgain) {
      this.#tenants.set(tenant, new Set([jobId, ...jobs]))
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

  /** Takes the next job of the first tenant that may have a turn; that tenant goes to the end of the line. */
  take (mayHaveTurn: (tenant: string) => boolean = () => true): { tenant: string, jobId: string } | undefined {
    for (const [tenant, jobs] of this.#tenants) {
      const [jobId] = jobs
      if (jobId === undefined || !mayHaveTurn(tenant)) continue
      this.delete(tenant, jobId)
      if (jobs.size > 0) {
        this.#tenants.delete(tenant)
        this.#tenants.set(tenant, jobs)
      }
      return { tenant, jobId }
    }
    return undefined
  }

  /** Jobs that start before this one if nothing is added; undefined when it does not wait here. */
  position (tenant: string, jobId: string): number | undefined {
    const own = this.#tenants.get(tenant)
    if (own === undefined || !own.has(jobId)) return undefined
    let rank = 0
    for (const id of own) {
      if (id === jobId) break
      rank++
    }
    let ahead = rank
    let beforeOwnTurn = true
    for (const [other, jobs] of this.#tenants) {
      if (other === tenant) {
        beforeOwnTurn = false
      } else {
        ahead += Math.min(jobs.size, beforeOwnTurn ? rank + 1 : rank)
      }
    }
    return ahead
  }
}
