import type { Logger } from 'pino'
import type { Config } from '../platform/config.ts'
import type { ScratchRoom } from '../platform/disk/scratch-room.ts'
import type { WorkerQueue } from '../platform/queue/index.ts'
import type { ObjectStore } from '../platform/store/object-store.ts'
import type { TenantLanes } from '../platform/turns/tenant-lanes.ts'
import type { CovariateSpans } from '../sources/covariates/covariate-spans.ts'
import type { ProviderNetwork } from '../sources/covariates/provider-network.ts'
import type { CovariateSettings } from '../sources/covariates/provider-registry.ts'
import type { Connectors } from './connectors.ts'
import type { SlotMemory } from './slot-memory.ts'

/** What every run of this worker shares. */
export interface RunContext {
  readonly workerId: string
  readonly config: Config
  readonly queue: WorkerQueue
  readonly store: ObjectStore
  readonly connectors: Connectors
  /** Whose source a run may read now. */
  readonly sources: TenantLanes
  /** The same of jobs in processes of their own, each of which takes the memory of a worker. */
  readonly apart: TenantLanes
  /** The requests are made here, whoever has a question. */
  readonly covariates: { network: ProviderNetwork, settings: CovariateSettings, spans: CovariateSpans }
  /** Of all slots of this process, whatever they compute. */
  readonly memory: SlotMemory
  /** Folder for files of runs under way. */
  readonly scratch: string
  /** What sources, and files that are made at a download, may take of it. */
  readonly scratchRoom: Pick<ScratchRoom, 'take'>
  /** This process has one job and no other: a run that shall be alone runs here. */
  readonly isAlone?: true
  readonly log: Logger
}
