import { Paces } from './paces.ts'
import { WaitingJobs } from './waiting-jobs.ts'

/** After this many jobs of others, the last tenant has a turn. */
const turnsBeforeLast = 20

/** Above this number, tenants whose turns have ended are forgotten. */
const maxEnds = 10_000

/** A tenant that has a turn when no other can have one, or after many turns of others. */
export interface LastTenant {
  tenant: string
  mayHaveTurn: () => boolean
  /** True: it waits until no other tenant can have a turn. Default: false. */
  waitsForAll?: () => boolean
}

/**
 * The jobs of one size that wait to be published: fair queueing by time (virtual time is that of Goyal, Vin and Cheng,
 * Start-time fair queueing, IEEE/ACM Transactions on Networking 5, 1997). In virtual time, a turn of a tenant begins
 * when its last one ends, or when its job comes, and lasts as long as the job is expected to take; the turn that would
 * end first is next. So a tenant with a million jobs, or with long ones, delays another's short job by at most the one
 * that runs, as long as the other has not had its share. A tenant that was idle has saved nothing. Jobs that are
 * expected to take the same take turns. Within a tenant the oldest goes first. What a job is expected to take is its
 * estimate at the pace of its tenant's last jobs, and corrected when it has ended.
 */
export class FairBacklog {
  /** In the order of their last turns. */
  readonly #tenants = new Map<string, WaitingJobs>()
  readonly #last: LastTenant | undefined
  readonly #estimateMs: (jobId: string) => number
  /** Tenant -> when its last turn ends, in virtual time. */
  readonly #ends = new Map<string, number>()
  /** Waiting tenant -> when its next turn begins, in virtual time. */
  readonly #starts = new Map<string, number>()
  readonly #paces = new Paces()
  /** Job that had its turn and has not ended -> its estimate, and what it was expected to take. */
  readonly #taken = new Map<string, { estimatedMs: number, expectedMs: number }>()
  /** Virtual time: when the latest turn begins. */
  #nowMs = 0
  /** Turns of others while the last tenant waited. */
  #passed = 0
  #size = 0

  constructor (last?: LastTenant, estimateMs: (jobId: string) => number = () => 1) {
    this.#last = last
    this.#estimateMs = estimateMs
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
      this.#starts.set(tenant, this.#freeFrom(tenant))
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
    if (jobs.size === 0) {
      this.#tenants.delete(tenant)
      this.#starts.delete(tenant)
    }
    this.#size--
    return true
  }

  /**
   * Takes the next job. The rules are tried in order; of the tenants that pass a rule, the one whose turn would end
   * first has it and goes to the end of the line. The last tenant has a rule of its own.
   */
  take (...rules: Array<(tenant: string) => boolean>): { tenant: string, jobId: string } | undefined {
    const last = this.#last !== undefined && this.#tenants.has(this.#last.tenant) ? this.#last : undefined
    if (last === undefined) this.#passed = 0
    else if (this.#passed >= this.#turnsBefore(last) && last.mayHaveTurn()) return this.#takeLast(last)
    for (const mayHaveTurn of rules.length === 0 ? [() => true] : rules) {
      const tenant = this.#first((tenant) => tenant !== last?.tenant && mayHaveTurn(tenant))
      if (tenant === undefined) continue
      if (last !== undefined) this.#passed++
      return this.#takeOf(tenant)
    }
    return last?.mayHaveTurn() === true ? this.#takeLast(last) : undefined
  }

  /**
   * If the job took longer than expected, the tenant's next turn comes later, otherwise earlier. `isCut`: it was
   * deleted or stopped on its way, or failed. It may have cost more than its time, so nothing is given back.
   */
  ended (tenant: string, jobId: string, tookMs: number, isCut = false): void {
    const turn = this.#taken.get(jobId)
    if (turn === undefined) return
    this.#taken.delete(jobId)
    const moreMs = tookMs - turn.expectedMs
    if (isCut && moreMs <= 0) return
    this.#paces.ran(tenant, turn.estimatedMs, tookMs)
    this.#ends.set(tenant, this.#freeFrom(tenant) + moreMs)
    const startMs = this.#starts.get(tenant)
    if (startMs === undefined) return
    this.#starts.set(tenant, Math.max(startMs + moreMs, Math.min(startMs, this.#nowMs)))
  }

  /** The job had its turn, but will not run. */
  forget (jobId: string): void {
    this.#taken.delete(jobId)
  }

  /** When a turn of the tenant can begin. */
  #freeFrom (tenant: string): number {
    return Math.max(this.#nowMs, this.#ends.get(tenant) ?? 0)
  }

  #first (mayHaveTurn: (tenant: string) => boolean): string | undefined {
    let first = Infinity
    let found: string | undefined
    for (const [tenant, jobs] of this.#tenants) {
      const endMs = this.#endMs(tenant, jobs)
      if (endMs >= first || !mayHaveTurn(tenant)) continue
      first = endMs
      found = tenant
    }
    return found
  }

  /** When the tenant's next turn would end, in virtual time. */
  #endMs (tenant: string, jobs: WaitingJobs): number {
    return (this.#starts.get(tenant) ?? 0) + this.#estimateMs(jobs.first() ?? '') * this.#paces.of(tenant)
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
    const startMs = this.#starts.get(tenant) ?? 0
    const endMs = this.#endMs(tenant, jobs)
    this.#taken.set(jobId, { estimatedMs: this.#estimateMs(jobId), expectedMs: endMs - startMs })
    this.#nowMs = Math.max(this.#nowMs, startMs)
    this.#ends.set(tenant, endMs)
    if (this.#ends.size > maxEnds) this.#forgetPast()
    this.delete(tenant, jobId)
    if (jobs.size > 0) {
      this.#tenants.delete(tenant)
      this.#tenants.set(tenant, jobs)
      this.#starts.set(tenant, endMs)
    }
    return { tenant, jobId }
  }

  /** A turn that has ended says nothing more. */
  #forgetPast (): void {
    for (const [tenant, endMs] of this.#ends) if (endMs <= this.#nowMs) this.#ends.delete(tenant)
  }

  /**
   * The number of jobs that start before this one if no more are added and all take the same; undefined when it does
   * not wait here. For the last tenant, whose turn depends on others, the largest possible number.
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
