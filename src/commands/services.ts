import type { Logger } from 'pino'
import type { Services } from '../api/services.ts'
import { BatchLedger } from '../batches/batch-ledger.ts'
import { BatchService } from '../batches/batch-service.ts'
import type { Config } from '../config.ts'
import { createJobService, type RunningJobService } from '../jobs/create-job-service.ts'
import type { KeyService } from '../keys/key-service.ts'
import type { Secrets } from '../keys/secrets.ts'
import type { MetadataStore } from '../metadata/metadata-store.ts'
import { createObjectService, type RunningObjectService } from '../objects/create-object-service.ts'
import { ObjectLedger } from '../objects/object-ledger.ts'
import type { ApiQueue } from '../queue/index.ts'
import type { ObjectStore } from '../store/object-store.ts'
import type { Vault } from '../vault/vault.ts'

/** What the services stand on; whoever opened it closes it. */
export interface ServiceParts {
  config: Config
  metadata: MetadataStore
  keys: KeyService
  secrets: Secrets
  vault: Vault
  store: ObjectStore
  queue: ApiQueue
  engineVersion: string
  log: Logger
}

export interface RunningServices extends Services {
  jobs: RunningJobService
  objects: RunningObjectService
  /** Resolves when what was under way has been finished; nothing new starts. */
  stop (): Promise<void>
}

/** Everything behind the routes, wired together; the api process and the tests of the interface use the same. */
export function createServices (parts: ServiceParts): RunningServices {
  const { config, metadata, keys, secrets, vault, store, queue, engineVersion, log } = parts
  const objectLedger = new ObjectLedger(metadata)
  const batchLedger = new BatchLedger(metadata)
  const jobs = createJobService({ config, metadata, store, queue, engineVersion, log, followers: [objectLedger.follower, batchLedger.follower] })
  const objects = createObjectService({ config, ledger: objectLedger, store, queue, takeTurn: (tenant, read) => jobs.takeTurn(tenant, read), log })
  const batches = new BatchService({ ledger: batchLedger, jobs, objects })
  return {
    jobs,
    objects,
    batches,
    keys,
    store,
    metadata,
    secrets,
    vault,
    log,
    async stop () {
      await objects.stop()
      await jobs.stop()
    }
  }
}
