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

/** LMDB runs a group in one turn of the event loop: what has not begun after so long comes with a later group. */
const groupMs = 10
const mostOfGroup = 1_024
const leastOfGroup = 16

/** The result of work whose turn did not come. */
const notBegun = Symbol('not begun')

/**
 * Collects work while a commit is under way and hands it over as the next group, so that never more than one group is
 * inside LMDB: it leaves transactions that wait behind a failed meta page unanswered for ever. Lanes, such as tenants,
 * take turns, so that who has much to write holds up its own work only; the service has half of the time, if it needs
 * it. Within a lane work is done in its order.
 */
export class GroupCommit {
  readonly #commit: CommitGroup
  readonly #now: () => number
  /** Goes before all lanes. */
  readonly #probes: Waiting[] = []
  /** Lane -> its work; the lanes in the order of their turns. */
  readonly #waiting = new Map<Lane, Waiting[]>()
  #underWay: readonly Waiting[] = []
  /** Milliseconds that the service has had more than the lanes. Who has had less is the next; nobody saves up much. */
  #leadMs = 0
  /** What has not begun is a child transaction too, which costs LMDB time: few are tried where few get their turn. */
  #groupSize = mostOfGroup
  #draining: Promise<void> | undefined

  /** `now`: milliseconds that never go back. */
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
      // What did not begin in a group that failed has failed with it.
      const { resolve, reject } = begun[index] ?? this.#take()
      if (result.status === 'fulfilled') resolve(result.value)
      else reject(result.reason)
    }
    this.#underWay = []
    this.#resize(tried, begun.length)
  }

  /** No more than a group may have. */
  #countWaiting (): number {
    let count = this.#probes.length
    for (const own of this.#waiting.values()) {
      count += own.length
      if (count >= this.#groupSize) return this.#groupSize
    }
    return count
  }

  /** Who comes next shows when the work before has ended. `begun`: by their places in the group. */
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
    // Behind the others: its next turn comes after theirs.
    if (own.length > 0) this.#waiting.set(lane, own)
    return next
  }

  /** The first lane with work; the service if there is none. */
  #nextLane (): Lane {
    for (const lane of this.#waiting.keys()) if (lane !== undefined) return lane
    return undefined
  }

  /** Twice what began. */
  #resize (tried: number, begun: number): void {
    if (begun === tried && tried < this.#groupSize) return
    this.#groupSize = Math.min(mostOfGroup, Math.max(leastOfGroup, 2 * begun))
  }
}

function isNotBegun (result: PromiseSettledResult<unknown>): boolean {
  return result.status === 'fulfilled' && result.value === notBegun
}
