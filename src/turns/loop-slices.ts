import { afterTurn } from './after-turn.ts'

/** What one lane may take of a turn of the event loop, and all of them together, before other events are looked at. */
const laneMs = 2
const turnMs = 25

/**
 * Hands out the main thread of a process, which does one thing at a time: many requests that come at one moment would all
 * be worked on in one turn of the event loop, and whoever comes next waits for the last of them. Each lane, such as a
 * tenant, has some milliseconds of a turn; what it has beyond them waits for the next one, lane by lane. A lane of which
 * nothing waits goes on at once.
 */
export class LoopSlices {
  /** Lane -> its work, in the order it came; the lanes in the order of their turns. */
  readonly #waiting = new Map<string, Array<() => void>>()
  /** Lane -> milliseconds of this turn. */
  readonly #used = new Map<string, number>()
  #usedMs = 0
  #running: { lane: string, startMs: number } | undefined
  #isScheduled = false

  /** Begins the work now or in a later turn. What it does until it waits for something counts, promises included. */
  take (lane: string, work: () => void): void {
    this.#settle()
    if (!this.#waiting.has(lane) && this.#hasTime(lane)) {
      this.#start(lane, work)
    } else {
      const own = this.#waiting.get(lane)
      if (own === undefined) this.#waiting.set(lane, [work])
      else own.push(work)
    }
    if (!this.#isScheduled) this.#schedule()
  }

  #start (lane: string, work: () => void): void {
    this.#running = { lane, startMs: performance.now() }
    work()
  }

  /** The work before has ended by now, or waits. */
  #settle (): void {
    if (this.#running === undefined) return
    const { lane, startMs } = this.#running
    const ms = performance.now() - startMs
    this.#running = undefined
    this.#used.set(lane, (this.#used.get(lane) ?? 0) + ms)
    this.#usedMs += ms
  }

  #hasTime (lane: string): boolean {
    return this.#usedMs < turnMs && (this.#used.get(lane) ?? 0) < laneMs
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
      const work = own.shift()
      this.#waiting.delete(lane)
      // Behind the others: its next turn comes after theirs.
      if (own.length > 0) this.#waiting.set(lane, own)
      if (work !== undefined) this.#start(lane, work)
      afterTurn(() => this.#serve())
      return
    }
    if (!this.#isScheduled) this.#schedule()
  }
}
