import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ulid } from 'ulid'
import { messageVersion as v } from '../domain/message-version.ts'
import type { QuickPreviewReply, QuickPreviewRequest } from '../platform/queue/quick-messages.ts'
import type { QuickRun, QuickSlots } from './quick-slots.ts'
import type { RunContext } from './run-context.ts'
import { isPassing } from './store-failure.ts'

/** Previews of stored tables. Only the beginning of the object is read. They take turns with content checks. */
export class QuickPreviews {
  readonly #context: RunContext
  readonly #slots: QuickSlots

  constructor (context: RunContext, slots: QuickSlots) {
    this.#context = context
    this.#slots = slots
  }

  async handle (request: QuickPreviewRequest): Promise<QuickPreviewReply> {
    return await this.#slots.use(request.tenant, (run) => this.#preview(request, run)) ?? { v, ok: false, busy: true }
  }

  async #preview ({ input, maxBytes, maxRows }: QuickPreviewRequest, run: QuickRun): Promise<QuickPreviewReply> {
    const { config, scratch, log } = this.#context
    const inputPath = join(scratch, `preview-${ulid()}`)
    try {
      const cut = await this.#fetchBeginning(input, maxBytes, inputPath)
      const end = await run({ kind: 'preview', inputPath, cut, maxRows, maxColumns: config.MAX_COLUMNS })
      return end.ok ? { v, ok: true, preview: end.result } : { v, ...end }
    } catch (err) {
      log.error({ err, passing: isPassing(err) }, 'input of a preview not readable')
      return { v, ok: false, failed: 'storage_error' }
    } finally {
      await rm(inputPath, { force: true })
    }
  }

  /**
   * True if the object is longer than what was fetched. An empty object is read without a range, because stores refuse
   * one there.
   */
  async #fetchBeginning ({ key, bytes }: QuickPreviewRequest['input'], maxBytes: number,
    path: string): Promise<boolean> {
    const read = await this.#context.store.openRead(key, bytes === 0 ? undefined : { start: 0, end: maxBytes - 1 })
    await pipeline(read.stream, createWriteStream(path, { mode: 0o600 }))
    return read.totalBytes > read.bytes
  }
}
