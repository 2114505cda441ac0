import { afterTurn } from './after-turn.ts'
import { LaneQueue } from './lane-queue.ts'

/** What one lane may take of a turn of the event loop, and all of them together, before other events are looked at. */
const laneMs = 2
const turnMs = 25
/** A lane pays back what it took beyond its slice if another one had work in the last so many milliseconds. */
const sharedForMs = 1_000
/** More was no work: the process stood still. */
const maxOwedMs = 1_000
/** Lanes, such as addresses, that may be remembered before those that have paid are forgotten. */
const rememberedLanes = 10_000

/**
 * Hands out the main thread of a process, which does one thing at a time: many requests that come at one moment would
 * all be worked on in one turn of the event loop, and whoever comes next waits for the last of them. Each lane, such as
 * a tenant, has some milliseconds of a turn; what it has beyond them waits for the next one, lane by lane. A lane of
 * which nothing waits goes on at once. A piece of work cannot be cut: one that took 90 ms is followed by 88 ms for the
 * others.
 */
export class LoopSlices {
  /** Lane -> its work; the lanes in the order of their turns. */
  readonly #waiting = new Map<string, LaneQueue<() => void>>()
  /** Lane -> milliseconds of this turn. */
  readonly #used = new Map<string, number>()
  #usedMs = 0
  #running: { lane: string, startMs: number } | undefined
  #isScheduled = false
  /** Lane -> when it has paid back what it took too much. */
  readonly #paidMs = new Map<string, number>()
  #pruneAt = rememberedLanes
  #lastLane: string | undefined
  #sharedUntilMs = -Infinity
  #waking: NodeJS.Timeout | undefined

  /**
   * Begins the work now or in a later turn. What it does until it waits for something counts, promises included.
   * `member`: whose work it is, where many share a lane.
   */
  take (lane: string, work: () => void, member = ''): void {
    if (lane !== this.#lastLane && this.#lastLane !== undefined) this.#sharedUntilMs = performance.now() + sharedForMs
    this.#lastLane = lane
    if (!this.#isScheduled) this.#schedule()
    // What is running goes on in promises of this turn, so that nobody knows yet how long it takes.
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

  /** The work before has ended by now, or waits. */
  #settle (): void {
    if (this.#running === undefined) return
    const { lane, startMs } = this.#running
    const nowMs = performance.now()
    const ms = nowMs - startMs
    this.#running = undefined
    const used = (this.#used.get(lane) ?? 0) + ms
    this.#used.set(lane, used)
    this.#usedMs += ms
    if (used > laneMs) this.#paidMs.set(lane, nowMs + Math.min(used - laneMs, maxOwedMs))
    if (this.#paidMs.size > this.#pruneAt) this.#prune(nowMs)
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
      const work = own.take()
      this.#waiting.delete(lane)
      // Behind the others: its next turn comes after theirs.
      if (!own.isEmpty) this.#waiting.set(lane, own)
      if (work !== undefined) this.#start(lane, work)
      afterTurn(() => this.#serve())
      return
    }
    if (this.#waiting.size === 0) return
    const owed = this.#used.size === 0 ? Math.min(...[...this.#waiting.keys()].map((lane) => this.#owesMs(lane))) : 0
    if (owed > 1) this.#wakeIn(owed)
    else if (!this.#isScheduled) this.#schedule()
  }

  /** Whoever comes meanwhile is served; a turn without end would only burn the time that is waited for. */
  #wakeIn (owedMs: number): void {
    const ms = Math.min(owedMs, Math.max(1, this.#sharedUntilMs - performance.now()))
    clearTimeout(this.#waking)
    this.#waking = setTimeout(() => {
      if (!this.#isScheduled) this.#schedule()
    }, ms)
  }
}
