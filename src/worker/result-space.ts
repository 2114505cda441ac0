import type { Config } from '../platform/config.ts'
import { freeBytes } from '../platform/disk/free-bytes.ts'
import type { JobMessage } from '../platform/queue/job-messages.ts'

/** The disk has too little free for a result. The run gives its job back, and the job waits. */
export class NoResultSpace extends Error {
  override name = 'NoResultSpace'
}

/** The result took disk space that is kept free for others. The api counts how often. */
export class ComputedInVain extends Error {
  override name = 'ComputedInVain'
}

/**
 * The bytes of the disk that a run leaves free. The api kept space for results that it could estimate, so these may use
 * half of the reserve, and the rest is for small records. Results of data in a tenant's own store leave all of it.
 */
export function keptFree ({ DATA_DIR_MIN_FREE_BYTES: minFree }: Pick<Config, 'DATA_DIR_MIN_FREE_BYTES'>,
  { input }: Pick<JobMessage, 'input'>): number {
  return 'key' in input ? minFree / 2 : minFree
}

/**
 * Throws NoResultSpace if the disk has less than what the run has to leave free. Results are written to this disk
 * first, even if a bucket takes them.
 */
export function assertResultSpace (config: Config, job: Pick<JobMessage, 'input'>): void {
  const kept = keptFree(config, job)
  const free = freeBytes(config.DATA_DIR)
  if (free < kept) throw new NoResultSpace(`the disk has ${free} bytes free, and ${kept} are kept`)
}

/** No job could be run now. */
export function isDiskShort (config: Config): boolean {
  return freeBytes(config.DATA_DIR) < config.DATA_DIR_MIN_FREE_BYTES / 2
}
