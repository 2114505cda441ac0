import type { JobSize } from '../../domain/job.ts'
import type { WorkerPresence } from './worker-presence.ts'

/** The sandbox's share of the slots for large jobs. */
const share = 0.25
/** After making way, the sandbox borrows nothing for this many announcements of a worker: at first, and at most. */
const firstPause = 1
const longestPause = 16

export interface SandboxSlotsOptions {
  presence: Pick<WorkerPresence, 'available'>
  /** The time between two announcements of a worker. */
  heartbeatMs: number
  now?: () => number
}

/**
 * Decides which slots the sandbox may use; all its jobs are large. Where its share is less than a slot, as with a
 * worker of two slots, it borrows an idle one and makes way when a tenant's job waits for it. Otherwise a visitor would
 * hold the only slot for large jobs for a minute. Each time, it waits twice as long before it borrows again, so that it
 * seldom delays a tenant that sends job after job.
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

  /** Whether it has no slot of its own. */
  get isBorrower (): boolean {
    return this.#own < 1
  }

  /** `inFlight`: its jobs that workers have. `othersWait`: published jobs of tenants wait for a worker. */
  mayHaveTurn ({ inFlight, othersWait }: { inFlight: number, othersWait: boolean }): boolean {
    if (!this.isBorrower) return inFlight < this.#own
    return inFlight === 0 && !othersWait && this.#hasIdle && this.#now() >= this.#pausedUntilMs
  }

  /**
   * Whether a tenant's job waits for the borrowed slot. `waiting`: sizes of which published jobs of tenants wait for a
   * worker. `claimed`: large jobs that workers have; while there are fewer than slots, a claim is on its way.
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

  /** Call it when one of its jobs has completed: there is room again. */
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
    // A slot that computes shards for other runs is soon free, and jobs go first.
    return this.#presence.available().some(({ freeAny, helping = [] }) => freeAny > 0 || helping.length > 0)
  }
}

/** With two slots or more, a worker keeps one for small jobs. */
export function largeSlots (slots: number): number {
  return Math.max(1, slots - 1)
}
