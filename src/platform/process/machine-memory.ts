import { totalmem } from 'node:os'

/** The memory that this process may use: that of the machine, or less if its container or unit has a limit. */
export function machineMemory (): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}
