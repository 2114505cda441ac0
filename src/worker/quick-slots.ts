import type { ContentError } from '../domain/content-error.ts'
import { TenantLanes } from '../platform/turns/tenant-lanes.ts'
import { processorMs } from './processor-time.ts'
import type { RunContext } from './run-context.ts'
import { slotMemoryBounds } from './slot-memory.ts'
import type { SlotTask, TaskResults } from './slot-messages.ts'
import type { Slot, SlotPool } from './slot-pool.ts'
import type { SlotEnd, SlotProcess } from './slot-process.ts'
import { defined } from '../platform/defined.ts'

/** A dataset that has killed the process twice is not read a third time. */
const maxDeaths = 2
/**
 * Long enough to start a new process. The api sends no more checks than there are slots, so a longer wait means
 * trouble.
 */
const slotWaitMs = 5_000
/**
 * A process that was silent for this long was held up by the machine, so its dataset is not to blame. The exception is
 * one that computed all the while: a process speaks ten times a second, but not while it reads a prompt.
 */
const silentMs = 2_000
/**
 * The share of its time for which a process must have had a core to count as computing; on a busy machine that is less
 * than one.
 */
const computingShare = 0.25

/** Tasks whose callers wait for the answer. */
export type QuickTask = Extract<SlotTask, { kind: 'check' | 'preview' | 'profile' | 'inspect' }>

export type QuickEnd<K extends QuickTask['kind']> =
  | { ok: true, result: TaskResults[K] }
  /** The dataset is at fault. */
  | { ok: false, error: ContentError }
  /** `message`: the engine's message, if the process did not die. */
  | { ok: false, failed: 'storage_error' | 'pipeline_failed' | 'compute_unavailable', message?: string,
    suggestion?: string }

/** What ends a task early. */
export interface QuickLimits {
  /** The disk is full: the end is `storage_error`. */
  signal?: AbortSignal
  /** Milliseconds of a core that the task may take. After them the run rejects with TaskStopped. */
  mostMs?: number
}

/** A task took more of a core than it may. */
export class TaskStopped extends Error {}

/** How often a task with such a limit is looked at, and how long it has to notice that it is stopped. */
const meterMs = 50

/** Processor time that the tasks of one request have used, in milliseconds; all threads of the slot together. */
export interface Metered {
  cpuMs: number
}

/** Runs one task in the slot that is held. */
export type QuickRun = <T extends QuickTask>(task: T, limits?: QuickLimits) => Promise<QuickEnd<T['kind']>>

/**
 * Slots for tasks that a request waits for, apart from those of jobs, so that no job delays them. Each task has a time
 * limit, after which its slot is free for the next one. Work beyond the bound is refused at once, because an answer
 * that comes too late is useless. Tenants take turns here too: the api takes turns only for what it sends, and does not
 * know what a customer's store has just delivered.
 */
export class QuickSlots {
  readonly #context: Pick<RunContext, 'config' | 'log'>
  readonly #pool: SlotPool
  readonly #turns: TenantLanes
  /**
   * Threads for one task. All quick slots together have as many as one job. One slot always stays free for other
   * tenants, so a single tenant leaves cores to them.
   */
  readonly threads: number

  constructor (context: Pick<RunContext, 'config' | 'log'>, pool: SlotPool) {
    this.#context = context
    this.#pool = pool
    const { QUICK_QUEUE, CHECK_SLOTS, SLOT_THREADS } = context.config
    this.#turns = new TenantLanes(QUICK_QUEUE, CHECK_SLOTS)
    this.threads = Math.max(1, Math.floor(SLOT_THREADS / CHECK_SLOTS))
  }

