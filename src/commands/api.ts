import { once } from 'node:events'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { buildApp } from '../api/app.ts'
import { ConfigError, dataPaths, type Config } from '../config.ts'
import { engineVersion } from '../engine/version.ts'
import { serveKeySocket } from '../keys/key-socket.ts'
import { connectQueue } from '../queue/index.ts'
import { openStore } from '../store/open-store.ts'
import { storeConfig } from '../store/store-config.ts'
import { holdDataFolder } from './data-folder.ts'
import { rotateKeyring } from './rotate-keyring.ts'
import { createServices } from './services.ts'

/** A `keys` command, or an api whose supervisor was killed, lets go of the data folder within moments. */
const lockWaitMs = 5_000

/**
 * The api process: owns the data folder, serves HTTP, and plays the api's side of the job contract. Resolves with the
 * exit code once it was asked to stop and what was in flight is done.
 */
export async function runApi (config: Config, log: Logger): Promise<number> {
  const stopped = stopRequest()
  const paths = dataPaths(config)
  const folder = await holdDataFolder(config, { waitMs: lockWaitMs, onError: (error) => log.error({ err: error }, 'keys') })
  await emptyFolder(paths.spool)
  const store = await openStore(storeConfig(config, folder.secrets.urlKey))
  const queue = connectQueue({ url: config.NATS_URL, token: config.NATS_TOKEN, name: 'tabcast api', log })
  const services = createServices({ ...folder, config, store, queue, engineVersion: engineVersion(), log })
  const keySocket = await serveKeySocket(paths.socket, folder.keys, (socket) => {
    socket.post('/vault/rotate', async () => await rotateKeyring(paths.keyring, folder))
  })
  const app = buildApp(config, services)

  await app.listen({ port: config.PORT, host: config.HOST }).catch((error: unknown) => { throw listenError(config, error) })
  const { port } = app.server.address() as AddressInfo
  log.info({ port, host: config.HOST }, 'serving')
  process.send?.({ ready: { port, host: config.HOST } })

  await stopped
  log.info('stopping')
  // Refuses new requests with 503, lets those in flight finish; a client that never finishes is cut off.
  const cut = setTimeout(() => app.server.closeAllConnections(), config.DRAIN_MS)
  await app.close()
  clearTimeout(cut)
  await keySocket.close()
  await services.stop()
  await queue.close()
  await folder.release()
  return 0
}

/** An address that cannot be listened on is a wrong setting: starting again would not help. */
function listenError ({ PORT: port, HOST: host }: Config, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') return new ConfigError(`TABCAST_PORT=${port}: another program listens on port ${port} of ${host}`, { cause: error })
  if (code === 'EACCES') return new ConfigError(`TABCAST_PORT=${port}: this user may not listen on port ${port} (${message})`, { cause: error })
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') return new ConfigError(`TABCAST_HOST=${host}: not an address of this machine (${message})`, { cause: error })
  return error
}

/** SIGTERM, SIGINT, or the end of the supervisor. */
async function stopRequest (): Promise<void> {
  await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT'), once(process, 'disconnect')])
}

/** Uploads that were under way when the process died; nobody will finish them. */
async function emptyFolder (path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  for (const name of await readdir(path)) await rm(join(path, name), { recursive: true, force: true })
}
