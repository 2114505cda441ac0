import { readdirSync } from 'node:fs'
import type { Logger } from 'pino'
import { bytesBelow } from '../platform/disk/bytes-below.ts'
import { freeBytes } from '../platform/disk/free-bytes.ts'

const lookMs = 250
/** A run that has written less than this is not to blame for a full disk. */
const leastBytes = 2 ** 20

/** A run that writes its result into a folder in scratch. */
export interface WritingRun {
  readonly tenant: string
  readonly folder: string
  /** The bytes of the disk that it has to leave free. */
  readonly kept: number
  /** Ends the run. What it has written goes. */
  readonly end: () => void
}

interface Watched extends WritingRun {
  /** Bytes in its folder when it began to write. */
  readonly before: number
  isEnded: boolean
}

/**
 * Watches the disk while slots write results, because nobody knows the size of a result before. If a result takes what
 * is kept free for others, its run is ended; of several runs of this process, the largest of the tenant whose runs have
 * written most.
 */
export class ResultWatch {
  /** Scratch, where all runs of this worker write. */
  readonly #folder: string
  readonly #log: Logger
  readonly #watched = new Set<Watched>()
  #timer: NodeJS.Timeout | undefined
  #isLooking = false

  constructor (folder: string, log: Logger) {
    this.#folder = folder
    this.#log = log
  }

  /**
   * Watches the run until the returned function is called; more calls do nothing. If the run was ended, its files have
   * to be gone by then.
   */
  async watch (run: WritingRun): Promise<() => void> {
    if (run.kept === 0) return () => undefined
    // The folder of a small job is empty as a rule, and so the event loop need not wait for a walk through it.
    const before = readdirSync(run.folder).length === 0 ? 0 : await bytesBelow(run.folder)
    const watched = { ...run, before, isEnded: false }
    this.#watched.add(watched)
    this.#timer ??= setInterval(() => {
      void this.#look()
    }, lookMs)
    return () => {
      this.#watched.delete(watched)
      if (this.#watched.size > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
    }
  }

  async #look (): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      // The files of a run that was ended are about to go, and no other run should end for them.
      if ([...this.#watched].some(({ isEnded }) => isEnded)) return
      const largest = await this.#largestBeyond(freeBytes(this.#folder))
      if (largest === undefined || !this.#watched.has(largest)) return
      largest.isEnded = true
      largest.end()
    } catch (err) {
      this.#log.error({ err }, 'the disk could not be watched while results are written')
    } finally {
      this.#isLooking = false
    }
  }

  /** Of the runs that have to leave more free than there is, the largest of the tenant that has written most. */
  async #largestBeyond (free: number): Promise<Watched | undefined> {
    const sizes = await Promise.all([...this.#watched].filter(({ kept }) => free < kept)
      .map(async (run) => ({ run, bytes: await bytesBelow(run.folder) - run.before })))
    const written = new Map<string, number>()
    for (const { run: { tenant }, bytes } of sizes) written.set(tenant, (written.get(tenant) ?? 0) + bytes)
    const ofTenant = ({ run: { tenant } }: { run: Watched }): number => written.get(tenant) ?? 0
    const [largest] = sizes.filter(({ bytes }) => bytes >= leastBytes)
      .sort((one, other) => ofTenant(other) - ofTenant(one) || other.bytes - one.bytes)
    return largest?.run
  }
}
