import { statfsSync } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { TabcastError } from '../errors.ts'
import { repeat } from '../repeat.ts'
import { childrenOf } from '../store/walk-folder.ts'

export interface DiskRoomOptions {
  /** The data folder. */
  folder: string
  /** What it may have in all; 0: as much as the disk gives. */
  maxBytes: number
  /** What uploads and jobs leave free on its disk, so that what was taken can be finished, read and deleted; 0: nothing. */
  minFreeBytes: number
  log: Logger
}

/** Of one upload between two looks at the room that is left. */
const lookBytes = 4 * 2 ** 20
/** A walk over a hundred thousand files takes a second of one core. */
const measureMs = 10_000

/**
 * Whether the data folder takes more. The disk is asked each time; the folder is measured every 10 seconds, and what was let in
 * since then is added, so that a burst cannot overshoot its quota.
 */
export class DiskRoom {
  readonly #options: DiskRoomOptions
  readonly #measuring: { stop: () => Promise<void> } | undefined
  /** One after the other: two at a time would both forget what was let in. */
  #current = Promise.resolve()
  #usedBytes = 0
  /** Let in since the walk under way began, and since the one before it. */
  #addedBytes = 0

  constructor (options: DiskRoomOptions) {
    this.#options = options
    if (options.maxBytes === 0) return
    this.#measuring = repeat('disk room', measureMs, options.log, () => this.measure())
    this.measure().catch((error: unknown) => options.log.error({ err: error }, 'the data folder could not be measured'))
  }

  /** Throws when the folder has no room for this much more; reading and deleting go on. */
  check (bytes = 0): void {
    const reason = this.shortage(bytes)
    if (reason === undefined) {
      this.#addedBytes += bytes
      return
    }
    throw new TabcastError('storage_error', `${reason} Nothing was stored.`, {
      reason: 'data_dir_full', suggestion: 'Delete jobs and stored objects, or wait until their time is over; the operator can give the service more room.', retryAfterSeconds: 30
    })
  }

  /**
   * For an upload of which `announced` bytes were let in: told of each piece as it comes, throws when the folder has no room for
   * more. Many uploads at once, or bytes that nobody announced, would fill the disk otherwise.
   */
  arriving (announced: number): (bytes: number) => void {
    let arrived = 0
    let sinceLook = 0
    return (bytes) => {
      arrived += bytes
      sinceLook += bytes
      if (sinceLook < lookBytes) return
      this.check(arrived > announced ? sinceLook : 0)
      sinceLook = 0
    }
  }

  /** What is short, without a path: anyone may read it. */
  shortage (bytes = 0): string | undefined {
    const { folder, maxBytes, minFreeBytes } = this.#options
    if (maxBytes > 0 && this.#usedBytes + this.#addedBytes + bytes >= maxBytes) return `The service stores ${this.#usedBytes + this.#addedBytes} bytes, and may store ${maxBytes}.`
    if (minFreeBytes === 0) return undefined
    const { bavail, bsize } = statfsSync(folder)
    if (bavail * bsize - bytes < minFreeBytes) return `The disk of the service has ${bavail * bsize} bytes left, of which ${minFreeBytes} are kept free.`
    return undefined
  }

  /** Runs every 10 seconds by itself when there is a quota. */
  async measure (): Promise<void> {
    this.#current = this.#current.catch(() => undefined).then(() => this.#walk())
    await this.#current
  }

  async #walk (): Promise<void> {
    const added = this.#addedBytes
    this.#usedBytes = await bytesBelow(this.#options.folder)
    this.#addedBytes -= added
  }

  async stop (): Promise<void> {
    await this.#measuring?.stop()
    await this.#current.catch(() => undefined)
  }
}

/** On disk: of a file with holes, such as the queue's and the record's, what it really takes. */
async function bytesBelow (folder: string): Promise<number> {
  let bytes = 0
  for (const child of await childrenOf(folder)) {
    const path = join(folder, child.name)
    if (child.isDirectory()) bytes += await bytesBelow(path)
    else if (child.isFile()) bytes += await lstat(path).then(({ blocks }) => blocks * 512, ifGone)
  }
  return bytes
}

function ifGone (error: NodeJS.ErrnoException): number {
  if (error.code === 'ENOENT') return 0
  throw error
}
