import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { WorkerQueue } from '../queue/index.ts'
import type { CovariateSpans } from '../covariates/covariate-spans.ts'
import type { ProviderNetwork } from '../covariates/provider-network.ts'
import type { CovariateSettings } from '../covariates/provider-registry.ts'
import type { ScratchRoom } from '../disk-room/scratch-room.ts'
import type { ObjectStore } from '../store/object-store.ts'
import type { TenantLanes } from '../turns/tenant-lanes.ts'
import type { Connectors } from './connectors.ts'

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
  /** Folder for files of runs under way. */
  readonly scratch: string
  /** What sources may take of it. */
  readonly scratchRoom: ScratchRoom
  /** This process has one job and no other: a run that shall be alone runs here. */
  readonly isAlone?: true
  readonly log: Logger
}
