/** Lanes are waited for together when they are due within so many milliseconds. */
const tickMs = 50

/** When something is due in each lane, so that nobody walks through all of them to find out. */
export class DueLanes<Lane> {
  readonly #idOf: (lane: Lane) => string
  /** Lane -> the tick that it is expected in. */
  readonly #tickOf = new Map<string, number>()
  /** Tick -> its lanes; those that are expected earlier by now are passed over. */
  readonly #ticks = new Map<number, Lane[]>()
  /** All ticks up to it were taken. */
  #taken = -Infinity

  constructor (idOf: (lane: Lane) => string) {
    this.#idOf = idOf
  }

  /** The earliest time that is said of a lane counts. */
  expect (lane: Lane, dueMs: number): void {
    const [id, tick] = [this.#idOf(lane), Math.max(Math.ceil(dueMs / tickMs), this.#taken + 1)]
    if ((this.#tickOf.get(id) ?? Infinity) <= tick) return
    this.#tickOf.set(id, tick)
    const lanes = this.#ticks.get(tick)
    if (lanes === undefined) this.#ticks.set(tick, [lane])
    else lanes.push(lane)
  }

  /** Those whose time has come, about `most` of them at a time; each is expected no more. */
  take (nowMs: number, most: number): Lane[] {
    const now = Math.floor(nowMs / tickMs)
    const lanes: Lane[] = []
    for (const tick of this.#ticksUntil(now)) {
      if (lanes.length >= most) return lanes
      for (const lane of this.#ticks.get(tick) ?? []) {
        const id = this.#idOf(lane)
        if (this.#tickOf.get(id) !== tick) continue
        this.#tickOf.delete(id)
        lanes.push(lane)
      }
      this.#ticks.delete(tick)
      this.#taken = tick
    }
    // Also when the clock was set back.
    this.#taken = now
    return lanes
  }

  /** Rising; after a pause there may be more of them than lanes. */
  #ticksUntil (now: number): Iterable<number> {
    const first = this.#taken + 1
    const length = Math.max(0, now - first + 1)
    if (length <= this.#ticks.size) return Array.from({ length }, (_, index) => first + index)
    return [...this.#ticks.keys()].filter((tick) => tick <= now).sort((one, other) => one - other)
  }
}
