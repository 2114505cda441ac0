/**
 * Runs so many pieces of work side by side and holds only so many at a time, as `Turns` does; who waits is served tenant by
 * tenant, and while there are two lanes or more no tenant has all of them. What is of no tenant has no such bound.
 */
export class TenantTurns {
  readonly #limit: number
  readonly #lanes: number
  readonly #held = new Set<Promise<unknown>>()
  /** Tenant -> starts its pieces, in the order they came; the tenants in the order of their turns. */
  readonly #waiting = new Map<string | undefined, Array<() => void>>()
  /** Tenant -> pieces under way. */
  readonly #running = new Map<string | undefined, number>()

  constructor (limit: number, lanes: number) {
    this.#limit = limit
    this.#lanes = lanes
  }

  /** The end of the work when its turn has come, or undefined at once when too many wait. */
  take<T> (tenant: string | undefined, work: () => Promise<T>): Promise<T> | undefined {
    if (this.#held.size >= this.#limit) return undefined
    const end = this.#run(tenant, work)
    const settled: Promise<unknown> = end.catch(() => undefined).then(() => this.#held.delete(settled))
    this.#held.add(settled)
    return end
  }

  /** Resolves when everything that was taken so far has ended. */
  async idle (): Promise<void> {
    await Promise.all(this.#held)
  }

  async #run<T> (tenant: string | undefined, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((resolve) => {
      const own = this.#waiting.get(tenant) ?? []
      own.push(resolve)
      this.#waiting.set(tenant, own)
      this.#pump()
    })
    try {
      return await work()
    } finally {
      this.#change(tenant, -1)
      this.#pump()
    }
  }

  #pump (): void {
    let free = this.#lanes - [...this.#running.values()].reduce((sum, count) => sum + count, 0)
    for (const [tenant, own] of [...this.#waiting]) {
      if (free <= 0) return
      if (!this.#mayRun(tenant)) continue
      const start = own.shift()
      this.#waiting.delete(tenant)
      // Behind the others: its next turn comes after theirs.
      if (own.length > 0) this.#waiting.set(tenant, own)
      if (start === undefined) continue
      free--
      this.#change(tenant, 1)
      start()
    }
    if (free > 0 && [...this.#waiting.keys()].some((tenant) => this.#mayRun(tenant))) this.#pump()
  }

  #mayRun (tenant: string | undefined): boolean {
    const share = tenant === undefined ? this.#lanes : Math.max(1, this.#lanes - 1)
    return (this.#running.get(tenant) ?? 0) < share
  }

  #change (tenant: string | undefined, by: 1 | -1): void {
    const count = (this.#running.get(tenant) ?? 0) + by
    if (count > 0) this.#running.set(tenant, count)
    else this.#running.delete(tenant)
  }
}
