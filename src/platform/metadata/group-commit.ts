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
 * that one with much to write only holds up itself. The service gets every second turn. Within a lane, work keeps its
 * order.
 */
export class GroupCommit {
  readonly #commit: CommitGroup
  /** Probes go before all lanes. */
  #probes: Waiting[] = []
  /** Work by lane; the lanes in the order of their turns. */
  #waiting = new Map<Lane, Waiting[]>()
  #underWay: readonly Waiting[] = []
  #isServiceNext = true
  /**
   * Work that does not begin still costs LMDB a child transaction. So the group shrinks when few of its works get their
   * turn.
   */
  #groupSize = mostOfGroup
  #draining: Promise<void> | undefined

  constructor (commit: CommitGroup) {
    this.#commit = commit
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
    while (this.#probes.length > 0 || this.#waiting.size > 0) await this.#answer(this.#nextGroup())
    this.#draining = undefined
  }

  /** Takes one work of each lane, again and again, and one of the service before each of them. */
  #nextGroup (): Waiting[] {
    const group = this.#probes.splice(0)
    while (group.length < this.#groupSize) {
      const next = this.#next()
      if (next === undefined) break
      group.push(next)
    }
    return group
  }

  #next (): Waiting | undefined {
    const lane = this.#isServiceNext && this.#waiting.has(undefined) ? undefined : this.#nextLane()
    this.#isServiceNext = lane !== undefined
    const own = this.#waiting.get(lane)
    const next = own?.shift()
    this.#waiting.delete(lane)
    // Re-inserted at the end, so that other lanes come first.
    if (own !== undefined && own.length > 0) this.#waiting.set(lane, own)
    return next
  }

  /** The first lane with work; the service if there is none. */
  #nextLane (): Lane {
    for (const lane of this.#waiting.keys()) if (lane !== undefined) return lane
    return undefined
  }

  async #answer (group: readonly Waiting[]): Promise<void> {
    this.#underWay = group
    try {
      const results = await this.#commit(inTime(group))
      const rest = group.filter((_waiting, index) => isNotBegun(results[index]))
      this.#putBack(rest)
      this.#resize(group.length, rest.length)
      for (const [index, { resolve, reject }] of group.entries()) {
        const result = results[index]
        if (isNotBegun(result)) continue
        if (result?.status === 'fulfilled') resolve(result.value)
        else reject(result?.reason)
      }
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
    this.#underWay = []
  }

  /** Puts works whose turn did not come in front of newer ones; the first of them is next. */
  #putBack (rest: readonly Waiting[]): void {
    if (rest.length === 0) return
    this.#isServiceNext = rest[0]!.lane === undefined
    const waiting = new Map<Lane, Waiting[]>()
    for (const one of rest) {
      const own = waiting.get(one.lane)
      if (own === undefined) waiting.set(one.lane, [one])
      else own.push(one)
    }
    for (const [lane, own] of this.#waiting) waiting.set(lane, waiting.get(lane)?.concat(own) ?? own)
    this.#waiting = waiting
  }

  /** Sets the group size to twice the number of works that began. */
  #resize (length: number, rest: number): void {
    if (rest === 0 && length < this.#groupSize) return
    this.#groupSize = Math.min(mostOfGroup, Math.max(leastOfGroup, 2 * (length - rest)))
  }
}

/** The first work always begins, whatever the time. */
function inTime (group: readonly Waiting[]): Array<() => unknown> {
  let endMs: number | undefined
  return group.map(({ work }) => () => {
    const nowMs = performance.now()
    endMs ??= nowMs + groupMs
    return nowMs < endMs ? work() : notBegun
  })
}

function isNotBegun (result: PromiseSettledResult<unknown> | undefined): boolean {
  return result?.status === 'fulfilled' && result.value === notBegun
}
