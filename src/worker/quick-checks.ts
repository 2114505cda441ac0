import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ulid } from 'ulid'
import { messageVersion as v, type QuickCheckReply, type QuickCheckRequest } from '../queue/messages.ts'
import type { QuickRun, QuickSlots } from './quick-slots.ts'
import type { RunContext } from './run-context.ts'
import { isPassing } from './store-failure.ts'

/** Content checks for uploads that wait for their answer. */
export class QuickChecks {
  readonly #context: RunContext
  readonly #slots: QuickSlots

  constructor (context: RunContext, slots: QuickSlots) {
    this.#context = context
    this.#slots = slots
  }

  async handle (request: QuickCheckRequest): Promise<QuickCheckReply> {
    return await this.#slots.use((run) => this.#check(request, run)) ?? { v, ok: false, busy: true }
  }

  async #check ({ input, spec, limits, depth }: QuickCheckRequest, run: QuickRun): Promise<QuickCheckReply> {
    const { config, scratch, store, log } = this.#context
    const inputPath = join(scratch, `check-${ulid()}`)
    try {
      await store.getToFile(input.key, inputPath)
      const end = await run({
        kind: 'check', inputPaths: [inputPath], format: input.format, compression: null, spec, limits, depth, threads: config.SLOT_THREADS
      })
      return end.ok ? { v, ok: true, ...end.result } : { v, ...end }
    } catch (err) {
      log.error({ err, passing: isPassing(err) }, 'input of a content check not readable')
      return { v, ok: false, failed: 'storage_error' }
    } finally {
      await rm(inputPath, { force: true })
    }
  }
}
