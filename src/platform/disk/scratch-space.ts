import { bytesBelow } from './bytes-below.ts'
import { freeBytes } from './free-bytes.ts'

export interface ScratchSpaceOptions {
  /** The folder with the runs of all workers. */
  folder: string
  /** The most bytes that the data folder may have; 0: limited by the disk only. */
  maxBytes: number
  /** Bytes to leave free on the disk. */
  minFreeBytes: number
  /** How many workers share the space. */
  workers: number
}

/**
 * The share of the data folder's quota that scratch may have. It comes on top of the quota, so that uploads find the
 * space that they were promised.
 */
const shareOfFolder = 0.25
/** The share of the free disk space that scratch may have; uploads and results need the rest. */
const shareOfDisk = 0.5
/** The share of the space left by others that one tenant may have. */
const shareOfTenant = 0.75

/**
 * Why there is no space. `never`: the tenant may never have that much. `now`: others hold the space. `disk`: the disk
 * has too little free, even if nobody else held any.
 */
export type NoSpace = 'never' | 'now' | 'disk'

/**
 * Disk space for sources of customers' stores, while jobs read them and compute, and for CSV files, while they are
 * made. Before reading, a caller asks for as much as the store lists, or as the table is estimated to have. No more
 * than that is written of a source.
 */
export class ScratchSpace {
  readonly #options: ScratchSpaceOptions
  /** Bytes held, by tenant. */
  readonly #held = new Map<string, number>()

  constructor (options: ScratchSpaceOptions) {
    this.#options = options
  }

  /** Returns a function that releases the space, or the reason why there is none. */
  async take (tenant: string, bytes: number): Promise<(() => void) | NoSpace> {
    const { maxBytes, minFreeBytes, workers, folder } = this.#options
    const promised = maxBytes === 0 ? Infinity : maxBytes * shareOfFolder / workers
    if (bytes > promised * shareOfTenant) return 'never'
    // Bytes that have already arrived are no longer free on the disk, but belong to the space that was promised.
    const come = await bytesBelow(folder)
    const room = Math.min(promised, (freeBytes(folder) - minFreeBytes + come) * shareOfDisk / workers)
    if (bytes > room * shareOfTenant) return 'disk'
    const own = this.#held.get(tenant) ?? 0
    const all = [...this.#held.values()].reduce((sum, held) => sum + held, 0)
    if (own + bytes > (room - (all - own)) * shareOfTenant) return 'now'
    this.#change(tenant, bytes)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#change(tenant, -bytes)
    }
  }

  #change (tenant: string, by: number): void {
    const bytes = (this.#held.get(tenant) ?? 0) + by
    if (bytes > 0) this.#held.set(tenant, bytes)
    else this.#held.delete(tenant)
  }
}
