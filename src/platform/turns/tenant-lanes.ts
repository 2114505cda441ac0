/** A piece of work that waits. */
interface Piece {
  start: () => void
  refuse: () => void
}

export interface TenantLanesOptions {
  /** Lanes of one tenant; absent: all but one. */
  share?: number
  /**
   * Lanes in all, if more than `lanes`: the extra ones are for tenants that have none. Without them, a few tenants
   * whose work hangs would hold up everybody.
   */
  most?: number
}

/**
 * Runs a limited number of pieces of work side by side and holds a limited number. Waiting work is served tenant by
 * tenant, and no tenant has more lanes than its share. Work that belongs to no tenant is not bound by that. If the
 * queue is full, the tenant with the most waiting pieces gives one up for another tenant, so a flood fills only its own
 * share.
 */
export class TenantLanes {
  readonly #limit: number
  readonly #lanes: number
  readonly #share: number
  readonly #most: number
  readonly #held = new Set<Promise<unknown>>()
  /** Waiting pieces by tenant, in order of arrival; the tenants in the order of their turns. */
  readonly #waiting = new Map<string | undefined, Piece[]>()
  /** Running pieces by tenant. */
  readonly #running = new Map<string | undefined, number>()
  /** Running pieces in all. */
  #total = 0
  #places = 0

  constructor (limit: number, lanes: number,
    { share = Math.max(1, lanes - 1), most = lanes }: TenantLanesOptions = {}) {
    this.#limit = limit
    this.#lanes = lanes
    this.#share = share
    this.#most = most
  }

  /**
   * Resolves with the result of the work once its turn has come and it is done; undefined if too many pieces wait, at
   * once or later.
   */
  async take<T> (tenant: string | undefined, work: () => Promise<T>): Promise<T | undefined> {
    if (this.#places >= this.#limit && !this.#makeRoom(tenant)) return undefined
    const end = this.#run(tenant, work)
    const settled: Promise<unknown> = end.catch(() => undefined).then(() => this.#held.delete(settled))
    this.#held.add(settled)
    return await end
  }

  /** Resolves when everything that was accepted so far has ended. */
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
    for (let isStarted = true; isStarted;) {
      isStarted = false
      for (const [tenant, own] of [...this.#waiting]) {
        if (!this.#mayRun(tenant)) continue
        const next = own.shift()
        this.#waiting.delete(tenant)
        // Re-inserted at the end, so that other tenants come first.
        if (own.length > 0) this.#waiting.set(tenant, own)
        if (next === undefined) continue
        this.#change(tenant, 1)
        next.start()
        isStarted = true
      }
    }
  }

  /**
   * Refuses the newest piece of the tenant with the most waiting pieces, if that leaves it no fewer than the newcomer.
   */
  #makeRoom (tenant: string | undefined): boolean {
    let most: { tenant: string | undefined, own: Piece[] } | undefined
    for (const [other, own] of this.#waiting) if (own.length > (most?.own.length ?? 0)) most = { tenant: other, own }
    if (most === undefined || most.own.length <= (this.#waiting.get(tenant)?.length ?? 0) + 1) return false
    this.#places--
    most.own.pop()?.refuse()
    return true
  }

  #mayRun (tenant: string | undefined): boolean {
    const own = this.#running.get(tenant) ?? 0
    if (this.#total >= (own === 0 ? this.#most : this.#lanes)) return false
    return own < (tenant === undefined ? this.#lanes : this.#share)
  }

  #change (tenant: string | undefined, by: 1 | -1): void {
    const count = (this.#running.get(tenant) ?? 0) + by
    if (count > 0) this.#running.set(tenant, count)
    else this.#running.delete(tenant)
    this.#total += by
  }
}
