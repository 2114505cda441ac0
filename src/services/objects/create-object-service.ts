import type { Logger } from 'pino'
import { monotonicFactory } from 'ulid'
import type { Config } from '../../platform/config.ts'
import { countedByAll } from '../../platform/disk/arriving-bytes.ts'
import type { DiskSpace } from '../../platform/disk/disk-space.ts'
import { TabcastError } from '../../platform/errors.ts'
import type { ApiQueue } from '../../platform/queue/index.ts'
import { storedObjectKey } from '../../platform/store/keys.ts'
import type { ObjectStore } from '../../platform/store/object-store.ts'
import { repeatSweep } from '../../platform/time/repeat-sweep.ts'
import type { CpuBudgets } from '../quotas/cpu-budgets.ts'
import type { Quotas } from '../quotas/quotas.ts'
import { Completion } from './completion.ts'
import { listedTypes, mediaType } from './content-types.ts'
import { DirectUploads } from './direct-uploads.ts'
import { formatOfObject } from './format-of-object.ts'
import { noSuchObject, objectTooLarge } from './object-errors.ts'
import type { ObjectLedger } from './object-ledger.ts'
import { ObjectReads } from './object-reads.ts'
import { isObjectId, type StoredObject } from './object-record.ts'
import type { ObjectService } from './object-service.ts'
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

const nextUlid = monotonicFactory()

/** Connects the ledger, the store and, for previews, the workers. */
export function createObjectService (deps: ObjectServiceDeps): RunningObjectService {
  const { config, ledger, store, log } = deps
  const allowedTypes = listedTypes(config)
  const previews = new Previews(deps)
  const reads = new ObjectReads({ ledger, store })
  const uploads = new DirectUploads({ ledger, store, isCounted: deps.quotas !== undefined, log })
  const sweeper = new ObjectSweeper({ ledger, store, log })
  const completion = new Completion({
    ledger,
    store,
    maxBytes: config.MAX_OBJECT_BYTES,
    isCounted: deps.quotas !== undefined,
    onFailed: (record) => sweeper.drop(record)
  })
  const sweeps = repeatSweep('object sweep', config.SWEEP_MS, log, () => sweeper.run())

  const find = (tenant: string, objectId: string): StoredObject => {
    const record = isObjectId(objectId) ? ledger.get(tenant, objectId) : undefined
    if (record === undefined) throw noSuchObject()
    return record
  }

  return {
    async presign (tenant, { keyId, filename, contentType, fileSize, category, baseUrl }, within) {
      if (fileSize !== null && fileSize > config.MAX_OBJECT_BYTES) throw objectTooLarge(config.MAX_OBJECT_BYTES)
      if (allowedTypes !== null && !allowedTypes.includes(mediaType(contentType))) {
        throw typeRefused(contentType, allowedTypes)
      }
      deps.room?.check()
      deps.quotas?.check(tenant, { jobs: 0, bytes: fileSize ?? 1 })
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
    },

    complete: async (tenant, objectId, request, within) =>
      await completion.complete(find(tenant, objectId), request, within),
    get: find,
    list: (tenant, query) => ledger.list(tenant, query),

    async downloadUrl (tenant, objectId, baseUrl) {
      const { key, filename, contentType } = await completion.usable(find(tenant, objectId))
      const expiresInSeconds = config.SIGNED_URL_SECONDS
      const expiresAtMs = (Math.floor(Date.now() / 1000) + expiresInSeconds) * 1000
      return { url: store.signGet(key, { expiresInSeconds, filename, contentType, baseUrl }), expiresAtMs }
    },

    async preview (tenant, objectId) {
      const record = find(tenant, objectId)
      previews.assertCsv(record)
      return await previews.read(await completion.usable(record))
    },

    async asInput (tenant, objectId) {
      const { key, filename, contentType, fileSize } = await completion.usable(find(tenant, objectId))
      return { objectId, key, format: formatOfObject(filename, contentType), bytes: fileSize ?? 0 }
    },

    async delete (tenant, objectId, within) {
      const deleted = isObjectId(objectId) ? await ledger.delete(tenant, objectId, within) : undefined
      if (deleted === undefined) throw noSuchObject()
      reads.cut(objectId)
      if (!deleted.isRead) await sweeper.drop(deleted.record)
    },

    isReadable: (key) => reads.isReadable(key),
    openFile: (key, range) => reads.open(key, range),
    async beginUpload (key, announced) {
      const { tenant, fileSize } = await uploads.begin(key)
      let isTaken = false
      try {
        const { room, quotas } = deps
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
    },
    sweep: () => sweeper.run(),
    stop: () => sweeps.stop()
  }
}

function typeRefused (contentType: string, allowed: readonly string[]): TabcastError {
  return new TabcastError('validation_error', `Files of the type ${contentType} are not taken.`, {
    status: 415,
    suggestion: `Use one of ${allowed.join(', ')}.`
  })
}
