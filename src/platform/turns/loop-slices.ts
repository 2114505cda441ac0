import { afterTurn } from './after-turn.ts'
import { LaneQueue } from './lane-queue.ts'

/** How long one lane, and all of them together, may compute in a turn of the event loop. */
const laneMs = 2
const turnMs = 25
/** A lane pays back what it took beyond its slice if another lane had work within this time. */
const sharedForMs = 1_000
/** A longer stretch was not work: the process stood still. */
const maxOwedMs = 1_000
/** How many lanes, such as addresses, are remembered before those that owe nothing are forgotten. */
const rememberedLanes = 10_000

/**
 * Shares out the main thread of a process, which does one thing at a time. Without it, all requests that arrive
 * together would be handled in one turn of the event loop, and the next request would wait for the last of them. Each
 * lane, such as a tenant, gets some milliseconds of a turn; further work waits for the next turn, lane by lane. A lane
 * in which nothing waits goes on at once. A piece of work cannot be cut: after one that took 90 ms, other lanes get 88
 * ms.
 */
export class LoopSlices {
  /** Work by lane; the lanes in the order of their turns. */
  readonly #waiting = new Map<string, LaneQueue<() => void>>()
  /** Milliseconds used in this turn, by lane. */
  readonly #used = new Map<string, number>()
  #usedMs = 0
  #running: { lane: string, startMs: number } | undefined
  #isScheduled = false
  /** When a lane will have paid back its excess, by lane. */
  readonly #paidMs = new Map<string, number>()
  #pruneAt = rememberedLanes
  #lastLane: string | undefined
  #sharedUntilMs = -Infinity
  #waking: NodeJS.Timeout | undefined

  /**
   * Begins the work now or in a later turn. Its time counts until it waits for something, promises included. `member`:
   * the owner of the work, if several share a lane.
   */
  take (lane: string, work: () => void, member = ''): void {
    if (lane !== this.#lastLane && this.#lastLane !== undefined) this.#sharedUntilMs = performance.now() + sharedForMs
    this.#lastLane = lane
    if (!this.#isScheduled) this.#schedule()
    // Running work may continue in promises of this turn, so its duration is not known yet.
    if (this.#running === undefined && !this.#waiting.has(lane) && this.#hasTime(lane)) {
      afterTurn(() => this.#serve())
      this.#start(lane, work)
    } else {
      const own = this.#waiting.get(lane) ?? new LaneQueue()
      own.add(member, work)
      this.#waiting.set(lane, own)
    }
  }

  #start (lane: string, work: () => void): void {
    this.#running = { lane, startMs: performance.now() }
    work()
  }

  /** By now the previous work has ended or is waiting. */
  #settle (): void {
    if (this.#running === undefined) return
    const { lane, startMs } = this.#running
    const nowMs = performance.now()
    const ms = nowMs - startMs
    this.#running = undefined
    const used = (this.#used.get(lane) ?? 0) + ms
    this.#used.set(lane, used)
    this.#usedMs += ms
    if (used >= laneMs) this.#endVisit(lane)
    if (used > laneMs) {
      const owedMs = (used - laneMs) * Math.max(1, this.#debtorsBeside(lane, nowMs))
      this.#paidMs.set(lane, nowMs + Math.min(owedMs, maxOwedMs))
    }
    if (this.#paidMs.size > this.#pruneAt) this.#prune(nowMs)
  }

  /**
   * How many other lanes have work and owe time. They share the thread while this one pays back, so it pays that much
   * longer: otherwise a few lanes with long pieces would take turns all the time.
   */
  #debtorsBeside (lane: string, nowMs: number): number {
    let count = 0
    for (const other of this.#waiting.keys()) if (other !== lane && (this.#paidMs.get(other) ?? 0) > nowMs) count++
    return count
  }

  /** Puts the lane behind the others. */
  #endVisit (lane: string): void {
    const own = this.#waiting.get(lane)
    if (own === undefined) return
    this.#waiting.delete(lane)
    this.#waiting.set(lane, own)
  }

  #prune (nowMs: number): void {
    for (const [lane, paidMs] of this.#paidMs) if (paidMs <= nowMs) this.#paidMs.delete(lane)
    this.#pruneAt = Math.max(rememberedLanes, 2 * this.#paidMs.size)
  }

  #hasTime (lane: string): boolean {
    return this.#usedMs < turnMs && (this.#used.get(lane) ?? 0) < laneMs && this.#owesMs(lane) === 0
  }

  #owesMs (lane: string): number {
    const paidMs = this.#paidMs.get(lane)
    if (paidMs === undefined) return 0
    const nowMs = performance.now()
    if (nowMs < paidMs && nowMs < this.#sharedUntilMs) return paidMs - nowMs
    this.#paidMs.delete(lane)
    return 0
  }

  #schedule (): void {
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#running = undefined
      this.#used.clear()
      this.#usedMs = 0
      if (this.#waiting.size > 0) this.#serve()
    })
  }

  #serve (): void {
    this.#settle()
    for (const [lane, own] of this.#waiting) {
      if (!this.#hasTime(lane)) continue
      // The lane keeps its place until its slice is used up, however many pieces that is.
      const work = own.take()
      if (own.isEmpty) this.#waiting.delete(lane)
      if (work !== undefined) this.#start(lane, work)
      afterTurn(() => this.#serve())
      return
    }
    if (this.#waiting.size === 0) return
    const owed = this.#used.size === 0 ? Math.min(...[...this.#waiting.keys()].map((lane) => this.#owesMs(lane))) : 0
    if (owed > 1) this.#wakeIn(owed)
    else if (!this.#isScheduled) this.#schedule()
  }

  /** A timer, because polling in every turn would only burn processor time. Work that arrives meanwhile is served. */
  #wakeIn (owedMs: number): void {
    const ms = Math.min(owedMs, Math.max(1, this.#sharedUntilMs - performance.now()))
    clearTimeout(this.#waking)
    this.#waking = setTimeout(() => {
      if (!this.#isScheduled) this.#schedule()
    }, ms)
  }
}
