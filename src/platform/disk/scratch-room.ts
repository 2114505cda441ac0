import { statfsSync } from 'node:fs'
import { bytesBelow } from './bytes-below.ts'

export interface ScratchRoomOptions {
  /** Of runs of all workers. */
  folder: string
  /** What the data folder may have in all; 0: as much as the disk gives. */
  maxBytes: number
  /** What is left free on its disk. */
  minFreeBytes: number
  /** Workers that share it. */
  workers: number
}

/** Of what the data folder may have. It comes on top, so that uploads find the room that they are promised. */
const shareOfFolder = 0.25
/** Of what the disk has left: uploads and results need the rest. */
const shareOfDisk = 0.5
/** Of the room that the sources of others leave. */
const shareOfTenant = 0.75

/**
 * `never`: more than a tenant may have at any time. `now`: others have the room. `disk`: the disk has not so much free,
 * whoever else reads.
 */
export type NoRoom = 'never' | 'now' | 'disk'

/**
 * What sources of customers' stores may take of the disk while jobs read them and compute, and CSV files while they are
 * made. It is asked for as much as the store lists, or the table is reckoned to have, before anything is read; of a
 * source no more than that is written.
 */
export class ScratchRoom {
  readonly #options: ScratchRoomOptions
  /** Tenant -> bytes. */
  readonly #held = new Map<string, number>()

  constructor (options: ScratchRoomOptions) {
    this.#options = options
  }

  /** Gives what gives the room back; or why there is none. */
  async take (tenant: string, bytes: number): Promise<(() => void) | NoRoom> {
    const { maxBytes, workers, folder } = this.#options
    const promised = maxBytes === 0 ? Infinity : maxBytes * shareOfFolder / workers
    if (bytes > promised * shareOfTenant) return 'never'
    // What has come of sources under way is not free any more, and is theirs.
    const come = await bytesBelow(folder)
    const room = Math.min(promised, (this.#freeBytes() + come) * shareOfDisk / workers)
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

  #freeBytes (): number {
    const { bavail, bsize } = statfsSync(this.#options.folder)
    return bavail * bsize - this.#options.minFreeBytes
  }

  #change (tenant: string, by: number): void {
    const bytes = (this.#held.get(tenant) ?? 0) + by
    if (bytes > 0) this.#held.set(tenant, bytes)
    else this.#held.delete(tenant)
  }
}
