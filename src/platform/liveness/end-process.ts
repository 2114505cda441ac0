import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** Sends SIGTERM, and SIGKILL if the process still runs after `graceMs`. Resolves when it has ended. */
export async function endProcess (child: ChildProcess, graceMs: number): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const killer = setTimeout(() => child.kill('SIGKILL'), graceMs)
  await gone
  clearTimeout(killer)
}
