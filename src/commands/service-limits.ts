import type { Logger } from 'pino'
import type { Services } from '../api/services.ts'
import type { ServiceObservers } from '../operations/metrics/service-observers.ts'
import { dataPaths, type Config } from '../platform/config.ts'
import { DiskSpace } from '../platform/disk/disk-space.ts'
import type { MetadataStore } from '../platform/metadata/metadata-store.ts'
import { jobBytes } from '../services/jobs/job-quotas.ts'
import { objectBytes } from '../services/objects/object-record.ts'
import { CpuBudgets } from '../services/quotas/cpu-budgets.ts'
import { Quotas } from '../services/quotas/quotas.ts'

/** The share of a tenant's minute on the api's thread that may be used at once: 3 of 10 seconds. */
const savedShare = 0.3

export type ServiceLimits = Pick<Services, 'room' | 'quotas' | 'budgets' | 'apiBudgets'>

interface LimitParts {
  config: Config
  metadata: MetadataStore
  observers?: ServiceObservers | undefined
  log: Logger
}

/** What bounds the use of the disk, of the store and of the processors. */
export function createLimits ({ config, metadata, observers, log }: LimitParts): ServiceLimits {
  const cpuBudgets = (budget: 'slots' | 'api', perMinuteMs: number, saved: number) =>
    new CpuBudgets({
      perMinuteMs: config.RATE_LIMITS ? perMinuteMs : Infinity,
      sandboxMs: perMinuteMs,
      savedShare: saved,
      budget,
      observer: observers?.cpu
    })
  return {
    room: diskSpace(config, log),
    quotas: config.QUOTAS_FILE === ''
      ? undefined
      : new Quotas({ path: config.QUOTAS_FILE, metadata, holders: [jobBytes, objectBytes], log }),
    budgets: cpuBudgets('slots', config.SYNC_CPU_MS_PER_MINUTE, 1),
    // All tenants share one thread, so none may save up enough to block it for long.
    apiBudgets: cpuBudgets('api', config.API_CPU_MS_PER_MINUTE, savedShare)
  }
}

export function diskSpace (config: Config, log: Logger): DiskSpace {
  return new DiskSpace({
    folder: config.DATA_DIR,
    scratch: dataPaths(config).scratch,
    maxBytes: config.DATA_DIR_MAX_BYTES,
    minFreeBytes: config.DATA_DIR_MIN_FREE_BYTES,
    log
  })
}
