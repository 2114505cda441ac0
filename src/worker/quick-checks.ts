import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ulid } from 'ulid'
import { messageVersion as v, type QuickCheckReply, type QuickCheckRequest } from '../queue/messages.ts'
import type { RunContext } from './run-context.ts'
import type { CheckTask } from './slot-messages.ts'
import type { Slot, SlotPool } from './slot-pool.ts'
import type { SlotEnd } from './slot-process.ts'
import { isPassing } from './store-failure.ts'
import { Turns } from './turns.ts'

/** A dataset that kills the process twice is not checked a third time. */
const maxDeaths = 2
/** Enough to start a process anew. The api sends no more checks than there are slots, so a longer wait means trouble. */
const slotWaitMs = 5_000
/** A process that has said nothing for so long was held up, and its dataset is not to blame. It speaks ten times a second. */
const silentMs = 2_000

/**
 * Content checks for uploads that wait for their answer, in slots of their own, so that no job can delay them. Each has its
 * time, after which its slot is free for the next one. Beyond the bound they are refused at once: an answer that comes too
 * late is of no use.
 */
export class QuickChecks {
  readonly #context: RunContext
  readonly #pool: SlotPool
  readonly #turns: Turns

  constructor (context: RunContext, pool: SlotPool) {
    this.#context = context
    this.#pool = pool
    this.#turns = new Turns(context.config.QUICK_QUEUE, context.config.CHECK_SLOTS)
  }

  async handle (request: QuickCheckRequest): Promise<QuickCheckReply> {
    const slotByMs = performance.now() + slotWaitMs
    return await this.#turns.take(() => this.#check(request, slotByMs)) ?? { v, ok: false, busy: true }
  }

  /** Resolves when the checks that were accepted are answered. */
  async idle (): Promise<void> {
    await this.#turns.idle()
  }

  async #check (request: QuickCheckRequest, slotByMs: number): Promise<QuickCheckReply> {
    const { scratch, store, log } = this.#context
    const inputPath = join(scratch, `check-${ulid()}`)
    const slot = performance.now() > slotByMs ? undefined : await this.#pool.takeUntil('large', slotByMs)
    if (slot === undefined) return { v, ok: false, busy: true }
    try {
      await store.getToFile(request.input.key, inputPath)
      return await this.#compute(request, inputPath, slot)
    } catch (err) {
      log.error({ err, passing: isPassing(err) }, 'input of a content check not readable')
      return { v, ok: false, failed: 'storage_error' }
    } finally {
      this.#pool.release(slot)
      await rm(inputPath, { force: true })
    }
  }

  async #compute (request: QuickCheckRequest, inputPath: string, slot: Slot): Promise<QuickCheckReply> {
    const { spec, limits, depth, input: { format } } = request
    const { config, log } = this.#context
    const limitMs = config.QUICK_TIMEOUT_MS
    const endMs = performance.now() + limitMs
    for (let deaths = 0; deaths < maxDeaths && performance.now() < endMs; deaths++) {
      await this.#pool.revive(slot)
      const process = slot.process
      let heardMs = performance.now()
      const timer = setTimeout(() => process.kill(), Math.max(0, endMs - performance.now()))
      const task: CheckTask = { kind: 'check', inputPaths: [inputPath], format, compression: null, spec, limits, depth, threads: config.SLOT_THREADS }
      const end = await process.run(task, () => { heardMs = performance.now() })
      clearTimeout(timer)
      if (end.type !== 'died') return toReply(end)
      const now = performance.now()
      log.warn({ cause: end.cause, deaths: deaths + 1, late: now >= endMs }, 'quick slot process died')
      if (end.cause === 'memory') return tooMuch('check_memory_exceeded', `needs more than ${config.SLOT_MEMORY_BYTES} bytes of memory`)
      if (now >= endMs && now - heardMs < Math.min(silentMs, limitMs)) return tooMuch('check_time_exceeded', `takes longer than ${limitMs / 1000} s`)
      if (now >= endMs) return { v, ok: false, failed: 'compute_unavailable' }
    }
    return { v, ok: false, failed: 'pipeline_failed' }
  }
}

/** The same file would end in the same way, so it is the file that is refused. A few bytes of Parquet can stand for very many rows. */
function tooMuch (code: string, what: string): QuickCheckReply {
  return {
    v,
    ok: false,
    error: {
      code,
      status: 413,
      message: `Reading this file ${what}, the most that a content check gets.`,
      column: null,
      row: null,
      item: null,
      count: null,
      suggestion: 'Send fewer rows or fewer series at a time.'
    }
  }
}

function toReply (end: Exclude<SlotEnd<'check'>, { type: 'died' }>): QuickCheckReply {
  if (end.type === 'done') return { v, ok: true, ...end.result }
  if (end.type === 'failed' && end.failure.content !== null) return { v, ok: false, error: end.failure.content }
  return { v, ok: false, failed: end.type === 'failed' && end.failure.code === 'storage_error' ? 'storage_error' : 'pipeline_failed' }
}
