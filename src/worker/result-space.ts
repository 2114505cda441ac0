import { statfsSync } from 'node:fs'
import type { Config } from '../platform/config.ts'
import type { JobMessage } from '../platform/queue/job-messages.ts'
import { isRemoteStore } from '../platform/store/store-config.ts'

/** The disk has too little free for a result. The run gives its job back, and the job waits. */
export class NoResultSpace extends Error {
  override name = 'NoResultSpace'
}

/**
 * Throws NoResultSpace if a result of this size would take space that is kept free for others. The api kept space for
 * results that it could reckon, so these may use half of the reserve, and the rest is for small records. Results of a
 * tenant's own store leave all of it.
 */
export function assertResultSpace (config: Config, { input }: Pick<JobMessage, 'input'>, bytes: number): void {
  const minFree = config.DATA_DIR_MIN_FREE_BYTES
  if (minFree === 0 || isRemoteStore(config)) return
  const { bavail, bsize } = statfsSync(config.DATA_DIR)
  const free = bavail * bsize
  const kept = 'key' in input ? minFree / 2 : minFree
  if (free - bytes >= kept) return
  throw new NoResultSpace(`the disk has ${free} bytes free, ${kept} are kept, and the result needs ${bytes}`)
}
