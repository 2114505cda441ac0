import { readFile } from 'node:fs/promises'

/** Resident set of a process; 0 if there is no /proc or no such process. */
export async function residentBytes (pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
}
