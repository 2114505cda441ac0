import { fork, type ChildProcess } from 'node:child_process'
import type { TaskFailure } from '../domain/task-failure.ts'
import { compiledProgram } from '../platform/process/program-files.ts'
import type { SlotDeathCause } from '../platform/queue/job-messages.ts'
import type { Relay, RelayedQuestion } from '../sources/covariates/http/relayed-source.ts'
import type { MemoryVerdict, SlotMemory } from './slot-memory.ts'
import type { FromSlot, SlotTask, TaskResults, ToSlot } from './slot-messages.ts'

/** `cpuMs`: processor time of the task in milliseconds. */
export type SlotEnd<K extends SlotTask['kind']> =
  | { type: 'done', cpuMs: number, result: TaskResults[K] }
  | { type: 'failed', cpuMs: number, failure: TaskFailure }
  | { type: 'cancelled', cpuMs: number }
  /** The process is gone. `crowded`: through no fault of its task; all slots together needed too much memory. */
  | { type: 'died', cause: SlotDeathCause | 'crowded' }

export type ProgressListener = (stage: string, fraction: number) => void

/** How long the engine has to notice a cancel, unless the caller is in a hurry. */
const cancelGraceMs = 1_000
const keptErrorChars = 1_000

/**
 * V8 starts with a heap just large enough for the program of a slot, and then collects all of it for each small job: 25
 * times a second, a third of the slot's processor time.
 */
const heapFlags = ['--initial-old-space-size=64']

export interface SlotProcessOptions {
  /** Kills the process when it takes too much memory. */
  memory: SlotMemory
  /** One of `niceness`. */
  nice: number
}

interface Running {
  id: number
  onProgress: ProgressListener
  relay: Relay | undefined
  end: (end: SlotEnd<SlotTask['kind']>) => void
}

/** One slot process, seen from the worker. It computes one task at a time and may die at any moment. */
export class SlotProcess {
  readonly bornMs = performance.now()
  /** Rejects if the process ends before it is ready. */
  readonly ready: Promise<void>
  readonly exited: Promise<void>
  tasks = 0
  readonly #child: ChildProcess
  readonly #memory: SlotMemory
  #running: Running | undefined
  #unwatch = (): void => undefined
  #largestBytes = 0
  #deathCause: SlotDeathCause | MemoryVerdict = 'crash'
  #errorOutput = ''
  #alive = true

  constructor ({ memory, nice }: SlotProcessOptions) {
    this.#memory = memory
    const child = fork(compiledProgram('worker/slot'), [String(nice)], {
      serialization: 'advanced',
      execArgv: heapFlags,
      // The slot gets nothing of the worker's environment, which holds the queue's token and other secrets.
      env: { PATH: process.env['PATH'], TZ: 'UTC', LANG: 'C.UTF-8' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc']
    })
    this.#child = child
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errorOutput = (this.#errorOutput + text).slice(-keptErrorChars)
    })
    this.exited = new Promise((resolve) => {
      const gone = () => {
        this.#alive = false
        this.#end({ type: 'died', cause: this.#deathCause })
        resolve()
      }
      child.once('exit', gone)
      child.once('error', (error) => {
        this.#errorOutput = error.message
        if (child.pid === undefined) gone()
      })
    })
    this.ready = new Promise((resolve, reject) => {
      child.on('message', (message: FromSlot) => {
        if (message.type === 'ready') resolve()
        else this.#take(message)
      })
      this.exited.then(() => reject(new Error(`slot process ended while it started: ${this.#errorOutput.trim()}`)),
        reject)
    })
    this.ready.catch(() => undefined)
  }

  get pid (): number | undefined {
    return this.#child.pid
  }

  /** Not when it is being killed. */
  get alive (): boolean {
    return this.#alive
  }

  /** Whether a task took so much memory that the process may keep much of it. */
  get isLarge (): boolean {
    return this.#memory.isLarge(this.#largestBytes)
  }

  /** `relay` asks providers of covariates for tasks that may do so. */
  async run<T extends SlotTask> (task: T, onProgress: ProgressListener, relay?: Relay): Promise<SlotEnd<T['kind']>> {
    if (!this.#alive) return { type: 'died', cause: this.#deathCause }
    const id = ++this.tasks
    return await new Promise((resolve) => {
      this.#running = { id, onProgress, relay, end: resolve as Running['end'] }
      this.#unwatch = this.#memory.watch({
        pid: this.pid,
        startedMs: performance.now(),
        seen: (bytes) => {
          this.#largestBytes = Math.max(this.#largestBytes, bytes)
        },
        end: (verdict) => {
          this.#deathCause = verdict
          this.kill()
        }
      })
      this.#send({ type: 'run', id, task })
    })
  }

  /** Asks the task to stop, and kills the process if it has not stopped within `graceMs`. */
  cancel (graceMs = cancelGraceMs): void {
    const running = this.#running
    if (running === undefined) return
    this.#send({ type: 'cancel', id: running.id })
    setTimeout(() => {
      if (this.#running === running) this.kill()
    }, graceMs).unref()
  }

  kill (): void {
    // It takes a moment to end. The end of its task may still arrive, and nobody must give it the next one.
    this.#alive = false
    this.#child.kill('SIGKILL')
  }

  #send (message: ToSlot): void {
    // If sending fails, the process is about to exit, and its exit is handled.
    if (this.#child.connected) this.#child.send(message, () => undefined)
  }

  #take (message: Exclude<FromSlot, { type: 'ready' }>): void {
    if (message.id !== this.#running?.id) return
    switch (message.type) {
      case 'progress':
        return this.#running.onProgress(message.stage, message.fraction)
      case 'ask':
        return this.#ask(message.ask, message.question)
      case 'done':
        return this.#end({ type: 'done', cpuMs: message.cpuMs, result: message.result })
      case 'failed':
        return this.#end({ type: 'failed', cpuMs: message.cpuMs, failure: message.failure })
      case 'cancelled':
        return this.#end({ type: 'cancelled', cpuMs: message.cpuMs })
    }
  }

  #ask (ask: number, question: RelayedQuestion): void {
    const relay = this.#running?.relay
    const answer = relay === undefined ? Promise.resolve(undefined) : relay(question).catch(() => undefined)
    void answer.then((known) => this.#send({ type: 'answer', ask, answer: known }))
  }

  #end (end: SlotEnd<SlotTask['kind']>): void {
    this.#unwatch()
    const running = this.#running
    this.#running = undefined
    running?.end(end)
  }
}
