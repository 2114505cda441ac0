import { fork, type ChildProcess } from 'node:child_process'
import type { NoRoom } from '../platform/disk/scratch-room.ts'
import { watchHeartbeats } from '../platform/liveness/watch-heartbeats.ts'
import { compiledProgram } from '../platform/process/program-files.ts'
import type { FromLoneWorker, LoneEnd, LoneJob, ToLoneWorker } from './lone-messages.ts'
import type { StopReason } from './stop-reason.ts'

/** Time to stop the slot, which may take a second, and to delete what the run stored. */
const stopMs = 1_500

/** What the worker does when its process tells of it. */
export interface LoneListeners {
  /** It reads a customer's store. */
  reads(): void
  /** It has read it, and computes as soon as it is told of a slot. */
  hasRead(): void
  /** It wants so much room for the source; null: it gives back what it had. */
  room(bytes: number | null): void
}

/**
 * A worker process for one run of a job that others were lost with: what it does to its main thread harms nobody. It
 * has the worker's settings and its own connections; the message stays the worker's, who sees when the process is gone
 * or silent.
 */
export class LoneWorker {
  readonly ended: Promise<LoneEnd>
  readonly #child: ChildProcess
  #end: LoneEnd | undefined

  constructor (job: LoneJob, leaseMs: number, listeners: LoneListeners) {
    const child = fork(compiledProgram('worker/lone-worker-process'), [], {
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc']
    })
    this.#child = child
    watchHeartbeats(child, leaseMs, () => {
      this.#end ??= { type: 'died', cause: 'unresponsive' }
      child.kill('SIGKILL')
    })
    child.on('message', (message: FromLoneWorker | { type?: undefined }) => {
      if (message.type === 'source' && message.state === 'begun') listeners.reads()
      else if (message.type === 'source') listeners.hasRead()
      else if (message.type === 'room') listeners.room(message.bytes)
      // What it has said first.
      else if (message.type === 'ended') this.#end ??= message.end
    })
    this.ended = new Promise((resolve) => {
      const gone = (): void => resolve(this.#end ?? { type: 'died', cause: 'crash' })
      child.once('exit', gone)
      // It could not be started at all.
      child.once('error', () => {
        if (child.pid === undefined) gone()
      })
    })
    this.#send({ type: 'job', job })
  }

  /** The worker has a slot for what it computes. */
  compute (): void {
    this.#send({ type: 'slot' })
  }

  /** The answer to what it wants; null: it has it. */
  tellRoom (none: NoRoom | null): void {
    this.#send({ type: 'room', none })
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
