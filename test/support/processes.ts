import { readdirSync, readFileSync } from 'node:fs'

export interface RunningProcess {
  pid: number
  command: string
}

/** Children of a process as the operating system knows them now, without those that are dead and not yet waited for. */
export function childrenOf (parent: number): RunningProcess[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^[0-9]+$/.test(name)) return []
    try {
      const status = readFileSync(`/proc/${name}/status`, 'utf8')
      if (!status.includes(`\nPPid:\t${parent}\n`) || /\nState:\s+Z/.test(status)) return []
      return [{
        pid: Number(name),
        command: readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      }]
    } catch (error) {
      // It ended between the listing and the look.
      if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
      throw error
    }
  })
}

/** False also when it is dead and not yet waited for. */
export function isRunning (pid: number): boolean {
  try {
    return !/\nState:\s+Z/.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

/** Sends a signal to a process that may have ended since it was listed. */
export function signal (pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
