/** Lanes that are due within this many milliseconds of each other wait together. */
const tickMs = 50

/** Knows when something is due in each lane, so that nobody has to walk through all of them. */
export class DueLanes<Lane> {
  readonly #idOf: (lane: Lane) => string
  /** Tick in which a lane is expected, by lane. */
  readonly #tickOf = new Map<string, number>()
  /** Lanes by tick. A lane that is by now expected earlier is skipped. */
  readonly #ticks = new Map<number, Lane[]>()
  /** All ticks up to this one have been taken. */
  #taken = -Infinity

  constructor (idOf: (lane: Lane) => string) {
    this.#idOf = idOf
  }

  /** If a lane is expected at several times, the earliest counts. */
  expect (lane: Lane, dueMs: number): void {
    const [id, tick] = [this.#idOf(lane), Math.max(Math.ceil(dueMs / tickMs), this.#taken + 1)]
    if ((this.#tickOf.get(id) ?? Infinity) <= tick) return
    this.#tickOf.set(id, tick)
    const lanes = this.#ticks.get(tick)
    if (lanes === undefined) this.#ticks.set(tick, [lane])
    else lanes.push(lane)
  }

  /** Removes and returns about `most` lanes whose time has come. */
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
    // Set even if no tick was taken, because the clock may have been set back.
    this.#taken = now
    return lanes
  }

  /** In ascending order. After a pause there may be more ticks than lanes. */
  #ticksUntil (now: number): Iterable<number> {
    const first = this.#taken + 1
    const length = Math.max(0, now - first + 1)
    if (length <= this.#ticks.size) return Array.from({ length }, (_, index) => first + index)
    return [...this.#ticks.keys()].filter((tick) => tick <= now).sort((one, other) => one - other)
  }
}
