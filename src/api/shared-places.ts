export interface PlaceBounds {
  /** Of one owner; as many of it may wait. */
  ofOne: number
  /** Of all owners. */
  ofAll: number
  /** Of all, with those beyond `ofAll` that are for owners who have none. */
  most: number
}

/** Of a place that is not its owner's for as long as he likes. */
export interface PlaceTime {
  /** After it the place goes when somebody who has none waits. */
  safeMs: number
  /** Ends what the place was taken for. */
  cut: () => void
}

/**
 * Places that owners share: so many of one, so many of all, and one besides for each who has none. What is beyond waits
 * for a while, owner by owner. What a place that comes free costs does not grow with those who wait.
 */
export class SharedPlaces {
  readonly #bounds: PlaceBounds
  readonly #waitMs: number
  #total = 0
  readonly #held = new Map<string, number>()
  /** Owner -> who waits, in the order they came. */
  readonly #waiting = new Map<string, Set<() => void>>()
  /** Of the owners who wait those who may have a place as soon as there is one, in the order of their turns. */
  readonly #withSome = new Set<string>()
  readonly #without = new Set<string>()
  /** What takes a place back whose time is over, the oldest first. */
  readonly #overdue = new Set<() => void>()

  constructor (bounds: PlaceBounds, waitMs: number) {
    this.#bounds = bounds
    this.#waitMs = waitMs
  }

  /** Gives what gives the place back, more than one call included; undefined: there was none in time. */
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

  /** Gives what ends it. */
  #watch ({ safeMs, cut }: PlaceTime, release: () => void): () => void {
    // The place is free at once: what is cut takes a moment to close, in which the next one would be cut for it too.
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
    // One place is free: of the others one at most may begin, and one who has none besides.
    if (this.#total < ofAll) this.#beginFirst(this.#withSome)
    if (this.#total < most) this.#beginFirst(this.#without)
  }

  #beginFirst (line: Set<string>): void {
    const [owner = ''] = line
    const [start] = this.#waiting.get(owner) ?? []
    if (start === undefined) return
    // Behind the others: its next turn comes after theirs.
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

  /** Who has all that one may have waits for his own. */
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
