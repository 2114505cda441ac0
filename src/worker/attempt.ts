import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { JobMessage, SlotDeathCause } from '../queue/messages.ts'
import { StoreError } from '../store/store-error.ts'
import type { News } from './news.ts'
import type { RunOutcome } from './publish-result.ts'
import { retry } from './retry.ts'
import type { RunContext } from './run-context.ts'
import type { PipelineResult } from './slot-messages.ts'
import type { SlotEnd, SlotProcess } from './slot-process.ts'
import { isPassing } from './store-failure.ts'

export type AttemptEnd =
  /** Decided; `budgetEndMs` is on the clock of performance.now. */
  | { type: 'outcome', outcome: RunOutcome, budgetEndMs: number }
  | { type: 'died', cause: SlotDeathCause }

/** One run of one job: fetch the input, compute in the slot, within the time budget. What it stores is nobody's business yet. */
export class Attempt {
  readonly #context: RunContext
  readonly #job: JobMessage
  readonly #process: SlotProcess
  readonly #news: News
  readonly #folder: string

  constructor (context: RunContext, job: JobMessage, run: string, process: SlotProcess, news: News) {
    this.#context = context
    this.#job = job
    this.#process = process
    this.#news = news
    this.#folder = join(context.scratch, run)
  }

  /** Rejects with the signal's reason when it is aborted, after the slot has stopped; the scratch folder is gone then. */
  async run (signal: AbortSignal): Promise<AttemptEnd> {
    this.#news.started()
    const budgetEndMs = performance.now() + this.#job.budgetMs
    let kept = false
    try {
      await mkdir(this.#folder, { mode: 0o700 })
      const inputPath = join(this.#folder, 'input')
      const fetched = await this.#fetch(inputPath, signal, budgetEndMs)
      if ('code' in fetched) return { type: 'outcome', outcome: fetched, budgetEndMs }
      const end = await this.#compute(inputPath, signal, budgetEndMs)
      signal.throwIfAborted()
      if (end === 'timeout') return { type: 'outcome', outcome: this.#timedOut(), budgetEndMs }
      if (end.type === 'died') return end
      if (end.type === 'cancelled') throw new Error('the slot reports a cancel that nobody asked for')
      if (end.type === 'failed') return { type: 'outcome', outcome: { code: end.failure.code, error: end.failure.message }, budgetEndMs }
      kept = true
      return { type: 'outcome', outcome: this.#completed(end.result, fetched.seconds), budgetEndMs }
    } finally {
      if (!kept) await this.#cleanUp()
    }
  }

  /** How long it took, or how the run ends without an input. */
  async #fetch (path: string, signal: AbortSignal, deadlineMs: number): Promise<{ seconds: number } | RunOutcome> {
    const { store, log } = this.#context
    const startedMs = performance.now()
    const { jobId, input: { key } } = this.#job
    try {
      await retry(() => store.getToFile(key, path), {
        signal,
        deadlineMs,
        isRetryable: isPassing,
        onRetry: (err, attempt, pauseMs) => log.warn({ err, jobId, attempt, pauseMs }, 'input not readable yet')
      })
      return { seconds: (performance.now() - startedMs) / 1000 }
    } catch (err) {
      signal.throwIfAborted()
      log.error({ err, jobId }, 'input not readable')
      const isGone = err instanceof StoreError && err.code === 'not_found'
      return { code: 'storage_error', error: isGone ? 'The stored input is gone.' : 'The object store did not give the input.' }
    }
  }

  async #compute (inputPath: string, signal: AbortSignal, budgetEndMs: number): Promise<SlotEnd<'forecast'> | 'timeout'> {
    const { input: { format }, jobType, spec, limits } = this.#job
    let isTimedOut = false
    const timer = setTimeout(() => {
      isTimedOut = true
      this.#process.kill()
    }, Math.max(0, budgetEndMs - performance.now()))
    const stop = () => {
      // A cancelled job gives its slot a second to stop by itself; a worker that ends has no second to spare.
      if (signal.reason === 'cancelled') this.#process.cancel()
      else this.#process.kill()
    }
    signal.addEventListener('abort', stop, { once: true })
    try {
      signal.throwIfAborted()
      const end = await this.#process.run(
        {
          kind: jobType,
          inputPaths: [inputPath],
          format,
          compression: null,
          spec,
          limits,
          outputFolder: this.#folder,
          threads: this.#context.config.SLOT_THREADS,
          budgetSeconds: Math.max(0, budgetEndMs - performance.now()) / 1000
        },
        (stage, fraction) => this.#news.progress(stage, fraction)
      )
      return isTimedOut && end.type === 'died' ? 'timeout' : end
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
  }

  #completed (result: PipelineResult, fetchSeconds: number): RunOutcome {
    const timings = { ...result.timings, ingest: (result.timings['ingest'] ?? 0) + fetchSeconds }
    return { code: null, result: { ...result, timings }, folder: this.#folder, cleanUp: () => this.#cleanUp() }
  }

  #timedOut (): RunOutcome {
    return { code: 'timeout', error: `The job exceeded its time budget of ${Math.round(this.#job.budgetMs / 100) / 10} s.` }
  }

  async #cleanUp (): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
  }
}
