/** One that waits. */
interface Piece { start: () => void, refuse: () => void }

/**
 * Runs so many pieces of work side by side and holds only so many at a time; who waits is served tenant by tenant, and no tenant
 * has more lanes than its share: all but one, where nothing else is said. What is of no tenant has no such bound. When all places are taken, the
 * tenant who has most of them gives one up for another: a flood fills its own share only.
 */
export class TenantLanes {
  readonly #limit: number
  readonly #lanes: number
  readonly #share: number
  readonly #held = new Set<Promise<unknown>>()
  /** Tenant -> its pieces, in the order they came; the tenants in the order of their turns. */
  readonly #waiting = new Map<string | undefined, Piece[]>()
  /** Tenant -> pieces under way. */
  readonly #running = new Map<string | undefined, number>()
  #places = 0

  constructor (limit: number, lanes: number, share = Math.max(1, lanes - 1)) {
    this.#limit = limit
    this.#lanes = lanes
    this.#share = share
  }

  /** The end of the work when its turn has come; undefined, at once or while it waits, when too many wait. */
  async take<T> (tenant: string | undefined, work: () => Promise<T>): Promise<T | undefined> {
    if (this.#places >= this.#limit && !this.#makeRoom(tenant)) return undefined
    const end = this.#run(tenant, work)
    const settled: Promise<unknown> = end.catch(() => undefined).then(() => this.#held.delete(settled))
    this.#held.add(settled)
    return await end
  }

  /** Resolves when everything that was taken so far has ended. */
  async idle (): Promise<void> {
    await Promise.all(this.#held)
  }

  async #run<T> (tenant: string | undefined, work: () => Promise<T>): Promise<T | undefined> {
    this.#places++
    const hasTurn = await new Promise<boolean>((resolve) => {
      const own = this.#waiting.get(tenant) ?? []
      own.push({ start: () => resolve(true), refuse: () => resolve(false) })
      this.#waiting.set(tenant, own)
      this.#pump()
    })
    if (!hasTurn) return undefined
    try {
      return await work()
    } finally {
      this.#places--
      this.#change(tenant, -1)
      this.#pump()
    }
  }

  #pump (): void {
    let free = this.#lanes - [...this.#running.values()].reduce((sum, count) => sum + count, 0)
    for (const [tenant, own] of [...this.#waiting]) {
      if (free <= 0) return
      if (!this.#mayRun(tenant)) continue
      const next = own.shift()
      this.#waiting.delete(tenant)
      // Behind the others: its next turn comes after theirs.
      if (own.length > 0) this.#waiting.set(tenant, own)
      if (next === undefined) continue
      free--
      this.#change(tenant, 1)
      next.start()
    }
    if (free > 0 && [...this.#waiting.keys()].some((tenant) => this.#mayRun(tenant))) this.#pump()
  }

  /** Refuses what came last of the tenant who waits with most, when that leaves it no fewer than the one who comes. */
  #makeRoom (tenant: string | undefined): boolean {
    let most: { tenant: string | undefined, own: Piece[] } | undefined
    for (const [other, own] of this.#waiting) if (own.length > (most?.own.length ?? 0)) most = { tenant: other, own }
    if (most === undefined || most.own.length <= (this.#waiting.get(tenant)?.length ?? 0) + 1) return false
    this.#places--
    most.own.pop()?.refuse()
    return true
  }

  #mayRun (tenant: string | undefined): boolean {
    return (this.#running.get(tenant) ?? 0) < (tenant === undefined ? this.#lanes : this.#share)
  }

  #change (tenant: string | undefined, by: 1 | -1): void {
    const count = (this.#running.get(tenant) ?? 0) + by
    if (count > 0) this.#running.set(tenant, count)
    else this.#running.delete(tenant)
  }
}
