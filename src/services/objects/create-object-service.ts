import type { Readable } from 'node:stream'
import type { Logger } from 'pino'
import type { TablePreview } from '../../domain/table-preview.ts'
import type { Config } from '../../platform/config.ts'
import { countedByAll } from '../../platform/disk/arriving-bytes.ts'
import type { DiskSpace } from '../../platform/disk/disk-space.ts'
import { TabcastError } from '../../platform/errors.ts'
import { orderedUlids } from '../../platform/new-ulid.ts'
import type { ApiQueue } from '../../platform/queue/index.ts'
import { storedObjectKey } from '../../platform/store/keys.ts'
import type { ByteRange, ObjectStore } from '../../platform/store/object-store.ts'
import { repeatSweep } from '../../platform/time/repeat-sweep.ts'
import type { CpuBudgets } from '../quotas/cpu-budgets.ts'
import type { Quotas } from '../quotas/quotas.ts'
import { Completion } from './completion.ts'
import { listedTypes, mediaType } from './content-types.ts'
import { DirectUploads } from './direct-uploads.ts'
import { formatOfObject } from './format-of-object.ts'
import { noSuchObject, objectTooLarge } from './object-errors.ts'
import type { ObjectLedger, WithinObject } from './object-ledger.ts'
import { ObjectReads } from './object-reads.ts'
import { isObjectId, type StoredObject } from './object-record.ts'
import type { CompleteRequest, ObjectQuery, ObjectService, PresignedUpload, StoredInput, UploadRequest,
  UploadUnderWay } from './object-service.ts'
import { ObjectSweeper } from './object-sweeper.ts'
import { Previews, type TakeTurn } from './previews.ts'

export interface ObjectServiceDeps {
  config: Config
  ledger: ObjectLedger
  store: ObjectStore
  queue: ApiQueue
  takeTurn: TakeTurn
  budgets: Pick<CpuBudgets, 'spend'>
  /** Default: unlimited. */
  room?: Pick<DiskSpace, 'check' | 'arriving'>
  /** Default: none. */
  quotas?: Pick<Quotas, 'check' | 'arriving'> | undefined
  log: Logger
}

export interface RunningObjectService extends ObjectService {
  /** Fails uploads that never arrived and deletes due bytes. Also runs periodically. */
  sweep(): Promise<void>
  stop(): Promise<void>
}

const nextUlid = orderedUlids()

/** Connects the ledger, the store and, for previews, the workers. */
export function createObjectService (deps: ObjectServiceDeps): RunningObjectService {
  return new RecordedObjects(deps)
}

class RecordedObjects implements RunningObjectService {
  readonly #deps: ObjectServiceDeps
  readonly #allowedTypes: readonly string[] | null
  readonly #previews: Previews
  readonly #reads: ObjectReads
  readonly #uploads: DirectUploads
  readonly #sweeper: ObjectSweeper
  readonly #completion: Completion
  readonly #sweeps: { stop: () => Promise<void> }

