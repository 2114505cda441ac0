import { setTimeout as sleep } from 'node:timers/promises'
import type { JobSize } from '../domain/job.ts'
import type { JobHandle } from '../platform/queue/index.ts'
import { JobRun } from './job-run.ts'
import { jobTypes } from './job-types.ts'
import { isDiskShort } from './result-space.ts'
import type { RunContext } from './run-context.ts'
import type { SlotPool } from './slot-pool.ts'
import type { StopReason } from './stop-reason.ts'

const pullMs = 5_000
const pauseMs = 250
/** The queue answers a pull within this time if a message waits. */
const answerMs = 50
/** A job type that this release does not know goes back to the queue, for a newer worker. */
const foreignJobDelayMs = 30_000

/**
 * Pulls one message per free slot, small and large jobs side by side, and keeps the runs that come of them. It fetches
 * nothing ahead, because another worker could compute a message that waits here. If both pulls deliver for the same
 * free slot, the second message goes back at once.
 */
export class JobIntakeLoop {
  readonly #context: RunContext
  readonly #pool: SlotPool
  readonly #runs = new Map<string, JobRun>()
  readonly #ends = new Set<Promise<void>>()
  /** When the open pull of each size began, on the clock of performance.now. */
  readonly #pulledMs = new Map<JobSize, number>()
  readonly #stopping = new AbortController()
  readonly #loops: Array<Promise<void>>
  readonly #maxRuns: number
  #wake: Array<() => void> = []

  constructor (context: RunContext, pool: SlotPool) {
    this.#context = context
    this.#pool = pool
    // A run that is being stored and reported has left its slot. This bound keeps such runs from piling up while the
    // store or the queue is away.
    this.#maxRuns = 2 * context.config.SLOTS
    this.#loops = (['small', 'large'] as const).map((size) => this.#pull(size))
  }

  running (): Array<{ jobId: string, run: string }> {
    return [...this.#runs.values()].map(({ jobId, run }) => ({ jobId, run }))
  }

  /** Whether no job of this size waits in the queue, which has not answered the open pull. */
  noneWaits (size: JobSize): boolean {
    return performance.now() - (this.#pulledMs.get(size) ?? Infinity) > answerMs
  }

  /** Call it when something may have become free. */
  wake (): void {
    const waiting = this.#wake
    this.#wake = []
    for (const resolve of waiting) resolve()
  }

  /** Stops pulling. Resolves once every run has ended or, after `graceMs`, has been given back. */
  async stop (graceMs: number): Promise<void> {
    this.#stopping.abort()
    this.wake()
    const timer = setTimeout(() => this.#stopAll('abandoned'), graceMs)
    while (this.#ends.size > 0) await Promise.all(this.#ends)
    clearTimeout(timer)
  }

  /** Resolves when no pull is open any more; pulls end with the connection. */
  async ended (): Promise<void> {
    await Promise.all(this.#loops)
  }

  /** Counts runs that hold or held a slot. Runs that read a source have a bound of their own. */
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
      // All jobs would be taken and given back, again and again.
      if (isDiskShort(this.#context.config)) {
        await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
        continue
      }
      try {
        this.#pulledMs.set(size, performance.now())
        const handle = await this.#context.queue.nextJob(size, pullMs).finally(() => this.#pulledMs.delete(size))
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
    // A run that has stopped, or will because its job was dispatched again, must not take over this message: it would
    // acknowledge it at its end.
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
