import { Worker } from 'node:worker_threads'
import type { LevelWithSilent } from 'pino'
import { compiledProgram } from '../process/program-files.ts'
import { delayBounds, pauseCauses, type EventLoopDelays } from './event-loop-delays.ts'
import type { PauseThreadData } from './pause-thread.ts'

const beatMs = 20
const againMs = 1_000

/**
 * Measures how late this process's event loop is. A separate thread watches too: it still runs when the loop hangs, and
 * logs which code held it up.
 */
export class EventLoopWatch {
  /** The beats of this thread, and the pauses by cause that the other thread saw. */
  readonly #shared = new Int32Array(new SharedArrayBuffer(4 * (1 + pauseCauses.length)))
  readonly #counts = new Array<number>(delayBounds.length + 1).fill(0)
  #sumSeconds = 0
  #timer: NodeJS.Timeout | undefined
  #thread: Worker | undefined
  #again: NodeJS.Timeout | undefined

  /**
   * Call it after start-up work such as reading modules, which would count as a pause. `base`: fields of its log lines.
   */
  start (level: LevelWithSilent, base: Record<string, string>): void {
    let last = performance.now()
    this.#timer = setInterval(() => {
      Atomics.add(this.#shared, 0, 1)
      const now = performance.now()
      this.#observe(Math.max(0, now - last - beatMs) / 1000)
      last = now
    }, beatMs).unref()
    this.#watch({ shared: this.#shared, level, base })
  }

  #watch (workerData: PauseThreadData): void {
    const resourceLimits = { maxYoungGenerationSizeMb: 2 }
    const thread = new Worker(compiledProgram('platform/event-loop/pause-thread'), {
      workerData,
      execArgv: [],
      env: {},
      resourceLimits
    })
    thread.unref()
    // A failure of the watching thread must not end the process.
    thread.on('error', (error: NodeJS.ErrnoException) => {
      // The thread could not open the files that it needs, because a burst of connections had used up the limit.
      if (error.code === 'EMFILE' || (error.code === 'ERR_WORKER_INIT_FAILED' && error.message.includes('EMFILE'))) {
        this.#again = setTimeout(() => this.#watch(workerData), againMs).unref()
      } else process.stderr.write(`the event loop is no longer watched: ${error.stack ?? error.message}\n`)
    })
    this.#thread = thread
  }

  delays (): EventLoopDelays {
    const pauses = Object.fromEntries(
      pauseCauses.map((cause, index) => [cause, Atomics.load(this.#shared, index + 1)])
    ) as EventLoopDelays['pauses']
    return { counts: [...this.#counts], sumSeconds: this.#sumSeconds, pauses }
  }

  async stop (): Promise<void> {
    clearInterval(this.#timer)
    clearTimeout(this.#again)
    await this.#thread?.terminate()
  }

  #observe (seconds: number): void {
    const bucket = delayBounds.findIndex((bound) => seconds <= bound)
    const index = bucket < 0 ? delayBounds.length : bucket
    this.#counts[index] = (this.#counts[index] ?? 0) + 1
    this.#sumSeconds += seconds
  }
}
