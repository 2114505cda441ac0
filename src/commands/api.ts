import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { buildApp } from '../api/app.ts'
import { engineVersion } from '../engine/version.ts'
import { folderChecks } from '../operations/doctor/folder-checks.ts'
import { queueChecks } from '../operations/doctor/queue-checks.ts'
import { serveMetrics } from '../operations/metrics/metrics-server.ts'
import { ServiceMetrics } from '../operations/metrics/service-metrics.ts'
import { ConfigError, dataPaths, type Config } from '../platform/config.ts'
import { EventLoopWatch } from '../platform/event-loop/event-loop-watch.ts'
import { listenError } from '../platform/process/listen-error.ts'
import { connectQueue, type ApiQueue } from '../platform/queue/index.ts'
import { openStore } from '../platform/store/open-store.ts'
import { isRemoteStore, storeConfig } from '../platform/store/store-config.ts'
import type { RedriveRequest } from '../services/jobs/redrive.ts'
import { serveKeySocket } from '../services/keys/key-socket.ts'
import { copyRecords, type CopyReply, type CopyRequest } from './backup.ts'
import { checkSettings } from './check-settings.ts'
import { createServices, type RunningServices } from './compose.ts'
import { holdDataFolder, type DataFolder } from './data-folder.ts'
import { drainBeforeClose } from './drain.ts'
import { emptySpool } from './empty-spool.ts'
import { rotateKeyring } from './rotate-keyring.ts'
import type { ReleaseRequest } from './sandbox.ts'
import { everySealed } from './sealed-records.ts'

/** A `keys` command, or an api whose supervisor was killed, releases the data folder within moments. */
const lockWaitMs = 5_000

/**
 * The api process: owns the data folder, serves HTTP, and plays the api's side of the job contract. Resolves with the
 * exit code after it was asked to stop and requests in flight are done. It takes over a listening socket (LISTEN_FDS,
 * the convention of systemd), so that connections between two api processes wait for the next one.
 */
export async function runApi (config: Config, log: Logger): Promise<number> {
  // First, because nothing is open yet that a wrong setting would have to close.
  checkSettings(config)
  const stopped = stopRequest()
  const paths = dataPaths(config)
  const folder = await holdDataFolder(config, {
    waitMs: lockWaitMs,
    onError: (error) => log.error({ err: error }, 'keys')
  })
  await emptySpool(paths.spool)
  const store = await openStore(storeConfig(config, folder.secrets.urlKey))
  const queue = connectQueue({ url: config.NATS_URL, token: config.NATS_TOKEN, name: 'tabcast api', log })
  const metrics = config.METRICS_PORT === 0 ? undefined : new ServiceMetrics()
  const services = createServices({
    ...folder,
    config,
    store,
    queue,
    engineVersion: engineVersion(),
    observers: metrics?.observers,
    log
  })
  await services.jobs.restored
  const eventLoop = new EventLoopWatch()
  metrics?.watch(config, { ...services, queue }, eventLoop)
  const keySocket = await serveKeySocket(paths.socket, folder.keys, log,
    (socket) => addOperatorRoutes(socket, { folder, services, queue, paths, hasBucket: isRemoteStore(config), log }))
  const metricsServer = metrics &&
    await serveMetrics(metrics, { port: config.METRICS_PORT, host: config.METRICS_HOST }, log)
      .catch((error: unknown) => {
        throw listenError('METRICS_', config.METRICS_PORT, config.METRICS_HOST, error)
      })
  if (metricsServer !== undefined) log.info({ port: metricsServer.port, host: config.METRICS_HOST }, 'metrics served')
  const app = buildApp(config, services, metrics?.requests)
  drainBeforeClose(app, config.DRAIN_MS)

  const port = await listen(app, config)
  log.info({ port, host: config.HOST }, 'serving')
  eventLoop.start(config.LOG_LEVEL, { role: 'api' })
  process.send?.({ ready: { port, host: config.HOST } })

  await stopped
  log.info('stopping')
  await eventLoop.stop()
  // Refuses new requests with 503 and finishes those in flight. A client that never finishes is cut off.
  const cut = setTimeout(() => app.server.closeAllConnections(), config.DRAIN_MS)
  await app.close()
  clearTimeout(cut)
  await keySocket.close()
  await metricsServer?.close()
  await services.stop()
  await queue.close()
  await folder.release()
  return 0
}

interface OperatorParts {
  folder: DataFolder
  services: RunningServices
  queue: ApiQueue
  paths: ReturnType<typeof dataPaths>
  hasBucket: boolean
  log: Logger
}

/** What commands ask of the process that owns the data folder. */
function addOperatorRoutes (socket: FastifyInstance,
  { folder, services, queue, paths, hasBucket, log }: OperatorParts): void {
  const { keyring: keyringPath, secrets: secretsPath } = paths
  socket.post('/vault/rotate', async () => {
    const rotation = await rotateKeyring(keyringPath, folder)
    log.info({ keyId: rotation.keyId, by: 'command line' }, 'the keyring was rotated')
    return rotation
  })
  socket.post<{ Body: RedriveRequest }>('/redrive', async ({ body }) => await services.jobs.redrive(body))
  socket.get<{ Querystring: { domain?: string } }>('/sandbox/claims',
    async ({ query }) => services.claims.list(query.domain ?? null))
  socket.post<{ Body: ReleaseRequest }>('/sandbox/release',
    async ({ body }) => ({ released: await services.claims.release(body.domain) }))
  socket.post('/doctor', async () => [
    ...await queueChecks({ jobs: services.jobs, queue }),
    ...await folderChecks({ ...folder, room: services.room, secretsPath, keyringPath, everySealed })
  ])
  socket.post<{ Body: CopyRequest }>('/backup', async ({ body }) => {
    await copyRecords(keyringPath, folder.metadata, body)
    log.info({ by: 'command line' }, 'records were copied for a backup')
    const copied: CopyReply = { hasBucket }
    return copied
  })
}

/** Returns the port. */
async function listen (app: FastifyInstance, { PORT: port, HOST: host }: Config): Promise<number> {
  if (inheritsSocket(process.env)) await listenOn(app, firstInheritedFd)
  else {
    await app.listen({ port, host }).catch((error: unknown) => {
      throw listenError('', port, host, error)
    })
  }
  return (app.server.address() as AddressInfo).port
}

/** See sd_listen_fds(3). */
const firstInheritedFd = 3

/** LISTEN_PID, when set, names the process that the socket is for. Any other process only inherited the variables. */
function inheritsSocket ({ LISTEN_FDS: count, LISTEN_PID: pid }: NodeJS.ProcessEnv): boolean {
  return count === '1' && (pid === undefined || pid === String(process.pid))
}

async function listenOn (app: FastifyInstance, fd: number): Promise<void> {
  await app.ready()
  app.server.listen({ fd })
  await once(app.server, 'listening').catch((cause: unknown) => {
    throw new ConfigError(
      `LISTEN_FDS=1: file descriptor ${fd} is no socket that listens (${
        (cause as Error).message
      }); unset it to listen on TABCAST_PORT`,
      { cause }
    )
  })
}

/** Resolves on SIGTERM, SIGINT, or when the supervisor ends. */
async function stopRequest (): Promise<void> {
  await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT'), once(process, 'disconnect')])
}
