interface Waiting {
  lane: string
  work: () => unknown
  resolve: (result: unknown) => void
  reject: (reason: unknown) => void
}

/** Answers for each work of the group, in order; rejecting answers for all of them. */
export type CommitGroup = (group: ReadonlyArray<() => unknown>) => Promise<ReadonlyArray<PromiseSettledResult<unknown>>>

/** LMDB runs a group in one turn of the event loop: what has not begun after so long comes with the next group. */
const groupMs = 10
const mostOfGroup = 1_024

/** Of work whose turn did not come. */
const notBegun = Symbol('not begun')

/**
 * Collects work while a commit is under way and hands it over as the next group, so that never more than one group is
 * inside LMDB: it leaves transactions that wait behind a failed meta page unanswered for ever. Lanes, such as tenants,
 * take turns, so that who has much to write holds up its own work only; within a lane work is done in its order.
 */
export class GroupCommit {
  readonly #commit: CommitGroup
  /** Lane -> its work; the lanes in the order of their turns. */
  #waiting = new Map<string, Waiting[]>()
  #draining: Promise<void> | undefined

  constructor (commit: CommitGroup) {
    this.#commit = commit
  }

  async run<R> (work: () => R, lane = ''): Promise<R> {
    return await new Promise<R>((resolve, reject) => {
      const waiting = { lane, work, resolve: resolve as (result: unknown) => void, reject }
      const own = this.#waiting.get(lane)
      if (own === undefined) this.#waiting.set(lane, [waiting])
      else own.push(waiting)
      this.#draining ??= this.#drain()
    })
  }

  /** Resolves when everything that waited has been answered. */
  async idle (): Promise<void> {
    await this.#draining
  }

  async #drain (): Promise<void> {
    // All of this turn's work goes into the first group.
    await Promise.resolve()
    while (this.#waiting.size > 0) await this.#answer(this.#nextGroup())
    this.#draining = undefined
  }

  /** One of each lane, again and again. */
  #nextGroup (): Waiting[] {
    const group: Waiting[] = []
    for (const [lane, own] of this.#waiting) {
      if (group.length === mostOfGroup) break
      const next = own.shift()
      this.#waiting.delete(lane)
      // Behind the others: its next turn comes after theirs.
      if (own.length > 0) this.#waiting.set(lane, own)
      if (next !== undefined) group.push(next)
    }
    return group
  }

  async #answer (group: readonly Waiting[]): Promise<void> {
    try {
      const results = await this.#commit(inTime(group))
      this.#putBack(group.filter((_waiting, index) => isNotBegun(results[index])))
      for (const [index, { resolve, reject }] of group.entries()) {
        const result = results[index]
        if (isNotBegun(result)) continue
        if (result?.status === 'fulfilled') resolve(result.value)
        else reject(result?.reason)
      }
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }

  /** In front of what came meanwhile. */
  #putBack (group: readonly Waiting[]): void {
    if (group.length === 0) return
    const waiting = new Map<string, Waiting[]>()
    for (const one of group) waiting.set(one.lane, [...waiting.get(one.lane) ?? [], one])
    for (const [lane, own] of this.#waiting) waiting.set(lane, [...waiting.get(lane) ?? [], ...own])
    this.#waiting = waiting
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
