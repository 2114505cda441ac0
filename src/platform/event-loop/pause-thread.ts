import { workerData } from 'node:worker_threads'
import type { LevelWithSilent } from 'pino'
import { pauseCauses, type PauseCause } from './event-loop-delays.ts'
import { mainThreadStack } from './main-thread-stack.ts'
import { mainThreadTime, type ThreadTime } from './thread-time.ts'

/*
 * A thread that watches the main one. If the main thread's beats stay away too long, it asks for the stack, and logs
 * the pause once: when it ends, or when it has lasted for `longMs`.
 */
export interface PauseThreadData {
  shared: Int32Array
  level: LevelWithSilent
  base: Record<string, string>
}

class EventLoopPause extends Error {
  override name = 'EventLoopPause'
}

interface Pause {
  isAsked: boolean
  stack: string | null
  isTold: boolean
}

const lookMs = 25
const pauseMs = 200
const longMs = 10_000

const { shared, level, base } = workerData as PauseThreadData
let beats = 0
let since = { atMs: performance.now(), time: mainThreadTime() }
let pause: Pause | undefined

function look (): void {
  const now = performance.now()
  const time = mainThreadTime()
  const lastedMs = now - since.atMs
  const seen = Atomics.load(shared, 0)
  if (pause !== undefined && !pause.isTold && (seen !== beats || lastedMs > longMs)) tell(pause, lastedMs, time)
  if (seen !== beats) {
    beats = seen
    since = { atMs: now, time }
    pause = undefined
  } else if (lastedMs > pauseMs) {
    pause ??= { isAsked: false, stack: null, isTold: false }
    // A thread that only waits for a core is not asked, because its code is not to blame.
    if (!pause.isAsked && causeOf(lastedMs, time) !== 'no_core') ask(pause)
  }
}

function ask (begun: Pause): void {
  begun.isAsked = true
  mainThreadStack().then(
    // A stack that arrives after the pause shows some other code.
    (stack) => {
      if (pause === begun && Atomics.load(shared, 0) === beats) begun.stack = stack
    },
    (error: unknown) => process.stderr.write(`the stack of the main thread is not known: ${String(error)}\n`)
  )
}

function causeOf (lastedMs: number, time: ThreadTime | null): PauseCause {
  // Without figures from the scheduler, the code is blamed.
  if (time === null || since.time === null) return 'computing'
  if (time.computedMs - since.time.computedMs > pauseMs) return 'computing'
  return lastedMs - (time.queuedMs - since.time.queuedMs) > pauseMs ? 'blocked' : 'no_core'
}

function tell (told: Pause, lastedMs: number, time: ThreadTime | null): void {
  told.isTold = true
  const cause = causeOf(lastedMs, time)
  Atomics.add(shared, 1 + pauseCauses.indexOf(cause), 1)
  const err = new EventLoopPause('the event loop stands still')
  err.stack = `EventLoopPause\n${told.stack ?? ''}`
  const computedMs = time === null || since.time === null ? null : Math.round(time.computedMs - since.time.computedMs)
  const facts = { err, pauseMs: Math.round(lastedMs), cpuMs: computedMs, cause }
  // Loaded only when needed, which is hardly ever.
  import('../log/log.ts').then(({ createLog }) => {
    const log = createLog(level, base)
    if (cause === 'no_core') log.info(facts, 'event loop had no core')
    else log.warn(facts, 'event loop paused')
  }, (error: unknown) => process.stderr.write(`a pause of the event loop is not logged: ${String(error)}\n`))
}

setInterval(look, lookMs)
