import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dataPaths, type Config } from '../../platform/config.ts'
import { fail, ok, warn, type Check } from './check.ts'

const name = 'queue_sync'

/**
 * Checks that an acknowledged message is on disk. A client cannot ask a server for its `sync_interval`, so this reads
 * the file with which the embedded server was started.
 */
export async function syncIntervalCheck (config: Config): Promise<Check> {
  if (config.NATS_URL !== '') {
    return warn(name, 'an external server does not tell its sync_interval',
      'set `sync_interval: always` in its jetstream block; without it the jobs of the last two minutes are sent ' +
        'again after a power cut, and none is lost')
  }
  const path = join(dataPaths(config).queue, 'nats-server.conf')
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (text === undefined) return ok(name, 'the embedded server has not been started yet')
  const interval = /^[ \t]*sync_interval:[ \t]*(\S+)/m.exec(text)?.[1]
  return interval === 'always'
    ? ok(name, `${path}: sync_interval always`)
    : fail(name, `${path}: sync_interval ${interval ?? 'is not set'}`,
      'restart the service, which writes the file anew')
}
