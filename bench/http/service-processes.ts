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

/** What a process of the service has used since it started. */
export interface Used {
  role: Role
  /** Milliseconds of processors. */
  cpuMs: number
  writeCalls: number
}

export type Role = 'api' | 'worker' | 'queue server' | 'slots' | 'other'

/** By process id: the supervisor and everything below it. */
export function usedByProcess (supervisorPid: number): Map<number, Used> {
  const found = new Map<number, Used>()
  const parents = new Map<number, number>()
  const commands = new Map<number, string[]>()
  for (const name of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const [parent, command] = describeProcess(name)
    parents.set(Number(name), parent)
    commands.set(Number(name), command)
  }
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid)
    return pid === supervisorPid || (parent !== undefined && isBelow(parent))
  }
  for (const [pid, command] of commands) {
    const used = isBelow(pid) ? usedBy(pid) : undefined
    if (used !== undefined) found.set(pid, { role: roleOf(command), ...used })
  }
  return found
}

function roleOf (command: readonly string[]): Role {
  const has = (name: string) => command.some((part) => part.endsWith(name))
  if (has('nats-server')) return 'queue server'
  if (has('slot.js')) return 'slots'
  if (command.includes('api')) return 'api'
  return command.includes('worker') ? 'worker' : 'other'
}

function usedBy (pid: number): Omit<Used, 'role'> | undefined {
  try {
    // The name of the process, in parentheses, may have spaces.
    const [, rest = ''] = /^\d+ \(.*\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    const fields = rest.split(' ')
    const [, writes] = /^syscw: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8')) ?? []
    // User and system time, in hundredths of a second.
    return { cpuMs: (Number(fields[11]) + Number(fields[12])) * 10, writeCalls: Number(writes) }
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

/** Memory of a process that no file backs, bytes: heap, buffers and stacks, without LMDB's map and shared libraries. */
export function anonymousBytes (pid: number): number {
  const kilobytes = /^Anonymous:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]
  if (kilobytes === undefined) throw new Error(`/proc/${pid}/smaps_rollup has no Anonymous line`)
  return Number(kilobytes) * 1024
}