  /**
   * Holds a slot while `work` lasts, and passes it a function that runs a task in the slot. Undefined: busy. `tenant`
   * is undefined if the api is of an earlier release.
   */
  async use<T extends object> (tenant: string | undefined,
    work: (run: QuickRun) => Promise<T>): Promise<(T & Metered) | undefined> {
    const slotByMs = performance.now() + slotWaitMs
    let cpuMs = 0
    const spend = (ms: number): void => {
      cpuMs += ms
    }
    return await this.#turns.take(tenant, async () => {
      const slot = performance.now() > slotByMs ? undefined : await this.#pool.takeUntil('large', slotByMs)
      if (slot === undefined) return undefined
      try {
        const end = await work((task, limits) => this.#run(task, slot, tenant, spend, limits))
        return { ...end, cpuMs }
      } finally {
        this.#pool.release(slot)
      }
    })
  }

  /** Resolves once all accepted work has ended. */
  async idle (): Promise<void> {
    await this.#turns.idle()
  }

  async #run<T extends QuickTask> (task: T, slot: Slot, tenant: string | undefined, spend: (cpuMs: number) => void,
    { signal, mostMs }: QuickLimits = {}): Promise<QuickEnd<T['kind']>> {
    const { config, log } = this.#context
    const limitMs = config.QUICK_TIMEOUT_MS
    const endMs = performance.now() + limitMs
    for (let deaths = 0; deaths < maxDeaths && performance.now() < endMs; deaths++) {
      await this.#pool.revive(slot)
      const process = slot.process
      const startMs = performance.now()
      let heardMs = startMs
      const usedBefore = processorMs(process.pid)
      let usedMs = 0
      const timer = setTimeout(() => {
        usedMs = processorMs(process.pid) - usedBefore
        process.kill()
      }, Math.max(0, endMs - startMs))
      const stop = (): void => process.kill()
      signal?.addEventListener('abort', stop, { once: true })
      const meter = startMeter(process, mostMs, usedBefore)
      const end: SlotEnd<T['kind']> = await process.run(task, () => {
        heardMs = performance.now()
      })
      clearTimeout(timer)
      meter?.end()
      signal?.removeEventListener('abort', stop)
      if (end.type !== 'died') {
        spend(end.cpuMs)
        if (meter?.hasStopped() === true && end.type === 'cancelled') throw new TaskStopped()
        return toQuickEnd(end)
      }
      const now = performance.now()
      // The process is gone and cannot report what it used, so charge at least the time that it held the slot.
      spend(Math.max(usedMs, now - startMs))
      if (signal?.aborted === true) return { ok: false, failed: 'storage_error' }
      if (meter?.hasStopped() === true) throw new TaskStopped()
      log.warn({ kind: task.kind, tenant, cause: end.cause, deaths: deaths + 1, late: now >= endMs },
        'quick slot process died')
      if (end.cause === 'memory') {
        const { eachBytes } = slotMemoryBounds(config)
        return tooMuch(task, 'check_memory_exceeded', `needs more than ${eachBytes} bytes of memory`)
      }
      if (end.cause === 'crowded') return { ok: false, failed: 'compute_unavailable' }
      const wasAtWork = now - heardMs < Math.min(silentMs, limitMs / 2) || usedMs >= computingShare * (endMs - startMs)
      if (now >= endMs && wasAtWork) {
        return tooMuch(task, 'check_time_exceeded', `takes longer than ${limitMs / 1000} s`)
      }
      if (now >= endMs) return { ok: false, failed: 'compute_unavailable' }
    }
    return { ok: false, failed: 'pipeline_failed' }
  }
}

/** Cancels the task of the process once it has taken `mostMs` milliseconds of a core. */
function startMeter (process: SlotProcess, mostMs: number | undefined, beforeMs: number):
  | { hasStopped(): boolean, end(): void }
  | undefined {
  if (mostMs === undefined) return undefined
  let isStopped = false
  const timer = setInterval(() => {
    if (isStopped || processorMs(process.pid) - beforeMs < mostMs) return
    isStopped = true
    process.cancel(meterMs)
  }, meterMs)
  return { hasStopped: () => isStopped, end: () => clearInterval(timer) }
}

/** The same file would fail again, so the file is refused. A few bytes of Parquet can stand for very many rows. */
function tooMuch (task: QuickTask, code: string, what: string): { ok: false, error: ContentError } {
  const hasPrompt = task.kind === 'profile' && task.prompt !== undefined && task.prompt !== ''
  return {
    ok: false,
    error: {
      code,
      status: 413,
      message: `Reading this file${hasPrompt ? ' and its prompt' : ''} ${what}, the most that a content check gets.`,
      column: null,
      row: null,
      item: null,
      count: null,
      suggestion: hasPrompt
        ? 'Send fewer rows or columns, or say in a few sentences what is to be forecast.'
        : 'Send fewer rows or fewer series at a time.'
    }
  }
}

function toQuickEnd<K extends QuickTask['kind']> (end: Exclude<SlotEnd<K>, { type: 'died' }>): QuickEnd<K> {
  if (end.type === 'done') return { ok: true, result: end.result }
  if (end.type === 'cancelled') return { ok: false, failed: 'pipeline_failed' }
  const { code, message, content, suggestion } = end.failure
  if (content !== null) return { ok: false, error: content }
  return code === 'storage_error'
    ? { ok: false, failed: code }
    : { ok: false, failed: 'pipeline_failed', message, ...defined({ suggestion }) }
}
