interface Waiting {
  work: () => unknown
  resolve: (result: unknown) => void
  reject: (reason: unknown) => void
}

/** Answers for each work of the group, in order; rejecting answers for all of them. */
export type CommitGroup = (group: ReadonlyArray<() => unknown>) => Promise<ReadonlyArray<PromiseSettledResult<unknown>>>

/**
 * Collects work while a commit is under way and hands it over as the next group, so that never more than one group is
 * inside LMDB: it leaves transactions that wait behind a failed meta page unanswered for ever.
 */
export class GroupCommit {
  readonly #commit: CommitGroup
  #waiting: Waiting[] = []
  #draining: Promise<void> | undefined

  constructor (commit: CommitGroup) {
    this.#commit = commit
  }

  async run<R> (work: () => R): Promise<R> {
    return await new Promise<R>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as (result: unknown) => void, reject })
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
    while (this.#waiting.length > 0) {
      const group = this.#waiting
      this.#waiting = []
      await this.#answer(group)
    }
    this.#draining = undefined
  }

  async #answer (group: readonly Waiting[]): Promise<void> {
    try {
      const results = await this.#commit(group.map(({ work }) => work))
      for (const [index, { resolve, reject }] of group.entries()) {
        const result = results[index]
        if (result?.status === 'fulfilled') resolve(result.value)
        else reject(result?.reason)
      }
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }
}
