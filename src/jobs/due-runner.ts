import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { repeat } from '../repeat.ts'

/** A table of tasks by due time, in lanes that must not hold each other up. */
export interface DueTasks<Lane, Task> {
  /** For the log. */
  name: string
  /** Lanes in which something waits or will be due, from behind `after` on. */
  lanes (after: Lane | undefined): Iterable<Lane>
  /** What is due in a lane, the longest waiting first, those under way among them. */
  due (lane: Lane): Task[]
  idOf (task: Task): string
  /** Whether one more may start in this lane beside those under way. */
  hasRoom (lane: Lane, underWay: readonly Lane[]): boolean
  /** Makes one attempt and notes what it came to, so that the task is not due any more, or later. */
  attempt (task: Task, signal: AbortSignal): Promise<void>
}

const lookMs = 250
/** An attempt that could not be noted would be made again at once, and again. */
const notNotedMs = 5_000

/** Works off what is due. The table is the queue: what is under way when the process dies is still there, and is done again. */
export class DueRunner<Lane, Task> {
  readonly #tasks: DueTasks<Lane, Task>
  readonly #log: Logger
  readonly #inFlight = new Map<string, { lane: Lane, done: Promise<void> }>()
  readonly #stopping = new AbortController()
  readonly #looking: { stop: () => Promise<void> }
  #lastLane: Lane | undefined
  #lookingAgain: NodeJS.Immediate | undefined

  constructor (tasks: DueTasks<Lane, Task>, log: Logger) {
    this.#tasks = tasks
    this.#log = log
    this.#looking = repeat(tasks.name, lookMs, log, async () => this.#startDue())
  }

  /** Breaks off what is under way; it is done again after the next start. */
  async stop (): Promise<void> {
    this.#stopping.abort()
    await this.#looking.stop()
    await Promise.all([...this.#inFlight.values()].map(({ done }) => done))
    clearImmediate(this.#lookingAgain)
  }

  /** Goes on behind the lane that something was started in last, so that every lane has its turn. */
  #startDue (): void {
    let last: Lane | undefined
    for (const lane of this.#tasks.lanes(this.#lastLane)) {
      for (const task of this.#hasRoom(lane) ? this.#tasks.due(lane) : []) {
        if (this.#inFlight.has(this.#tasks.idOf(task)) || !this.#hasRoom(lane)) continue
        this.#start(lane, task)
        last = lane
      }
    }
    // Behind the last lane the next look begins with the first one.
    this.#lastLane = last
  }

  #hasRoom (lane: Lane): boolean {
    return this.#tasks.hasRoom(lane, [...this.#inFlight.values()].map(({ lane }) => lane))
  }

  #start (lane: Lane, task: Task): void {
    const id = this.#tasks.idOf(task)
    const done = this.#tasks.attempt(task, this.#stopping.signal)
      .catch(async (error: unknown) => {
        if (this.#stopping.signal.aborted) return
        this.#log.error({ err: error, task: this.#tasks.name, id }, 'an attempt could not be made or noted')
        // Stopping ends the pause.
        await sleep(notNotedMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
      })
      .then(() => {
        this.#inFlight.delete(id)
        this.#lookAgain()
      })
    this.#inFlight.set(id, { lane, done })
  }

  /** There is room again; what ends at the same moment shares one look. */
  #lookAgain (): void {
    this.#lookingAgain ??= setImmediate(() => {
      this.#lookingAgain = undefined
      try {
        if (!this.#stopping.signal.aborted) this.#startDue()
      } catch (error) {
        this.#log.error({ err: error, task: this.#tasks.name }, 'due tasks could not be read')
      }
    })
  }
}
