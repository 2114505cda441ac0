import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ulid } from 'ulid'
import { messageVersion as v } from '../domain/message-version.ts'
import type { NoSpace } from '../platform/disk/scratch-space.ts'
import type { QuickConvertReply, QuickConvertRequest } from '../platform/queue/quick-messages.ts'
import { ownerOf } from '../platform/store/keys.ts'
import { StoreError } from '../platform/store/store-error.ts'
import { TenantLanes } from '../platform/turns/tenant-lanes.ts'
import { niceness } from './priority.ts'
import type { RunContext } from './run-context.ts'
import { SlotProcess, type SlotEnd } from './slot-process.ts'
import { isDeletion, stopOnDeletion } from './stop-on-deletion.ts'

/** How many conversions one worker holds; a client that is turned away asks again later. */
const maxHeld = 16
/** `now` means that others hold the space and will free it, so the client may ask again. */
const withoutRoom: Record<NoSpace, QuickConvertReply> = {
  now: { v, ok: false, busy: true },
  disk: { v, ok: false, failed: 'storage_error' },
  never: { v, ok: false, failed: 'dataset_too_large' }
}

/**
 * Makes the CSV files of large results when somebody downloads them. Tenants take turns, one conversion at a time; a
 * second one runs beside it if it belongs to another tenant. Conversions are rare and long, so each one starts a
 * process of its own: no content check or job waits behind it, and no memory is reserved for it.
 */
export class Conversions {
  readonly #context: RunContext
  readonly #turns = new TenantLanes(maxHeld, 1, { most: 2 })

  constructor (context: RunContext) {
    this.#context = context
  }

  async handle (request: QuickConvertRequest): Promise<QuickConvertReply> {
    const giveUpMs = performance.now() + request.budgetMs
    const { tenant, jobId } = ownerOf(request.parquetKey)
    return await stopOnDeletion(this.#context, jobId,
      async (deletion) =>
        await this.#turns.take(tenant, async () =>
          performance.now() < giveUpMs ? await this.#convert(request, giveUpMs, deletion) : undefined) ??
          { v, ok: false, busy: true })
  }

  /** Resolves once every accepted conversion is answered. */
  async idle (): Promise<void> {
    await this.#turns.idle()
  }

  async #convert ({ parquetKey, csvKey, roomBytes }: QuickConvertRequest, giveUpMs: number,
    deletion: AbortSignal): Promise<QuickConvertReply> {
    const { scratch, scratchSpace, config, log } = this.#context
    const store = this.#context.store.within(deletion)
    const folder = join(scratch, `convert-${ulid()}`)
    const [parquetPath, csvPath] = [join(folder, 'forecast.parquet'), join(folder, 'forecast.csv')]
    let leaveRoom = (): void => undefined
    try {
      deletion.throwIfAborted()
      const room = await scratchSpace.take(ownerOf(parquetKey).tenant, roomBytes ?? config.MAX_CSV_BYTES)
      if (typeof room === 'string') {
        log.warn({ reason: room }, 'table not converted, there is no room for its files')
        return withoutRoom[room]
      }
      leaveRoom = room
      await mkdir(folder, { mode: 0o700 })
      await store.getToFile(parquetKey, parquetPath)
      const end = await this.#compute(parquetPath, csvPath, giveUpMs, deletion)
      if (end.type === 'done') {
        await store.putFile(csvKey, csvPath, { move: true })
        return { v, ok: true, file: end.result }
      }
      deletion.throwIfAborted()
      if (end.type === 'died' && end.cause === 'crowded') return { v, ok: false, busy: true }
      log.error({ kind: end.type, code: end.type === 'failed' ? end.failure.code : null }, 'table not converted')
      return {
        v,
        ok: false,
        failed: end.type === 'failed' && end.failure.code === 'storage_error' ? 'storage_error' : 'pipeline_failed'
      }
    } catch (err) {
      if (isDeletion(deletion.reason)) {
        log.info({}, 'conversion broken off, its job was deleted')
        return { v, ok: false, failed: 'pipeline_failed' }
      }
      log.error({ err }, 'table not converted')
      return { v, ok: false, failed: err instanceof StoreError ? 'storage_error' : 'pipeline_failed' }
    } finally {
      await rm(folder, { recursive: true, force: true }).finally(leaveRoom)
    }
  }

  async #compute (parquetPath: string, csvPath: string, giveUpMs: number,
    deletion: AbortSignal): Promise<SlotEnd<'convert'>> {
    const process = new SlotProcess({ memory: this.#context.memory, nice: niceness.small })
    const stop = (): void => process.kill()
    deletion.addEventListener('abort', stop, { once: true })
    const timer = setTimeout(stop, Math.max(0, giveUpMs - performance.now()))
    try {
      await process.ready
      return await process.run({ kind: 'convert', parquetPath, path: csvPath, format: 'csv' }, () => undefined)
    } finally {
      clearTimeout(timer)
      deletion.removeEventListener('abort', stop)
      process.kill()
      await process.exited
    }
  }
}
