export interface PlaceBounds {
  /** The places of one owner. As many of its requests may wait. */
  ofOne: number
  /** The places of all owners together. */
  ofAll: number
  /** All places, including the extra ones for owners without a place. */
  most: number
}

/** The limit on how long an owner may keep a place. */
export interface PlaceTime {
  /** After this time the place is taken back when an owner without a place waits. */
  safeMs: number
  /** Ends the work that holds the place. */
  cut: () => void
}

/**
 * Places that owners share: a number for each owner, a number for all together, and an extra one for each owner without
 * a place. Further requests wait for a while, and owners take turns. The cost of a freed place does not depend on how
 * many wait.
 */
export class SharedPlaces {
  readonly #bounds: PlaceBounds
  readonly #waitMs: number
  #total = 0
  readonly #held = new Map<string, number>()
  /** Waiting requests by owner, in the order in which they came. */
  readonly #waiting = new Map<string, Set<() => void>>()
  /** Waiting owners that hold places but may have another one, in the order of their turns. */
  readonly #withSome = new Set<string>()
  readonly #without = new Set<string>()
  /** Functions that take back places whose time is over, the oldest first. */
  readonly #overdue = new Set<() => void>()

  constructor (bounds: PlaceBounds, waitMs: number) {
    this.#bounds = bounds
    this.#waitMs = waitMs
  }

  /**
   * Returns a function that gives the place back, and may be called more than once; undefined: no place was free in
   * time.
   */
  async take (owner: string, time?: PlaceTime): Promise<(() => void) | undefined> {
    const held = this.#heldBy(owner)
    const { ofOne, ofAll, most } = this.#bounds
    if (held === 0 ? this.#total < most : held < ofOne && this.#total < ofAll) this.#change(owner, 1)
    else if (!await this.#turn(owner)) return undefined
    let isHeld = true
    const release = (): void => {
      if (!isHeld) return
      isHeld = false
      stop()
      this.#end(owner)
    }
    const stop = time === undefined ? () => undefined : this.#watch(time, release)
    return release
  }

  /** Returns a function that ends the watch. */
  #watch ({ safeMs, cut }: PlaceTime, release: () => void): () => void {
    // The place is free at once. The work takes a moment to end, and meanwhile the next waiting owner would end another
    // one's work.
    const takeBack = (): void => {
      cut()
      release()
    }
    const timer = setTimeout(() => {
      this.#overdue.add(takeBack)
      if (this.#without.size > 0) this.#takeBackOne()
    }, safeMs).unref()
    return () => {
      clearTimeout(timer)
      this.#overdue.delete(takeBack)
    }
  }

  #takeBackOne (): void {
    const [takeBack] = this.#overdue
    takeBack?.()
  }

  async #turn (owner: string): Promise<boolean> {
    const own = this.#waiting.get(owner) ?? new Set()
    if (own.size >= this.#bounds.ofOne) return false
    return await new Promise<boolean>((resolve) => {
      const start = (): void => {
        clearTimeout(timer)
        resolve(true)
      }
      const timer = setTimeout(() => {
        this.#leave(owner, start)
        resolve(false)
      }, this.#waitMs)
      this.#waiting.set(owner, own.add(start))
      this.#line(owner)
      if (this.#without.has(owner)) this.#takeBackOne()
    })
  }

  #end (owner: string): void {
    this.#change(owner, -1)
    this.#line(owner)
    const { ofAll, most } = this.#bounds
    // One place is free. At most one owner with places may begin, and also one without.
    if (this.#total < ofAll) this.#beginFirst(this.#withSome)
    if (this.#total < most) this.#beginFirst(this.#without)
  }

  #beginFirst (line: Set<string>): void {
    const [owner = ''] = line
    const [start] = this.#waiting.get(owner) ?? []
    if (start === undefined) return
    // Removed and added again, so that its next turn comes after those of the others.
    line.delete(owner)
    this.#change(owner, 1)
    this.#leave(owner, start)
    start()
  }

  #leave (owner: string, start: () => void): void {
    const own = this.#waiting.get(owner)
    own?.delete(start)
    if (own?.size === 0) this.#waiting.delete(owner)
    this.#line(owner)
  }

  /** An owner with all of its places waits for one of these. */
  #line (owner: string): void {
    const held = this.#heldBy(owner)
    const waits = this.#waiting.has(owner)
    setMember(this.#without, owner, waits && held === 0)
    setMember(this.#withSome, owner, waits && held > 0 && held < this.#bounds.ofOne)
  }

  #change (owner: string, by: 1 | -1): void {
    this.#total += by
    const held = this.#heldBy(owner) + by
    if (held === 0) this.#held.delete(owner)
    else this.#held.set(owner, held)
  }

  #heldBy (owner: string): number {
    return this.#held.get(owner) ?? 0
  }
}

/** One that is in it keeps its place. */
function setMember (line: Set<string>, owner: string, isIn: boolean): void {
  if (isIn) line.add(owner)
  else line.delete(owner)
}
