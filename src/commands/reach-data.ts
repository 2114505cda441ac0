import { setTimeout as sleep } from 'node:timers/promises'
import { FileLockError } from '../engine/file-lock.ts'
import { dataPaths, type Config } from '../platform/config.ts'
import { holdDataFolder, type DataFolder, type HoldOptions } from './data-folder.ts'

/** How long a command waits for an api that is starting or stopping. */
const waitMs = 10_000
const retryMs = 100

/**
 * Works on the data through the socket of the running api, or on the folder itself when no api runs. `throughSocket`
 * returns false when nobody listens. An api locks the folder before its socket answers, and releases it after the
 * socket has closed; both states are short, so this retries.
 */
export async function reachData (config: Config, throughSocket: (socket: string) => Promise<boolean>,
  onFolder: (folder: DataFolder) => Promise<void>, options: HoldOptions = {}): Promise<void> {
  const endMs = performance.now() + waitMs
  for (;;) {
    if (await throughSocket(dataPaths(config).socket)) return
    try {
      const folder = await holdDataFolder(config, options)
      try {
        await onFolder(folder)
      } finally {
        await folder.release()
      }
      return
    } catch (error) {
      if (!(error instanceof FileLockError)) throw error
      if (performance.now() >= endMs) {
        throw new Error(
          `${error.message}. It has not answered for ${
            waitMs / 1000
          } s: it is still starting or stopping; try again later`,
          { cause: error }
        )
      }
    }
    await sleep(retryMs)
  }
}
