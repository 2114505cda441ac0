import type { Logger } from 'pino'
import type { Config } from '../platform/config.ts'
import type { ScratchSpace } from '../platform/disk/scratch-space.ts'
import type { WorkerQueue } from '../platform/queue/index.ts'
import type { ObjectStore } from '../platform/store/object-store.ts'
import type { TenantLanes } from '../platform/turns/tenant-lanes.ts'
import type { CovariateSpans } from '../sources/covariates/covariate-spans.ts'
import type { ProviderNetwork } from '../sources/covariates/provider-network.ts'
import type { CovariateSettings } from '../sources/covariates/provider-registry.ts'
import type { Connectors } from './connectors.ts'
import type { ResultWatch } from './result-watch.ts'
import type { SlotMemory } from './slot-memory.ts'

/** Shared by all runs of this worker. */
export interface RunContext {
  readonly workerId: string
  readonly config: Config
  readonly queue: WorkerQueue
  readonly store: ObjectStore
  readonly connectors: Connectors
  /** Turns at reading customers' stores. */
  readonly sources: TenantLanes
  /** The same for jobs that run in a process of their own; each such process takes as much memory as a worker. */
  readonly apart: TenantLanes
  /** Requests to providers are made in this process, whichever process asks. */
  readonly covariates: { network: ProviderNetwork, settings: CovariateSettings, spans: CovariateSpans }
  /** Limits the memory of all slots of this process, including quick ones. */
  readonly memory: SlotMemory
  /** Folder for the files of current runs. */
  readonly scratch: string
  /** Disk space in `scratch` for sources and for files made at a download. */
  readonly scratchSpace: Pick<ScratchSpace, 'take'>
  /** Ends runs whose results fill the disk. */
  readonly results: ResultWatch
  /** Set in a process that runs a single job: a run that must be alone runs here. */
  readonly isAlone?: true
  readonly log: Logger
}