  constructor (deps: ObjectServiceDeps) {
    const { config, ledger, store, log } = this.#deps = deps
    const isCounted = deps.quotas !== undefined
    this.#allowedTypes = listedTypes(config)
    this.#previews = new Previews(deps)
    this.#reads = new ObjectReads({ ledger, store })
    this.#uploads = new DirectUploads({ ledger, store, isCounted, log })
    const sweeper = this.#sweeper = new ObjectSweeper({ ledger, store, log })
    this.#completion = new Completion({
      ledger,
      store,
      maxBytes: config.MAX_OBJECT_BYTES,
      isCounted,
      onFailed: (record) => sweeper.drop(record)
    })
    this.#sweeps = repeatSweep('object sweep', config.SWEEP_MS, log, () => sweeper.run())
  }

  async presign (tenant: string, { keyId, filename, contentType, fileSize, category, baseUrl }: UploadRequest,
    within?: WithinObject): Promise<PresignedUpload> {
    const { config, ledger, store } = this.#deps
    this.#assertAcceptable(tenant, contentType, fileSize)
    const createdAtMs = ledger.now()
    const identity = { tenant, objectId: `obj_${nextUlid(createdAtMs)}`, category, createdAtMs, filename }
    const record: StoredObject = {
      v: 1,
      ...identity,
      keyId,
      key: storedObjectKey(identity),
      status: 'presigned',
      contentType,
      // Signatures have whole seconds.
      presignExpiresAtMs: (Math.floor(createdAtMs / 1000) + config.SIGNED_UPLOAD_SECONDS) * 1000,
      fileSize,
      isVerified: false,
      uploadedAtMs: null
    }
    await ledger.create(record, within)
    const { objectId } = identity
    const signed = store.signPut(record.key, {
      expiresInSeconds: config.SIGNED_UPLOAD_SECONDS,
      contentType,
      bytes: fileSize,
      objectId,
      baseUrl
    })
    return { record, url: signed.url, headers: signed.headers }
  }

  async complete (tenant: string, objectId: string, request: CompleteRequest,
    within?: WithinObject): Promise<StoredObject> {
    return await this.#completion.complete(this.get(tenant, objectId), request, within)
  }

  get (tenant: string, objectId: string): StoredObject {
    const record = isObjectId(objectId) ? this.#deps.ledger.get(tenant, objectId) : undefined
    if (record === undefined) throw noSuchObject()
    return record
  }

  list (tenant: string, query: ObjectQuery): { objects: StoredObject[], next: string | null } {
    return this.#deps.ledger.list(tenant, query)
  }

  async downloadUrl (tenant: string, objectId: string, baseUrl: string): Promise<{ url: string, expiresAtMs: number }> {
    const { config, store } = this.#deps
    const { key, filename, contentType } = await this.#completion.usable(this.get(tenant, objectId))
    const expiresInSeconds = config.SIGNED_URL_SECONDS
    const expiresAtMs = (Math.floor(Date.now() / 1000) + expiresInSeconds) * 1000
    return { url: store.signGet(key, { expiresInSeconds, filename, contentType, baseUrl }), expiresAtMs }
  }

  async preview (tenant: string, objectId: string): Promise<TablePreview> {
    const record = this.get(tenant, objectId)
    this.#previews.assertCsv(record)
    return await this.#previews.read(await this.#completion.usable(record))
  }

  async asInput (tenant: string, objectId: string): Promise<StoredInput> {
    const { key, filename, contentType, fileSize } = await this.#completion.usable(this.get(tenant, objectId))
    return { objectId, key, format: formatOfObject(filename, contentType), bytes: fileSize ?? 0 }
  }

  async delete (tenant: string, objectId: string, within?: WithinObject): Promise<void> {
    const deleted = isObjectId(objectId) ? await this.#deps.ledger.delete(tenant, objectId, within) : undefined
    if (deleted === undefined) throw noSuchObject()
    this.#reads.cut(objectId)
    if (!deleted.isRead) await this.#sweeper.drop(deleted.record)
  }

  isReadable (key: string): boolean {
    return this.#reads.isReadable(key)
  }

  async openFile (key: string, range?: ByteRange): Promise<Readable | undefined> {
    return await this.#reads.open(key, range)
  }

  async beginUpload (key: string, announced: number): Promise<UploadUnderWay> {
    const uploads = this.#uploads
    const { tenant, fileSize } = await uploads.begin(key)
    let isTaken = false
    try {
      const { room, quotas } = this.#deps
      const arriving = countedByAll([
        ...(room === undefined ? [] : [() => room.arriving(tenant, announced)]),
        // The announced size already counts.
        ...(quotas === undefined || fileSize !== null ? [] : [() => quotas.arriving(tenant, announced)])
      ])
      return {
        come: (bytes) => arriving.come(bytes),
        async take (path, bytes) {
          await uploads.take(key, path, bytes)
          isTaken = true
        },
        end () {
          uploads.end(key)
          arriving.release(isTaken)
        }
      }
    } catch (error) {
      uploads.end(key)
      throw error
    }
  }

  async sweep (): Promise<void> {
    await this.#sweeper.run()
  }

  async stop (): Promise<void> {
    await this.#sweeps.stop()
  }

  #assertAcceptable (tenant: string, contentType: string, fileSize: number | null): void {
    const { config, room, quotas } = this.#deps
    if (fileSize !== null && fileSize > config.MAX_OBJECT_BYTES) throw objectTooLarge(config.MAX_OBJECT_BYTES)
    if (this.#allowedTypes !== null && !this.#allowedTypes.includes(mediaType(contentType))) {
      throw typeRefused(contentType, this.#allowedTypes)
    }
    room?.check(tenant)
    quotas?.check(tenant, { jobs: 0, bytes: fileSize ?? 1 })
  }
}

function typeRefused (contentType: string, allowed: readonly string[]): TabcastError {
  return new TabcastError('validation_error', `This deployment does not take files of the type ${contentType}.`, {
    status: 415,
    suggestion: `Use one of ${allowed.join(', ')}.`
  })
}
