import { fork, type ChildProcess } from 'node:child_process'
import { watchHeartbeats } from '../platform/liveness/watch-heartbeats.ts'
import { compiledProgram } from '../platform/process/program-files.ts'
import type { SlotDeathCause } from '../platform/queue/job-messages.ts'
import type { FromLoneWorker, LoneJob, ToLoneWorker } from './lone-messages.ts'
import type { StopReason } from './stop-reason.ts'

export type LoneEnd =
  | { type: 'settled', how: 'ack' | 'nak' }
  | { type: 'died', cause: SlotDeathCause }

/** Time to stop the slot, which may take a second, and to delete what the run stored. */
const stopMs = 1_500

/** What the worker does when its process tells of it. */
export interface LoneListeners {
  /** Its slot died, and it goes on under this run. */
  run (run: string): void
  /** It reads a customer's store. */
  reads (): void
  /** It has read it, and computes as soon as it is told of a slot. */
  hasRead (): void
}

/**
 * A worker process for one job that others were lost with: what it does to its main thread harms nobody. It has the
 * worker's settings and its own connections; the message stays the worker's, who sees when the process is gone or silent.
 */
export class LoneWorker {
  readonly ended: Promise<LoneEnd>
  readonly #child: ChildProcess
  #settled: 'ack' | 'nak' | undefined
  #cause: SlotDeathCause = 'crash'

  constructor (job: LoneJob, leaseMs: number, listeners: LoneListeners) {
    const child = fork(compiledProgram('worker/lone-worker-process'), [], { serialization: 'advanced', stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    this.#child = child
    watchHeartbeats(child, leaseMs, () => {
      this.#cause = 'unresponsive'
      child.kill('SIGKILL')
    })
    child.on('message', (message: FromLoneWorker | { type?: undefined }) => {
      if (message.type === 'run') listeners.run(message.run)
      else if (message.type === 'source' && message.state === 'begun') listeners.reads()
      else if (message.type === 'source') listeners.hasRead()
      else if (message.type === 'settled') this.#settled ??= message.how
    })
    this.ended = new Promise((resolve) => {
      const gone = (): void => resolve(this.#settled === undefined ? { type: 'died', cause: this.#cause } : { type: 'settled', how: this.#settled })
      child.once('exit', gone)
      // It could not be started at all.
      child.once('error', () => { if (child.pid === undefined) gone() })
    })
    this.#send({ type: 'job', job })
  }

  /** The worker has a slot for what it computes. */
  compute (): void {
    this.#send({ type: 'slot' })
  }

  stop (reason: StopReason): void {
    this.#send({ type: 'stop', reason })
    const killer = setTimeout(() => this.#child.kill('SIGKILL'), stopMs)
    void this.ended.then(() => clearTimeout(killer))
  }

  #send (message: ToLoneWorker): void {
    // An error here means that the process is on its way out; its exit tells the rest.
    if (this.#child.connected) this.#child.send(message, () => undefined)
  }
}
