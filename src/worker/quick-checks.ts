import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ulid } from 'ulid'
import { messageVersion as v, type QuickCheckReply, type QuickCheckRequest } from '../queue/messages.ts'
import type { RunContext } from './run-context.ts'
import type { Slot, SlotPool } from './slot-pool.ts'
import type { SlotEnd } from './slot-process.ts'
import { isPassing } from './store-failure.ts'
import { Turns } from './turns.ts'

/** A dataset that kills the process twice is not checked a third time. */
const maxDeaths = 2

/**
 * Content checks for uploads that wait for their answer, one after the other in a slot of their own, so that no job can
 * delay them. Beyond the bound they are refused at once: an answer that comes too late is of no use.
 */
export class QuickChecks {
  readonly #context: RunContext
  readonly #pool: SlotPool
  readonly #turns: Turns

  constructor (context: RunContext, pool: SlotPool) {
    this.#context = context
    this.#pool = pool
    this.#turns = new Turns(context.config.QUICK_QUEUE)
  }

  async handle (request: QuickCheckRequest): Promise<QuickCheckReply> {
    const giveUpMs = performance.now() + this.#context.config.QUICK_TIMEOUT_MS
    return await this.#turns.take(() => this.#check(request, giveUpMs)) ?? { v, ok: false, busy: true }
  }

  /** Resolves when the checks that were accepted are answered. */
  async idle (): Promise<void> {
    await this.#turns.idle()
  }

  async #check (request: QuickCheckRequest, giveUpMs: number): Promise<QuickCheckReply> {
    const { scratch, store, log } = this.#context
    const inputPath = join(scratch, `check-${ulid()}`)
    const slot = await this.#pool.takeUntil('large', giveUpMs)
    if (slot === undefined) return { v, ok: false, busy: true }
    try {
      await store.getToFile(request.input.key, inputPath)
      return await this.#compute(request, inputPath, slot, giveUpMs)
    } catch (err) {
      log.error({ err, passing: isPassing(err) }, 'input of a content check not readable')
      return { v, ok: false, failed: 'storage_error' }
    } finally {
      this.#pool.release(slot)
      await rm(inputPath, { force: true })
    }
  }

  async #compute (request: QuickCheckRequest, inputPath: string, slot: Slot, giveUpMs: number): Promise<QuickCheckReply> {
    const { spec, limits, depth, input: { format } } = request
    const { config, log } = this.#context
    for (let deaths = 0; deaths < maxDeaths && performance.now() < giveUpMs; deaths++) {
      await this.#pool.revive(slot)
      const process = slot.process
      const timer = setTimeout(() => process.kill(), Math.max(0, giveUpMs - performance.now()))
      const end = await process.run({ kind: 'check', inputPath, format, spec, limits, depth, threads: config.SLOT_THREADS }, () => undefined)
      clearTimeout(timer)
      if (end.type !== 'died') return toReply(end)
      log.warn({ cause: end.cause, deaths: deaths + 1 }, 'quick slot process died')
    }
    return { v, ok: false, failed: 'pipeline_failed' }
  }
}

function toReply (end: Exclude<SlotEnd<'check'>, { type: 'died' }>): QuickCheckReply {
  if (end.type === 'done') return { v, ok: true, ...end.result }
  if (end.type === 'failed' && end.failure.content !== null) return { v, ok: false, error: end.failure.content }
  return { v, ok: false, failed: end.type === 'failed' && end.failure.code === 'storage_error' ? 'storage_error' : 'pipeline_failed' }
}
