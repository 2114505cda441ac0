import { fork, type ChildProcess } from 'node:child_process'
import type { Logger } from 'pino'
import { endProcess } from '../../platform/liveness/end-process.ts'
import { missedLeases } from '../../platform/liveness/heartbeat.ts'
import { watchHeartbeats } from '../../platform/liveness/watch-heartbeats.ts'
import { RestartPause } from '../../platform/process/restart-pause.ts'

/** Exit code of a process that can never start as configured: restarting it would not help. */
export const configurationExitCode = 78

export interface ChildOptions {
  /** The word on the command line: `api` or `worker`. */
  role: string
  /** A listening socket that each child inherits in systemd's way: file descriptor 3, and LISTEN_FDS=1. */
  listenFd?: number
  entry: string
  /** Node flags for this role, in addition to those of this process. */
  nodeFlags?: readonly string[]
  /** Called again at each start, so that a restarted api keeps the port that it got first. */
  env: () => NodeJS.ProcessEnv
  log: Logger
  /** A child is replaced if it sends no heartbeat for three of these. */
  leaseMs: number
  onMessage?: (message: unknown) => void
  /** The child cannot start as configured. */
  onFatal: (code: number) => void
}

/**
 * The share of a lease that a silent child gets to end on its own. A blocked child does not notice the signal, but one
 * that is merely slow may.
 */
const graceLeases = 1 / 3

/**
 * A process that is started again when it dies, and killed when its main thread gives no sign of life. It ends on its
 * own when the supervisor is gone, because its IPC channel disconnects, so a killed supervisor leaves no orphans.
 */
export class SupervisedProcess {
  readonly #options: ChildOptions
  #child: ChildProcess | undefined
  #stopping = false
  readonly #pause = new RestartPause()
  #restart: NodeJS.Timeout | undefined

  constructor (options: ChildOptions) {
    this.#options = options
    this.#start()
  }

  #start (): void {
    const { role, listenFd, entry, nodeFlags = [], env, log, leaseMs, onMessage, onFatal } = this.#options
    const startedMs = performance.now()
    const execArgv = [...process.execArgv, ...nodeFlags]
    const child = listenFd === undefined
      ? fork(entry, [role], { execArgv, env: env(), stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
      : fork(entry, [role], {
        execArgv,
        env: { ...env(), LISTEN_FDS: '1', LISTEN_PID: undefined },
        stdio: ['ignore', 'inherit', 'inherit', listenFd, 'ipc']
      })
    this.#child = child
    log.info({ child: role, childPid: child.pid }, 'process started')
    if (onMessage) child.on('message', onMessage)
    watchHeartbeats(child, leaseMs, () => {
      if (this.#stopping) return
      log.error({ child: role, childPid: child.pid, count: missedLeases },
        'no heartbeat for several leases, process is replaced')
      void endProcess(child, leaseMs * graceLeases)
    })
    let isOver = false
    const ended = (code: number | null, signal: NodeJS.Signals | null): void => {
      if (this.#stopping || isOver) return
      isOver = true
      if (code === configurationExitCode) {
        onFatal(code)
        return
      }
      const pauseMs = this.#pause.next(performance.now() - startedMs)
      log.warn({ child: role, code, signal, pauseMs }, 'process died, starting it again')
      this.#restart = setTimeout(() => this.#start(), pauseMs)
    }
    child.once('exit', ended)
    child.on('error', (error) => {
      log.error({ child: role, err: error }, 'process failed to start')
      // If no process was started (for example because no more are allowed), no exit follows.
      if (child.pid === undefined) ended(null, null)
    })
  }

  /** Sends SIGTERM, then SIGKILL after `graceMs`. */
  async stop (graceMs: number): Promise<void> {
    this.#stopping = true
    clearTimeout(this.#restart)
    if (this.#child !== undefined) await endProcess(this.#child, graceMs)
  }
}
