import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ulid } from 'ulid'
import type { ResultFile } from '../domain/files.ts'
import { messageVersion as v } from '../domain/message-version.ts'
import type { NoSpace } from '../platform/disk/scratch-space.ts'
import type { QuickDeliverReply, QuickDeliverRequest } from '../platform/queue/quick-messages.ts'
import { StoreError } from '../platform/store/store-error.ts'
import { TenantLanes } from '../platform/turns/tenant-lanes.ts'
import { ConnectorError } from '../sources/connectors/connector-error.ts'
import { csvType, describeFile, parquetType } from './describe-file.ts'
import { niceness } from './priority.ts'
import type { RunContext } from './run-context.ts'
import type { ConvertTask } from './slot-messages.ts'
import { SlotProcess } from './slot-process.ts'
import { isDeletion, stopOnDeletion } from './stop-on-deletion.ts'

/**
 * How many deliveries one worker holds, and how many it makes side by side; they mostly wait for a store outside the
 * service. No tenant takes all lanes. A tenant without a lane gets an extra one, up to twice as many in all. The api
 * hands deliveries out by the same rule (`src/platform/due-work/due-runner.ts`).
 */
const maxHeld = 16
const lanes = 4

/** `now` means that others hold the space and will free it; a full disk may stay full. */
const withoutRoom: Record<NoSpace, QuickDeliverReply> = {
  now: { v, ok: false, busy: true },
  disk: { v, ok: false, failed: 'no_room' },
  never: { v, ok: false, error: 'DATASET_TOO_LARGE' }
}

/**
 * Writes forecast tables to customers' stores. Deliveries take turns of their own, so that they hold up nothing else.
 */
export class Deliveries {
  readonly #context: RunContext
  readonly #turns = new TenantLanes(maxHeld, lanes, { most: 2 * lanes })
  /** Conversions run in processes that take memory and compute all the time, so none are added beyond the lanes. */
  readonly #conversions = new TenantLanes(maxHeld, lanes)

  constructor (context: RunContext) {
    this.#context = context
  }

  async handle (request: QuickDeliverRequest): Promise<QuickDeliverReply> {
    return await stopOnDeletion(this.#context, request.jobId, async (deletion) => {
      const signal = AbortSignal.any([deletion, AbortSignal.timeout(request.budgetMs)])
      return await this.#turns.take(request.connection.tenant, () => this.#deliver(request, signal)) ??
        { v, ok: false, busy: true }
    })
  }

  /** Resolves once every accepted delivery is answered. */
  async idle (): Promise<void> {
    await this.#turns.idle()
  }

  async #deliver (request: QuickDeliverRequest, signal: AbortSignal): Promise<QuickDeliverReply> {
    const { scratch, scratchSpace, config, log } = this.#context
    const folder = join(scratch, `deliver-${ulid()}`)
    const { jobId, connection: { connectionId, tenant } } = request
    let leaveRoom = (): void => undefined
    try {
      signal.throwIfAborted()
      const room = await scratchSpace.take(tenant, request.roomBytes ?? config.MAX_CSV_BYTES)
      if (typeof room === 'string') {
        log.warn({ jobId, tenant, connectionId, reason: room }, 'delivery not made, there is no room for its files')
        return withoutRoom[room]
      }
      leaveRoom = room
      await mkdir(folder, { mode: 0o700 })
      const file = await this.#make(request, folder, signal)
      if (file === undefined) return { v, ok: false, busy: true }
      return await this.#write(request, join(folder, file.name), file, signal)
    } catch (err) {
      if (isDeletion(signal.reason)) {
        log.info({ jobId, connectionId }, 'delivery broken off, its job was deleted')
        return { v, ok: false, failed: 'pipeline_failed' }
      }
      if (err instanceof ConnectorError) {
        log.info({ jobId, connectionId, code: err.code }, 'delivery failed')
        return { v, ok: false, error: err.code }
      }
      log.error({ err, jobId, tenant }, 'delivery not made')
      return { v, ok: false, failed: err instanceof StoreError ? 'storage_error' : 'pipeline_failed' }
    } finally {
      await rm(folder, { recursive: true, force: true }).finally(leaveRoom)
    }
  }

  /** Makes the file that the customer gets; undefined if too many conversions are waiting. */
  async #make ({ connection, source, fileFormat }: QuickDeliverRequest, folder: string,
    signal: AbortSignal): Promise<ResultFile | undefined> {
    const fetched = join(folder, `forecast.${source.fileFormat}`)
    await this.#context.store.within(signal).getToFile(source.key, fetched)
    // Every forecast has a Parquet table, so nothing is ever converted to Parquet.
    if (source.fileFormat === fileFormat || fileFormat === 'parquet') {
      return await describeFile(fetched, fileFormat === 'parquet' ? parquetType : csvType)
    }
    const path = join(folder, `forecast.${fileFormat}`)
    return await this.#conversions.take(connection.tenant,
      () => this.#convert({ parquetPath: fetched, path, format: fileFormat }, signal))
  }

  /** Undefined if other tasks need the memory. */
  async #convert (files: Omit<ConvertTask, 'kind'>, signal: AbortSignal): Promise<ResultFile | undefined> {
    signal.throwIfAborted()
    const process = new SlotProcess({ memory: this.#context.memory, nice: niceness.small })
    const stop = (): void => process.kill()
    signal.addEventListener('abort', stop, { once: true })
    try {
      await process.ready
      const end = await process.run({ kind: 'convert', ...files } as const, () => undefined)
      if (end.type === 'died' && end.cause === 'crowded') return undefined
      if (end.type !== 'done') {
        throw new Error(`the table was not converted: ${end.type === 'failed' ? end.failure.message : end.type}`)
      }
      return end.result
    } finally {
      signal.removeEventListener('abort', stop)
      process.kill()
      await process.exited
    }
  }

  async #write ({ connection, jobId, key, allowOverwrite }: QuickDeliverRequest, path: string, file: ResultFile,
    signal: AbortSignal): Promise<QuickDeliverReply> {
    const connector = this.#context.connectors.open(connection, signal)
    try {
      const { bytes, sha256, contentType } = file
      const written = await connector.writeOutput({ path, key, bytes, sha256, contentType, jobId, allowOverwrite })
      return { v, ok: true, uri: written.uri, bytes: written.bytes }
    } finally {
      connector.close()
    }
  }
}
