import type { JobSize } from '../../domain/job.ts'
import type { WorkerPresence } from './worker-presence.ts'

/** Of the slots for large jobs, the part that is the sandbox's own. */
const share = 0.25
/** Announcements of a worker for which the sandbox borrows nothing after it has made way: at first, and at most. */
const firstPause = 1
const longestPause = 16

export interface SandboxSlotsOptions {
  presence: Pick<WorkerPresence, 'available'>
  /** Between two announcements of a worker. */
  heartbeatMs: number
  now?: () => number
}

/**
 * Which slots the sandbox may have; all its jobs are large. Where its share is less than a slot, as on a worker of two,
 * it borrows one that is idle, and makes way when a job of a tenant waits for it: such a worker has one slot for large
 * jobs, and a visitor would hold it for a minute. Each time it waits twice as long before it borrows again, so that
 * tenants who send one job after the other meet it seldom.
 */
export class SandboxSlots {
  readonly #presence: Pick<WorkerPresence, 'available'>
  readonly #heartbeatMs: number
  readonly #now: () => number
  #pause = firstPause
  #pausedUntilMs = -Infinity

  constructor ({ presence, heartbeatMs, now = () => performance.now() }: SandboxSlotsOptions) {
    this.#presence = presence
    this.#heartbeatMs = heartbeatMs
    this.#now = now
  }

  /** It has no slot of its own. */
  get isBorrower (): boolean {
    return this.#own < 1
  }

  /**
   * `inFlight`: its jobs that workers have. `othersWait`: jobs of tenants are published, and no worker has claimed
   * them.
   */
  mayHaveTurn ({ inFlight, othersWait }: { inFlight: number, othersWait: boolean }): boolean {
    if (!this.isBorrower) return inFlight < this.#own
    return inFlight === 0 && !othersWait && this.#hasIdle && this.#now() >= this.#pausedUntilMs
  }

  /**
   * A tenant's job waits for the slot that it has borrowed. `waiting`: sizes of which tenants have jobs that are
   * published, and that no worker has claimed. `claimed`: large jobs that workers have; while there are fewer than
   * slots, a claim is on its way.
   */
  isInTheWay ({ waiting, claimed }: { waiting: Record<JobSize, boolean>, claimed: number }): boolean {
    const large = this.#large
    if (!this.isBorrower || this.#hasIdle || large === 0 || claimed < large) return false
    const keepsNoneForSmall = this.#presence.available().every(({ slots }) => slots === 1)
    return waiting.large || (waiting.small && keepsNoneForSmall)
  }

  preempted (): void {
    this.#pausedUntilMs = this.#now() + this.#pause * this.#heartbeatMs
    this.#pause = Math.min(longestPause, 2 * this.#pause)
  }

  /** A job of it has completed: there is room again. */
  completed (): void {
    this.#pause = firstPause
  }

  get #own (): number {
    return Math.floor(this.#large * share)
  }

  /** Slots for large jobs. */
  get #large (): number {
    return this.#presence.available().reduce((sum, { slots }) => sum + largeSlots(slots), 0)
  }

  get #hasIdle (): boolean {
    return this.#presence.available().some(({ freeAny }) => freeAny > 0)
  }
}

/** With two slots or more, a worker keeps one for small jobs. */
export function largeSlots (slots: number): number {
  return Math.max(1, slots - 1)
}
