import { statfsSync } from 'node:fs'
import type { Config } from '../platform/config.ts'
import type { JobMessage } from '../platform/queue/job-messages.ts'
import { isRemoteStore } from '../platform/store/store-config.ts'

/** The disk has too little free for a result. The run gives its job back, and the job waits. */
export class NoResultSpace extends Error {
  override name = 'NoResultSpace'
}

/**
 * Throws NoResultSpace if the disk has less than what is kept free for others. The api kept space for results that it
 * could estimate, so these may use half of the reserve, and the rest is for small records. Results of data in a
 * tenant's own store leave all of it.
 */
export function assertResultSpace (config: Config, { input }: Pick<JobMessage, 'input'>): void {
  const minFree = config.DATA_DIR_MIN_FREE_BYTES
  const kept = 'key' in input ? minFree / 2 : minFree
  const free = freeBytes(config)
  if (free < kept) throw new NoResultSpace(`the disk has ${free} bytes free, and ${kept} are kept`)
}

/** No job could be run now. */
export function isDiskShort (config: Config): boolean {
  return freeBytes(config) < config.DATA_DIR_MIN_FREE_BYTES / 2
}

/** Infinity where results are stored elsewhere, or nothing is kept. */
function freeBytes (config: Config): number {
  if (config.DATA_DIR_MIN_FREE_BYTES === 0 || isRemoteStore(config)) return Infinity
  const { bavail, bsize } = statfsSync(config.DATA_DIR)
  return bavail * bsize
}
