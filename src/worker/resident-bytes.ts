import { readFileSync } from 'node:fs'

/** Resident set of a process; 0 if there is no /proc or no such process. Reads no disk, so nothing waits. */
export function residentBytes (pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}
