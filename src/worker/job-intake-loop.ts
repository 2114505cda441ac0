import { setTimeout as sleep } from 'node:timers/promises'
import type { JobSize } from '../domain/job.ts'
import type { JobHandle } from '../platform/queue/index.ts'
import { JobRun } from './job-run.ts'
import { jobTypes } from './job-types.ts'
import type { RunContext } from './run-context.ts'
import type { SlotPool } from './slot-pool.ts'
import type { StopReason } from './stop-reason.ts'

const pullMs = 5_000
const pauseMs = 250
/** A job that this release cannot run waits for a newer worker. */
const foreignJobDelayMs = 30_000

/**
 * Pulls one message per free slot, small and large ones side by side, and follows the runs they become. Nothing is
 * fetched ahead: a message that waits in here would be missing elsewhere. When both pulls deliver for one free slot,
 * the second message goes back at once.
 */
export class JobIntakeLoop {
  readonly #context: RunContext
  readonly #pool: SlotPool
  readonly #runs = new Map<string, JobRun>()
  readonly #ends = new Set<Promise<void>>()
  readonly #stopping = new AbortController()
  readonly #loops: Array<Promise<void>>
  readonly #maxRuns: number
  #wake: Array<() => void> = []

  constructor (context: RunContext, pool: SlotPool) {
    this.#context = context
    this.#pool = pool
    // Runs that are being stored and reported have left their slot; when the store or the queue is away, they must not
    // pile up.
    this.#maxRuns = 2 * context.config.SLOTS
    this.#loops = (['small', 'large'] as const).map((size) => this.#pull(size))
  }

  running (): Array<{ jobId: string, run: string }> {
    return [...this.#runs.values()].map(({ jobId, run }) => ({ jobId, run }))
  }

  /** Something may have become free: look again. */
  wake (): void {
    const waiting = this.#wake
    this.#wake = []
    for (const resolve of waiting) resolve()
  }

  /** Takes nothing new; resolves when every run has ended, or was given back because `graceMs` were over. */
  async stop (graceMs: number): Promise<void> {
    this.#stopping.abort()
    this.wake()
    const timer = setTimeout(() => this.#stopAll('abandoned'), graceMs)
    while (this.#ends.size > 0) await Promise.all(this.#ends)
    clearTimeout(timer)
  }

  /** Resolves when no pull is open any more; they end with the connection. */
  async ended (): Promise<void> {
    await Promise.all(this.#loops)
  }

  /** Runs that have a slot or had it; those that read a source have a bound of their own. */
  #busy (): number {
    return [...this.#runs.values()].filter(({ isReading }) => !isReading).length
  }

  #stopAll (reason: StopReason): void {
    for (const run of this.#runs.values()) run.stop(reason)
  }

  async #pull (size: JobSize): Promise<void> {
    const signal = this.#stopping.signal
    while (!signal.aborted) {
      if (!this.#pool.hasFree(size) || this.#busy() >= this.#maxRuns) {
        await new Promise<void>((resolve) => this.#wake.push(resolve))
        continue
      }
      try {
        const handle = await this.#context.queue.nextJob(size, pullMs)
        if (handle !== undefined) this.#accept(size, handle)
      } catch (err) {
        if (!signal.aborted) this.#context.log.debug({ err, size }, 'no jobs readable yet')
        await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
      }
    }
  }

  #accept (size: JobSize, handle: JobHandle): void {
    const { jobId, jobType } = handle.message
    if (!jobTypes.includes(jobType)) {
      this.#context.log.error({ jobId, jobType }, 'no pipeline for this job type, message given back')
      return handle.nak(foreignJobDelayMs)
    }
    const known = this.#runs.get(jobId)
    // One that was stopped, or will hear of it in a moment, would let go of this message as well: the job was sent
    // again.
    if (known?.isStopped === true || (known !== undefined && handle.message.dispatch > known.dispatch)) {
      return handle.nak(pauseMs)
    }
    if (known !== undefined) return known.adopt(handle)
    const slot = this.#stopping.signal.aborted ? undefined : this.#pool.take(size)
    if (slot === undefined) return handle.nak()
    const run = new JobRun(this.#context, this.#pool, handle, slot)
    this.#runs.set(jobId, run)
    const end = run.finish().finally(() => {
      this.#runs.delete(jobId)
      this.#ends.delete(end)
      this.wake()
    })
    this.#ends.add(end)
  }
}
