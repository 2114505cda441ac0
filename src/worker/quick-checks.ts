import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ModelFile } from '../domain/files.ts'
import { isTabular } from '../domain/job.ts'
import { messageVersion as v } from '../domain/message-version.ts'
import { unusableModel } from '../domain/unusable-model.ts'
import { defined } from '../platform/defined.ts'
import { newUlid } from '../platform/new-ulid.ts'
import type { QuickCheckReply, QuickCheckRequest } from '../platform/queue/quick-messages.ts'
import { removeFolder } from '../platform/store/remove-folder.ts'
import { isRemoteStore } from '../platform/store/store-config.ts'
import { readable } from './fetch-input.ts'
import { TaskStopped, type QuickRun, type QuickSlots } from './quick-slots.ts'
import type { RunContext } from './run-context.ts'
import { isGone, isPassing } from './store-failure.ts'

/**
 * What a check has to leave free, as a multiple of the space below which the service takes no uploads: the disk goes on
 * filling between two looks.
 */
const keptTimes = 1.5
const noRoom =
  'The disk of the service has too little room for the rows that preparation makes of this file; nothing was stored.'

/** Content checks of uploads whose callers wait for the answer. */
export class QuickChecks {
  readonly #context: RunContext
  readonly #slots: QuickSlots

  constructor (context: RunContext, slots: QuickSlots) {
    this.#context = context
    this.#slots = slots
  }

  async handle (request: QuickCheckRequest): Promise<QuickCheckReply> {
    return await this.#slots.use(request.tenant, (run) => this.#check(request, run)) ?? { v, ok: false, busy: true }
  }

  async #check ({ tenant = '', input, model, spec, limits, depth, mostMs }: QuickCheckRequest,
    run: QuickRun): Promise<QuickCheckReply> {
    const { config, scratch, store, covariates: { spans }, log } = this.#context
    const folder = join(scratch, `check-${newUlid()}`)
    const preparedPath = join(folder, 'prepared')
    // Most checks of a store that is a folder write nothing.
    const isWriting = isRemoteStore(config) || (!isTabular(spec) && spec.preparation !== undefined)
    const full = new AbortController()
    let unwatch = (): void => undefined
    try {
      if (isWriting) {
        await mkdir(folder, { mode: 0o700 })
        unwatch = await this.#watch(tenant, folder, full)
      }
      const inputPath = await readable(store, input.key, join(folder, 'upload'))
      const modelPath = model === undefined ? undefined : await this.#fetchModel(model, join(folder, 'model'))
      if (model !== undefined && modelPath === undefined) {
        return { v, ok: false, failed: 'pipeline_failed', ...unusableModel(model, 'gone') }
      }
      const end = await run({
        kind: 'check',
        inputPaths: [inputPath],
        format: input.format,
        compression: null,
        spec,
        limits,
        depth,
        threads: this.#slots.threads,
        preparedPath,
        spans,
        ...(model === undefined || modelPath === undefined ? {} : { model: { ...model, path: modelPath } })
      }, { signal: full.signal, ...defined({ mostMs }) })
      if (full.signal.aborted) return { v, ok: false, failed: 'storage_error', message: noRoom }
      if (!end.ok && 'suggestion' in end) log.error({ modelId: model?.modelId }, 'the file of a model is damaged')
      return end.ok ? { v, ok: true, ...end.result } : { v, ...end }
    } catch (err) {
      if (err instanceof TaskStopped) return { v, ok: false, stopped: true }
      log.error({ err, passing: isPassing(err) }, 'input of a content check not readable')
      return { v, ok: false, failed: 'storage_error' }
    } finally {
      if (isWriting) await removeFolder(folder).finally(unwatch)
    }
  }

  /** Ends the check if the file that it prepares fills the disk. */
  async #watch (tenant: string, folder: string, full: AbortController): Promise<() => void> {
    const { config, results, log } = this.#context
    return await results.watch({
      tenant,
      folder,
      kept: config.DATA_DIR_MIN_FREE_BYTES * keptTimes,
      end: () => {
        log.warn({ tenant }, 'the disk has no space for what a content check prepares, and it is ended')
        full.abort()
      }
    })
  }

  /** The path of the model's file; undefined if there is none. Rejects if the failure of the store may pass. */
  async #fetchModel (model: ModelFile, path: string): Promise<string | undefined> {
    const { store, log } = this.#context
    try {
      return await readable(store, model.key, path)
    } catch (err) {
      if (!isGone(err)) throw err
      log.error({ err, modelId: model.modelId }, 'the file of a model is gone')
      return undefined
    }
  }
}
