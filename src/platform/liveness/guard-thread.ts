import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import type { GuardOptions } from './guard.ts'

/*
 * The thread of a guard. It counts its own ticks instead of reading a clock: a machine that slept has missed no
 * heartbeat.
 */
const { parentPid, beats, ticks = Infinity, tickMs } = workerData as GuardOptions
let seen: number | undefined
let left = ticks

setInterval(() => {
  if (parentPid !== undefined && process.ppid !== parentPid) end()
  if (beats === undefined) return
  const now = Atomics.load(beats, 0)
  left = now === seen ? left - 1 : ticks
  seen = now
  if (left > 0) return
  // Written directly, because the log belongs to the main thread.
  writeSync(2,
    `tabcast: the event loop of process ${process.pid} has not moved for ${
      Math.round(ticks * tickMs)
    } ms, so it ends\n`)
  end()
}, tickMs)

function end (): void {
  process.kill(process.pid, 'SIGKILL')
}
