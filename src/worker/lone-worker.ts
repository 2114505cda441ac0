import { fork, type ChildProcess } from 'node:child_process'
import type { NoSpace } from '../platform/disk/scratch-space.ts'
import { watchHeartbeats } from '../platform/liveness/watch-heartbeats.ts'
import { compiledProgram } from '../platform/process/program-files.ts'
import type { FromLoneWorker, LoneEnd, LoneJob, ToLoneWorker } from './lone-messages.ts'
import type { StopReason } from './stop-reason.ts'

/** Time to stop the slot, which may take a second, and to delete what the run stored. */
const stopMs = 1_500

/** Called when the process reports something. */
export interface LoneListeners {
  /** It begins to read a customer's store. */
  reads(): void
  /** It has read the source, and computes once it is told that it has a slot. */
  hasRead(): void
  /** It needs this much disk space for its source; null gives the space back. */
  room(bytes: number | null): void
}

/**
 * A worker process for one run of a job with which earlier workers were lost: if this process dies too, nothing else is
 * lost with it. It has the worker's settings and its own connections. The worker keeps the message, and notices when
 * the process is gone or silent.
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
      // The first end counts.
      else if (message.type === 'ended') this.#end ??= message.end
    })
    this.ended = new Promise((resolve) => {
      const gone = (): void => resolve(this.#end ?? { type: 'died', cause: 'crash' })
      child.once('exit', gone)
      // The process could not be started at all, so no exit follows.
      child.once('error', () => {
        if (child.pid === undefined) gone()
      })
    })
    this.#send({ type: 'job', job })
  }

  /** Tells the process that the worker holds a slot for it. */
  compute (): void {
    this.#send({ type: 'slot' })
  }

  /** Answers a request for disk space; null: the space is reserved. */
  tellRoom (none: NoSpace | null): void {
    this.#send({ type: 'room', none })
  }

  stop (reason: StopReason): void {
    this.#send({ type: 'stop', reason })
    const killer = setTimeout(() => this.#child.kill('SIGKILL'), stopMs)
    void this.ended.then(() => clearTimeout(killer))
  }

  #send (message: ToLoneWorker): void {
    // If sending fails, the process is about to exit, and its exit is handled.
    if (this.#child.connected) this.#child.send(message, () => undefined)
  }
}
