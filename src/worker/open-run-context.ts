import { resolve } from 'node:path'
import { dataPaths, type Config } from '../platform/config.ts'
import { makeDataFolder } from '../platform/disk/make-data-folder.ts'
import { ScratchSpace } from '../platform/disk/scratch-space.ts'
import { createLog } from '../platform/log/log.ts'
import { connectQueue, type Queue } from '../platform/queue/index.ts'
import { openStore } from '../platform/store/open-store.ts'
import { storeConfig } from '../platform/store/store-config.ts'
import { TenantLanes } from '../platform/turns/tenant-lanes.ts'
import { withoutSecrets } from '../sources/covariates/provider-network.ts'
import { configuredNetwork, covariateSettings } from '../sources/covariates/provider-registry.ts'
import { Connectors } from './connectors.ts'
import type { RunContext } from './run-context.ts'
import { ResultWatch } from './result-watch.ts'
import { openScratch } from './scratch.ts'
import { SlotMemory, slotMemoryBounds } from './slot-memory.ts'

/**
 * How many runs may read customers' stores or wait to, and how many read side by side. A tenant that is reading none
 * may begin even when all lanes are taken.
 */
const maxSources = 64
const sourceLanes = 16
const sourceLanesPerTenant = 4
const apartLanes = 4
const apartLanesPerTenant = 1

/** Connects a process that runs jobs to the queue and the store, and gives it a scratch folder. */
export async function openRunContext (config: Config, workerId: string): Promise<RunContext & { queue: Queue }> {
  await makeDataFolder(config.DATA_DIR)
  const located = { ...config, DATA_DIR: resolve(config.DATA_DIR) }
  const { scratch } = dataPaths(located)
  const log = createLog(config.LOG_LEVEL, { role: 'worker' }).child({ workerId })
  const settings = covariateSettings(located)
  const network = configuredNetwork(located, settings,
    (error) => log.warn({ err: error }, 'answers of providers of covariates cannot be kept on disk'))
  return {
    workerId,
    config,
    queue: connectQueue({ url: config.NATS_URL, token: config.NATS_TOKEN, name: `tabcast worker ${workerId}`, log }),
    store: await openStore(storeConfig(located)),
    connectors: new Connectors(located),
    sources: new TenantLanes(maxSources, sourceLanes, { share: sourceLanesPerTenant, most: 2 * sourceLanes }),
    apart: new TenantLanes(maxSources, apartLanes, { share: apartLanesPerTenant }),
    covariates: {
      network,
      settings: { ...settings, entries: settings.entries.map(withoutSecrets) },
      spans: { dailyYears: config.COVARIATES_DAILY_YEARS, hourlyYears: config.COVARIATES_HOURLY_YEARS }
    },
    memory: new SlotMemory(slotMemoryBounds(config)),
    scratch: await openScratch(scratch),
    results: new ResultWatch(scratch, log),
    scratchSpace: new ScratchSpace({
      folder: scratch,
      maxBytes: config.DATA_DIR_MAX_BYTES,
      minFreeBytes: config.DATA_DIR_MIN_FREE_BYTES,
      workers: Math.max(1, config.WORKERS)
    }),
    log
  }
}
