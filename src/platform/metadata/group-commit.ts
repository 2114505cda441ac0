/** The owner of the work, such as a tenant; undefined: the service itself. */
type Lane = string | undefined

interface Waiting {
  lane: Lane
  work: () => unknown
  resolve: (result: unknown) => void
  reject: (reason: unknown) => void
}

/** Resolves with the outcome of each work of the group, in order. A rejection is the outcome of all of them. */
export type CommitGroup = (group: ReadonlyArray<() => unknown>) => Promise<ReadonlyArray<PromiseSettledResult<unknown>>>

/**
 * LMDB runs a group in one turn of the event loop. Work that has not begun after this time goes into the next group.
 */
const groupMs = 10
const mostOfGroup = 1_024
const leastOfGroup = 16

/** The result of work whose turn did not come. */
const notBegun = Symbol('not begun')

/**
 * Collects work during a commit and passes it on as the next group, so that LMDB never has more than one group: it
 * leaves transactions that wait behind a failed meta page unanswered forever. Lanes, such as tenants, take turns, so
 * that one with much to write only holds up itself. The service gets half of the time, if it needs that much. Within a
 * lane, work keeps its order.
 */
export class GroupCommit {
  readonly #commit: CommitGroup
  readonly #now: () => number
  /** Probes go before all lanes. */
  readonly #probes: Waiting[] = []
  /** Work by lane; the lanes in the order of their turns. */
  readonly #waiting = new Map<Lane, Waiting[]>()
  #underWay: readonly Waiting[] = []
  /**
   * How many milliseconds more the service has used than the lanes; negative: fewer. The side that has used less is
   * next. The value has limits, so that a side that was idle for long cannot keep the other one waiting.
   */
  #leadMs = 0
  /**
   * Work that does not begin still costs LMDB a child transaction. So the group shrinks when few of its works get their
   * turn.
   */
  #groupSize = mostOfGroup
  #draining: Promise<void> | undefined

  /** `now`: a clock in milliseconds that never goes back. */
  constructor (commit: CommitGroup, now: () => number = () => performance.now()) {
    this.#commit = commit
    this.#now = now
  }

  async run<R> (work: () => R, lane?: string): Promise<R> {
    return await this.#wait((waiting) => {
      const own = this.#waiting.get(lane)
      if (own === undefined) this.#waiting.set(lane, [waiting])
      else own.push(waiting)
    }, lane, work)
  }

  /** Resolves when an empty transaction, ahead of all that waits, is on disk. */
  async probe (): Promise<void> {
    await this.#wait((waiting) => this.#probes.push(waiting), undefined, () => undefined)
  }

  /** Resolves when everything handed in before, in whatever lane, has been answered. */
  async barrier (): Promise<void> {
    const lanes = new Set([...this.#waiting.keys(), ...this.#underWay.map(({ lane }) => lane), undefined])
    await Promise.all([...lanes].map((lane) => this.run(() => undefined, lane)))
  }

  /** Resolves when everything that waits has been answered. */
  async idle (): Promise<void> {
    await this.#draining
  }

  async #wait<R> (enter: (waiting: Waiting) => void, lane: Lane, work: () => R): Promise<R> {
    return await new Promise<R>((resolve, reject) => {
      enter({ lane, work, resolve: resolve as (result: unknown) => void, reject })
      this.#draining ??= this.#drain()
    })
  }

  async #drain (): Promise<void> {
    // Waits for the rest of this turn's work, so that it goes into the first group.
    await Promise.resolve()
    while (this.#probes.length > 0 || this.#waiting.size > 0) await this.#answerGroup()
    this.#draining = undefined
  }

  async #answerGroup (): Promise<void> {
    const tried = this.#countWaiting()
    const begun: Waiting[] = []
    this.#underWay = begun
    const results = await this.#commit(this.#turns(tried, begun)).catch((reason: unknown) =>
      Array.from({ length: tried }, () => ({ status: 'rejected' as const, reason }))
    )
    for (const [index, result] of results.entries()) {
      if (isNotBegun(result)) continue
      // If the group failed, work that had not begun has failed too; it is taken from the lanes here.
      const { resolve, reject } = begun[index] ?? this.#take()
      if (result.status === 'fulfilled') resolve(result.value)
      else reject(result.reason)
    }
    this.#underWay = []
    this.#resize(tried, begun.length)
  }

  /** Counts the waiting work, up to the size of a group. */
  #countWaiting (): number {
    let count = this.#probes.length
    for (const own of this.#waiting.values()) {
      count += own.length
      if (count >= this.#groupSize) return this.#groupSize
    }
    return count
  }

  /**
   * The turns of a group. Each turn chooses its work only when it starts, because the choice depends on how long the
   * work before it took. `begun`: receives each work that begins, at its place in the group.
   */
  #turns (length: number, begun: Waiting[]): Array<() => unknown> {
    let endMs: number | undefined
    return Array.from({ length }, (_each, index) => () => {
      const startMs = this.#now()
      // The first work always begins.
      endMs ??= startMs + groupMs
      if (startMs >= endMs) return notBegun
      const next = this.#take()
      begun[index] = next
      try {
        return next.work()
      } finally {
        const ms = this.#now() - startMs
        this.#leadMs = Math.max(-groupMs, Math.min(this.#leadMs + (next.lane === undefined ? ms : -ms), groupMs))
      }
    })
  }

  #take (): Waiting {
    const probe = this.#probes.shift()
    if (probe !== undefined) return probe
    const lane = this.#leadMs <= 0 && this.#waiting.has(undefined) ? undefined : this.#nextLane()
    const own = this.#waiting.get(lane)!
    const next = own.shift()!
    this.#waiting.delete(lane)
    // Re-inserted at the end, so that other lanes come first.
    if (own.length > 0) this.#waiting.set(lane, own)
    return next
  }

  /** The first lane with work; the service if there is none. */
  #nextLane (): Lane {
    for (const lane of this.#waiting.keys()) if (lane !== undefined) return lane
    return undefined
  }

  /** Sets the group size to twice the number of works that began. */
  #resize (tried: number, begun: number): void {
    if (begun === tried && tried < this.#groupSize) return
    this.#groupSize = Math.min(mostOfGroup, Math.max(leastOfGroup, 2 * begun))
  }
}

function isNotBegun (result: PromiseSettledResult<unknown>): boolean {
  return result.status === 'fulfilled' && result.value === notBegun
}
