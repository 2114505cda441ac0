import { connect } from 'nats'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { RestartPause } from '../process/restart-pause.ts'
import { findNatsServer } from './find-nats-server.ts'
import type { QueueLog } from './log.ts'
import { ServerProcess, stopLeftover } from './server-process.ts'
import { newToken, readServerState, writeServerState, type ServerState } from './server-state.ts'

export interface EmbeddedServerOptions {
  /** The server's own folder: state, configuration, log and streams. */
  folder: string
  /** Path of nats-server; empty: `findNatsServer` looks for it. */
  binary: string
  log: QueueLog
}

/** A private nats-server on loopback, started again when it dies. */
export interface EmbeddedServer {
  readonly url: string
  readonly token: string
  /** Process id of the server itself; undefined while it is being started again. */
  readonly pid: number | undefined
  stop(): Promise<void>
}

/**
 * Starts the server, or replaces the one that a killed supervisor left on the same folder. Port and token stay those of
 * the first start, unless another program has taken the port. Resolves when JetStream answers a client that has the
 * token. Rejects if the binary is missing or too old, or does not come up.
 */
export async function startEmbeddedServer (
  { folder: given, binary, log }: EmbeddedServerOptions
): Promise<EmbeddedServer> {
  const folder = resolve(given)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const server = await findNatsServer(binary)
  const leftover = await stopLeftover(folder)
  if (leftover !== undefined) {
    log.warn({ serverPid: leftover }, 'replaced a queue server that an earlier process left behind')
  }

  const wanted = await stateToStartWith(folder, log)
  const first = await ServerProcess.start(server.path, folder, wanted)
  const state: ServerState = { port: first.port, token: wanted.token }
  await writeServerState(folder, state)
  const url = `nats://127.0.0.1:${state.port}`
  try {
    await verify(url, state.token)
  } catch (error) {
    await first.stop()
    throw error
  }
  log.info({ serverPid: first.pid, port: state.port, version: server.version }, 'queue server started')

  const startAgain = async () => {
    await stopLeftover(folder)
    return await ServerProcess.start(server.path, folder, state)
  }
  const keeper = new Keeper(first, startAgain, log)
  return {
    url,
    token: state.token,
    get pid () {
      return keeper.pid
    },
    stop: () => keeper.stop()
  }
}

async function stateToStartWith (folder: string, log: QueueLog): Promise<ServerState> {
  const state = await readServerState(folder)
  if (state === undefined) return { port: -1, token: newToken() }
  if (await isFree(state.port)) return state
  log.warn({ port: state.port }, "another program has the queue's port, taking a new one")
  return { ...state, port: -1 }
}

async function isFree (port: number): Promise<boolean> {
  const probe = createServer()
  return await new Promise((resolve) => {
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}

/** The ports file shows only that something listens. This check shows that it takes our token and has JetStream. */
async function verify (url: string, token: string): Promise<void> {
  const connection = await connect({ servers: url, token, timeout: 5_000, reconnect: false })
  try {
    await connection.jetstreamManager()
  } finally {
    await connection.close()
  }
}

/** Starts the server again whenever it dies: at once the first time, then with growing pauses. */
class Keeper {
  readonly #start: () => Promise<ServerProcess>
  readonly #log: QueueLog
  readonly #stopping = new AbortController()
  readonly #done: Promise<void>
  #current: ServerProcess | undefined

  constructor (first: ServerProcess, start: () => Promise<ServerProcess>, log: QueueLog) {
    this.#current = first
    this.#start = start
    this.#log = log
    this.#done = this.#keep()
  }

  get pid (): number | undefined {
    return this.#current?.pid
  }

  async stop (): Promise<void> {
    this.#stopping.abort()
    await this.#current?.stop()
    await this.#done
  }

  async #keep (): Promise<void> {
    const signal = this.#stopping.signal
    const pause = new RestartPause()
    while (!signal.aborted) {
      const startedMs = performance.now()
      let reason: string
      try {
        this.#current ??= await this.#start()
        if (signal.aborted) await this.#current.stop()
        reason = await this.#current.exited
      } catch (error) {
        reason = (error as Error).message
      }
      this.#current = undefined
      if (signal.aborted) return
      const pauseMs = pause.next(performance.now() - startedMs)
      this.#log.error({ reason, pauseMs }, 'queue server died, starting it again')
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
    }
  }
}
