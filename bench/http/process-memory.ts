import { readdirSync, readFileSync } from 'node:fs'

/** Process id of the process of this role (`api`, `worker`) under a supervisor. */
export function findChildProcess (supervisorPid: number, role: string): number {
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const [parent, command] = describeProcess(name)
    if (parent === supervisorPid && command.includes(role)) return Number(name)
  }
  throw new Error(`process ${supervisorPid} has no child "${role}"`)
}

function describeProcess (pid: string): [number, string[]] {
  try {
    const parent = /^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return [Number(parent), readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')]
  } catch (error) {
    // It ended between the listing and the read.
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return [0, []]
    throw error
  }
}

/** Memory of a process that no file backs, bytes: heap, buffers and stacks, without LMDB's map and shared libraries. */
export function anonymousBytes (pid: number): number {
  const kilobytes = /^Anonymous:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]
  if (kilobytes === undefined) throw new Error(`/proc/${pid}/smaps_rollup has no Anonymous line`)
  return Number(kilobytes) * 1024
}
