import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ulid } from 'ulid'
import { messageVersion as v } from '../domain/message-version.ts'
import type { QuickProfileReply, QuickProfileRequest } from '../platform/queue/quick-messages.ts'
import { readable } from './fetch-input.ts'
import { TaskStopped, type QuickRun, type QuickSlots } from './quick-slots.ts'
import type { RunContext } from './run-context.ts'
import { isPassing } from './store-failure.ts'
import { defined } from '../platform/defined.ts'

/** Profiles of stored files whose columns nobody has described yet. They take turns with content checks. */
export class QuickProfiles {
  readonly #context: RunContext
  readonly #slots: QuickSlots

  constructor (context: RunContext, slots: QuickSlots) {
    this.#context = context
    this.#slots = slots
  }

  async handle (request: QuickProfileRequest): Promise<QuickProfileReply> {
    return await this.#slots.use(request.tenant, (run) => this.#profile(request, run)) ?? { v, ok: false, busy: true }
  }

  async #profile ({ input, columns = {}, prompt, asksModel, answer, limits, mostMs }: QuickProfileRequest,
    run: QuickRun): Promise<QuickProfileReply> {
    const { scratch, store, log } = this.#context
    const copyPath = join(scratch, `profile-${ulid()}`)
    try {
      const path = await readable(store, input.key, copyPath)
      const dataset = { inputPaths: [path], format: input.format, compression: input.compression ?? null }
      const wish = defined({ prompt, asksModel, answer })
      const task = { kind: 'profile', ...dataset, columns, ...wish, limits, threads: this.#slots.threads } as const
      const end = await run(task, defined({ mostMs }))
      return end.ok ? { v, ok: true, ...end.result } : { v, ...end }
    } catch (err) {
      if (err instanceof TaskStopped) return { v, ok: false, stopped: true }
      log.error({ err, passing: isPassing(err) }, 'input of a profile not readable')
      return { v, ok: false, failed: 'storage_error' }
    } finally {
      await rm(copyPath, { force: true })
    }
  }
}
