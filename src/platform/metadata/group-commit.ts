/** Whose work it is, such as a tenant's; undefined: the service's own. */
type Lane = string | undefined

interface Waiting {
  lane: Lane
  work: () => unknown
  resolve: (result: unknown) => void
  reject: (reason: unknown) => void
}

/** Answers for each work of the group, in order; rejecting answers for all of them. */
export type CommitGroup = (group: ReadonlyArray<() => unknown>) => Promise<ReadonlyArray<PromiseSettledResult<unknown>>>

/** LMDB runs a group in one turn of the event loop: what has not begun after so long comes with the next group. */
const groupMs = 10
const mostOfGroup = 1_024
const leastOfGroup = 16

/** Of work whose turn did not come. */
const notBegun = Symbol('not begun')

/**
 * Collects work while a commit is under way and hands it over as the next group, so that never more than one group is
 * inside LMDB: it leaves transactions that wait behind a failed meta page unanswered for ever. Lanes, such as tenants,
 * take turns, so that who has much to write holds up its own work only; the service has every second turn. Within a
 * lane work is done in its order.
 */
export class GroupCommit {
  readonly #commit: CommitGroup
  /** Goes before all lanes. */
  #probes: Waiting[] = []
  /** Lane -> its work; the lanes in the order of their turns. */
  #waiting = new Map<Lane, Waiting[]>()
  #underWay: readonly Waiting[] = []
  #isServiceNext = true
  /** What has not begun is a child transaction too, which costs LMDB time: few are tried where few get their turn. */
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

  /** Resolves when an empty transaction, in front of all that waits, is on disk. */
  async probe (): Promise<void> {
    await this.#wait((waiting) => this.#probes.push(waiting), undefined, () => undefined)
  }

  /** Resolves when everything that was handed in before, in whatever lane, has been answered. */
  async barrier (): Promise<void> {
    const lanes = new Set([...this.#waiting.keys(), ...this.#underWay.map(({ lane }) => lane), undefined])
    await Promise.all([...lanes].map((lane) => this.run(() => undefined, lane)))
  }

  /** Resolves when everything that waited has been answered. */
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
    // All of this turn's work goes into the first group.
    await Promise.resolve()
    while (this.#probes.length > 0 || this.#waiting.size > 0) await this.#answer(this.#nextGroup())
    this.#draining = undefined
  }

  /** One of each lane, again and again, and one of the service before each of them. */
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
    // Behind the others: its next turn comes after theirs.
    if (own !== undefined && own.length > 0) this.#waiting.set(lane, own)
    return next
  }

  /** The service, when nobody else has work. */
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

  /** In front of what came meanwhile; whose turn did not come is the next. */
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

  /** Twice what began. */
  #resize (length: number, rest: number): void {
    if (rest === 0 && length < this.#groupSize) return
    this.#groupSize = Math.min(mostOfGroup, Math.max(leastOfGroup, 2 * (length - rest)))
  }
}

/** The first work always begins. */
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
