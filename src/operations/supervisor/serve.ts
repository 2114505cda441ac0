import { resolve } from 'node:path'
import type { Logger } from 'pino'
import { lockFile } from '../../engine/file-lock.ts'
import { listenTcp, type ListeningSocket } from '../../engine/listening-socket.ts'
import { ConfigError, dataPaths, type Config } from '../../platform/config.ts'
import { makeDataFolder } from '../../platform/disk/make-data-folder.ts'
import { listenError } from '../../platform/process/listen-error.ts'
import { compiledProgram } from '../../platform/process/program-files.ts'
import { EmbeddedServerError, NatsServerNotFound, startEmbeddedServer,
  type EmbeddedServer } from '../../platform/queue/index.ts'
import { isRemoteStore, storeConfig } from '../../platform/store/store-config.ts'
import { languageModelOptions } from '../../services/agent/language-model/language-model-options.ts'
import { configuredRegistry } from '../../sources/covariates/provider-registry.ts'
import { whenLauncherEnds } from './launcher.ts'
import { SupervisedProcess } from './supervised-process.ts'

/**
 * V8 starts with a small heap and collects all of it each time uploads have passed through: under a flood of uploads 2
 * to 3 times a second, 8 to 12 ms each. A larger heap from the start makes that every few seconds.
 */
const heapFlags = ['--min-semi-space-size=16', '--initial-old-space-size=256']

/** The api process sends it over IPC once it serves. */
export interface ReadyMessage {
  ready: { port: number, host: string }
}

/**
 * Runs the whole service: an embedded nats-server unless an external one is configured, one api process, and N workers.
 * The supervisor holds the listening socket and the api accepts connections from it, so none is refused while one api
 * process replaces another. The supervisor reads nothing and has no data of its own. Resolves with the exit code after
 * SIGTERM or SIGINT, or if a process cannot start as configured.
 */
export async function serve (config: Config, log: Logger): Promise<number> {
  checkSettings(config)
  const dataDir = resolve(config.DATA_DIR)
  await makeDataFolder(config.DATA_DIR)
  const queue = config.NATS_URL === '' ? await startQueue({ ...config, DATA_DIR: dataDir }, log) : undefined
  const socket = await listen(config).catch(async (error: unknown) => {
    await queue?.stop()
    throw error
  })
  return await new Promise<number>((resolve) => {
    const entry = compiledProgram('cli')
    // Workers get the port too, because they have to keep customers' addresses away from it.
    const env = () => ({
      ...process.env,
      ...queueEnvironment(queue),
      TABCAST_DATA_DIR: dataDir,
      TABCAST_PORT: String(socket.port)
    })
    const onFatal = (code: number) => {
      void stop(code)
    }
    const api = new SupervisedProcess({
      role: 'api',
      entry,
      nodeFlags: heapFlags,
      log,
      leaseMs: config.LEASE_MS,
      onFatal,
      env,
      listenFd: socket.fd,
      onMessage (message) {
        if (!isReady(message)) return
        const address = `http://${config.HOST}:${socket.port}`
        say(`tabcast serves ${address}, its documentation is at ${address}/docs`)
      }
    })
    const workers = Array.from({ length: config.WORKERS },
      () => new SupervisedProcess({ role: 'worker', entry, env, log, leaseMs: config.LEASE_MS, onFatal }))

    let stopping = false
    async function stop (code: number): Promise<void> {
      if (stopping) return
      stopping = true
      // The api stops first, so that it takes nothing new; the queue stops last, so that workers can report what they
      // finish.
      const graceMs = config.DRAIN_MS + 2_000
      const ended = Promise.all([api.stop(graceMs), ...workers.map((worker) => worker.stop(graceMs))])
      // Nobody will accept the connections that still wait there.
      socket.close()
      await ended
      await queue?.stop()
      resolve(code)
    }
    process.once('SIGTERM', () => {
      void stop(0)
    })
    process.once('SIGINT', () => {
      void stop(0)
    })
    whenLauncherEnds(() => {
      void stop(0)
    })
  })
}

/** Wrong settings stop the start here, before anything is made, and not in each process. */
function checkSettings (config: Config): void {
  if (config.NATS_URL !== '' && !isRemoteStore(config) && !config.SHARED_DATA_DIR && config.WORKERS === 0) {
    throw new ConfigError(
      'TABCAST_WORKERS=0 with TABCAST_NATS_URL: workers on other hosts do not see the local object store; set ' +
        'TABCAST_S3_ENDPOINT, or TABCAST_SHARED_DATA_DIR=true if the data folder is on a disk that they share'
    )
  }
  storeConfig(config)
  languageModelOptions(config)
  configuredRegistry(config)
}

/** A disk that is full, or a reader that is gone, costs the line and not the service. */
function say (line: string): void {
  if (process.stdout.listenerCount('error') === 0) process.stdout.on('error', () => undefined)
  try {
    process.stdout.write(`${line}\n`)
  } catch {
    // As above: files are written at once, and throw.
  }
}

async function listen (config: Config): Promise<ListeningSocket> {
  try {
    return listenTcp(config.HOST, config.PORT)
  } catch (error) {
    throw listenError('', config.PORT, config.HOST, error)
  }
}

/**
 * Takes the lock first, because a start replaces the queue server that it finds: only one that a dead supervisor left
 * may be replaced. The lock is held until this process ends.
 */
async function startQueue (config: Config, log: Logger): Promise<EmbeddedServer> {
  const paths = dataPaths(config)
  lockFile(paths.queueLock)
  try {
    return await startEmbeddedServer({ folder: paths.queue, binary: config.NATS_SERVER, log })
  } catch (error) {
    if (error instanceof NatsServerNotFound) {
      throw new ConfigError(`TABCAST_NATS_SERVER=${config.NATS_SERVER}: ${error.message}`, { cause: error })
    }
    if (!(error instanceof EmbeddedServerError) && !isOfFileSystem(error)) throw error
    throw new ConfigError(
      `TABCAST_DATA_DIR=${config.DATA_DIR}: the embedded queue does not start from ${paths.queue}: ${
        (error as Error).message
      }. It holds nothing that the records do not: move it away and start again`,
      { cause: error }
    )
  }
}

/** The folder holds something that this user may not use. */
function isOfFileSystem (error: unknown): boolean {
  return ['EACCES', 'EPERM', 'EROFS', 'EEXIST', 'ENOTDIR', 'EISDIR'].includes(
    (error as NodeJS.ErrnoException).code ?? ''
  )
}

function queueEnvironment (queue: EmbeddedServer | undefined): NodeJS.ProcessEnv {
  return queue === undefined ? {} : { TABCAST_NATS_URL: queue.url, TABCAST_NATS_TOKEN: queue.token }
}

function isReady (message: unknown): message is ReadyMessage {
  return typeof message === 'object' && message !== null && 'ready' in message
}
