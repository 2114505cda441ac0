import { readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second, whatever the kernel's clock. */
const msPerTick = 10

/**
 * Processor time in milliseconds that a process has used, all threads together; 0 if there is no /proc or no such
 * process.
 */
export function processorMs (pid: number | undefined): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The process name, in brackets, may contain spaces, so count from the last bracket; utime and stime are the 14th
    // and 15th field.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * msPerTick
  } catch {
    return 0
  }
}
